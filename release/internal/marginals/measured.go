package marginals

import (
	"encoding/json"
	"fmt"
	"slices"

	"tacit/mechanisms/residual"
	"tacit/rewrite/query"
)

// A Measured is one measurement of a workload, or what one would be like.
type Measured struct {
	shape   *query.Shape
	columns []column
	// measurement is nil of one that was not made.
	measurement *residual.Measurement
	strategy    *residual.Strategy
	// fit says that counts are fitted so that none is below 0, and fitted is what they are then made of.
	fit    bool
	fitted *residual.Measurement
	// joint says that these are counts that a statement asked for at once.
	joint bool
}

// A payload is what the ledger keeps: JSON, with the values of each column, since the order of cells is theirs.
type payload struct {
	Workload []payloadColumn  `json:"workload"`
	Measured *residual.Record `json:"measured"`
}

type payloadColumn struct {
	Name   string    `json:"name"`
	Values []*string `json:"values"` // null for NULL
	Others bool      `json:"others,omitempty"`
}

func (w *Workload) encode(m *residual.Measurement) ([]byte, error) {
	p := payload{Workload: []payloadColumn{}, Measured: m.Record()}
	for _, c := range w.columns {
		kept := payloadColumn{Name: c.name, Values: make([]*string, len(c.values)), Others: c.others}
		for i, v := range c.values {
			if !v.Null {
				kept.Values[i] = &c.values[i].Text
			}
		}
		p.Workload = append(p.Workload, kept)
	}
	return json.Marshal(p)
}

// decode reads what Measure returned, for a measurement of this workload. Something else is refused.
func (w *Workload) decode(stored []byte) (*Measured, error) {
	m, err := decode(w.shape, stored)
	if err != nil {
		return nil, err
	}
	for i, c := range m.columns {
		if of := w.columns[i]; c.name != of.name || c.others != of.others || !slices.Equal(c.values, of.values) {
			return nil, fmt.Errorf("its column %d has other values", i+1)
		}
	}
	if m.fit = w.fit; m.fit {
		m.fitted = m.measurement.Nonnegative()
	}
	return m, nil
}

// decode reads a measurement of counts by the keys of a shape.
func decode(shape *query.Shape, stored []byte) (*Measured, error) {
	var p payload
	if err := json.Unmarshal(stored, &p); err != nil {
		return nil, err
	}
	if p.Measured == nil || len(p.Workload) != len(shape.Keys) || len(p.Measured.Sizes) != len(shape.Keys) {
		return nil, fmt.Errorf("it is no measurement of %d columns", len(shape.Keys))
	}
	m := &Measured{shape: shape}
	for i, kept := range p.Workload {
		c := column{name: kept.Name, others: kept.Others}
		for _, text := range kept.Values {
			if text == nil {
				c.values = append(c.values, query.Value{Null: true})
			} else {
				c.values = append(c.values, query.Value{Text: *text})
			}
		}
		if c.size() != p.Measured.Sizes[i] || len(c.values) == 0 {
			return nil, fmt.Errorf("its column %d has other values", i+1)
		}
		m.columns = append(m.columns, c)
	}
	var err error
	m.measurement, m.strategy, err = p.Measured.Measurement()
	return m, err
}

// Expected is what a measurement will be like: all its counts are 0.
func (w *Workload) Expected() *Measured {
	return &Measured{shape: w.shape, columns: w.columns, strategy: w.mechanism.Strategy(), fit: w.fit, joint: w.Jointly()}
}
