package publish

import (
	"fmt"
	"io"

	"tacit/accountant"
	"tacit/mechanisms/microdata"
	"tacit/policy"
	"tacit/release/internal/live"
)

// publicationLoss is what a publication costs: epsilon and delta if it has a guarantee whose delta a budget may have, or else one release
// without one. It looks at what is declared, not at rows. That the policy has the same guarantees is checked here, because it is the
// policy that had the steward accept that there is none.
func publicationLoss(c *policy.Publication, t *policy.Table, m *microRows) (accountant.Loss, error) {
	g, err := publicationGuarantee(c, t, m)
	if err != nil {
		return accountant.Loss{}, err
	}
	guaranteed := !g.Sample && g.Delta <= policy.MaxDelta
	switch stated, _ := c.Guaranteed(t); {
	case stated && g.Sample:
		return accountant.Loss{}, fmt.Errorf("its delta at epsilon %v is %.3g, the share of rows that are sampled, which promises nothing useful; a larger k or epsilon lowers it, or a smaller beta",
			c.Epsilon, float64(g.Delta)/float64(policy.OneDelta))
	case stated && !guaranteed && c.Kind == policy.PublishSafeKAnonymity:
		return accountant.Loss{}, fmt.Errorf("its delta at epsilon %v is %.3g, and above %v it promises nothing useful; a larger k or epsilon lowers it, or a smaller beta",
			c.Epsilon, float64(g.Delta)/float64(policy.OneDelta), policy.MaxDelta)
	case stated != guaranteed:
		return accountant.Loss{}, fmt.Errorf("release: internal error: a publication by %s has delta %v, and the policy takes it for guaranteed: %v", c.Kind, g.Delta, stated)
	case !guaranteed:
		return accountant.Loss{Releases: 1}, nil
	}
	return accountant.Loss{Epsilon: g.Epsilon, Delta: g.Delta}, nil
}

// publicationGuarantee is that of the mechanism for one person of the table. For a person with several rows, and for domains that are
// learnt from all rows, no mechanism states one.
func publicationGuarantee(c *policy.Publication, t *policy.Table, m *microRows) (microdata.Guarantee, error) {
	columns, learnt := m.declared()
	published := microdata.QuasiOnly
	if len(c.Columns) > len(c.Quasi) {
		published = microdata.OtherColumns
	}
	g := microdata.NoGuarantee(t.Adjacency)
	switch c.Kind {
	case policy.PublishSwapping:
		g = microdata.SwappingGuarantee(t.Adjacency)
	case policy.PublishDonorSwapping:
		g = microdata.DonorSwappingGuarantee(t.Adjacency)
	case policy.PublishKAnonymity:
		g = microdata.KAnonymityGuarantee(t.Adjacency)
	case policy.PublishDPKAnonymity:
		if !learnt {
			g = microdata.DPKAnonymityGuarantee(c.Epsilon, t.Adjacency)
		}
	case policy.PublishDPSwapping:
		if _, err := newDPSwapping(c, columns, live.NoRandomness{}); err != nil {
			return g, err
		}
		g = microdata.DPSwappingGuarantee(c.Epsilon, t.Adjacency, published)
	case policy.PublishSafeKAnonymity:
		mechanism, err := newSafeKAnonymity(c, columns, live.NoRandomness{})
		if err != nil {
			return g, err
		}
		g = mechanism.Guarantee(c.Epsilon, t.Adjacency, published)
	default:
		return g, fmt.Errorf("release: internal error: a publication of kind %s", c.Kind)
	}
	if t.Person != nil {
		return microdata.NoGuarantee(t.Adjacency), nil
	}
	return g, nil
}

// exactDelta is that of a sample of which classes and their numbers of rows are published, under add-remove; 0 if it is less than what
// floating point can tell.
func exactDelta(c *policy.Publication, t *policy.Table, charged accountant.Loss) float64 {
	if c.Kind != policy.PublishSafeKAnonymity || t.Adjacency != policy.AddRemove || charged.Releases > 0 || charged.Epsilon != c.Epsilon || charged.Delta == 0 {
		return 0
	}
	const least = 1e-15
	if delta := microdata.SafeKAnonymityDelta(c.Epsilon.Float(), c.Beta.Float(), int64(c.K)); delta >= least {
		return delta
	}
	return 0
}

// declared are the columns that the mechanism sees, as they are known without the rows, and whether any of them has to be learnt.
func (m *microRows) declared() (columns []microdata.Column, learnt bool) {
	for i := range m.seen {
		c := &m.columns[i]
		if c.declared == nil {
			learnt = true
			columns = append(columns, microdata.Column{Name: c.Source.Name, Values: []string{""}, Nullable: true, Quasi: c.quasi, FromData: true})
			continue
		}
		columns = append(columns, *c.declared)
	}
	return columns, learnt
}

func newDPSwapping(c *policy.Publication, columns []microdata.Column, random io.Reader) (*microdata.DPSwapping, error) {
	return microdata.NewDPSwapping(microdata.DPSwappingConfig{Columns: columns, Epsilon: c.Epsilon, Random: random})
}

func newSafeKAnonymity(c *policy.Publication, columns []microdata.Column, random io.Reader) (*microdata.SafeKAnonymity, error) {
	config := microdata.SafeKAnonymityConfig{Columns: columns, K: c.K, Beta: c.Beta, Random: random}
	for i := range c.Quasi {
		if columns[i].Numeric {
			config.Scheme = append(config.Scheme, microdata.Generalisation{Width: c.Generalise[i]})
		} else {
			config.Scheme = append(config.Scheme, microdata.Generalisation{Level: int(c.Generalise[i])})
		}
	}
	return microdata.NewSafeKAnonymity(config)
}

// A sanitizedRows is what a mechanism made of a table.
type sanitizedRows struct {
	// count and classes are how many are published. classes is 0 for kinds that have none.
	count   int64
	classes int
	// each calls row for every published row, with the number of the row whose other columns it has, and its quasi-identifiers,
	// which are valid during the call.
	each func(row func(origin int32, quasi []field) error) error
}

// A field is a value as it is published.
type field struct {
	text string
	null bool
}

// sanitize runs the mechanism on the rows that were read.
func (w *Publishing) sanitize() (*sanitizedRows, error) {
	t, err := w.rows.table()
	if err != nil {
		return nil, err
	}
	c := w.publication
	switch c.Kind {
	default: // of classes, see anonymise
	case policy.PublishSwapping, policy.PublishDonorSwapping:
		return w.swap(t)
	case policy.PublishDPSwapping:
		m, err := newDPSwapping(c, t.Columns(), w.random)
		if err != nil {
			return nil, err
		}
		return w.respond(t, m), nil
	}
	classes, err := w.anonymise(t)
	if err != nil {
		return nil, err
	}
	return w.classes(t, classes)
}

// swap gives rows the quasi-identifiers of others.
func (w *Publishing) swap(t *microdata.Table) (*sanitizedRows, error) {
	from, err := w.donors(t)
	if err != nil {
		return nil, err
	}
	return &sanitizedRows{count: int64(t.Rows()), each: func(row func(int32, []field) error) error {
		quasi := make([]field, len(w.publication.Quasi))
		for r, donor := range from {
			for i := range quasi {
				quasi[i] = w.rows.cellField(t, i, t.Cell(int(donor), i))
			}
			if err := row(int32(r), quasi); err != nil {
				return err
			}
		}
		return nil
	}}, nil
}

// donors are the rows whose quasi-identifiers each row takes.
func (w *Publishing) donors(t *microdata.Table) ([]int32, error) {
	c := w.publication
	donors := microdata.AnyRecord
	if c.OtherQuasi {
		donors = microdata.OtherQuasi
	}
	if c.Kind == policy.PublishSwapping {
		m, err := microdata.NewSwapping(microdata.SwappingConfig{
			Columns: t.Columns(), Rate: c.Rate, CompareOn: w.compared(), Donors: donors, Random: w.random,
		})
		if err != nil {
			return nil, err
		}
		return m.Swap(t)
	}
	m, err := microdata.NewDonorSwapping(microdata.DonorSwappingConfig{
		Columns: t.Columns(), Keep: policy.OneShare - c.Rate, Epsilon: c.Epsilon, CompareOn: w.compared(), Donors: donors, Random: w.random,
	})
	if err != nil {
		return nil, err
	}
	return m.Swap(t)
}

// compared are the numbers of the columns that the distance is over.
func (w *Publishing) compared() (numbers []int) {
	for _, name := range w.publication.Compare {
		for i := range w.rows.columns {
			if w.rows.columns[i].Source.Name == name {
				numbers = append(numbers, i)
			}
		}
	}
	return numbers
}

// respond replaces each row's quasi-identifiers at random.
func (w *Publishing) respond(t *microdata.Table, m *microdata.DPSwapping) *sanitizedRows {
	return &sanitizedRows{count: int64(t.Rows()), each: func(row func(int32, []field) error) error {
		cells, quasi := make([]microdata.Cell, w.rows.seen), make([]field, len(w.publication.Quasi))
		for r := range t.Rows() {
			for i := range cells {
				cells[i] = t.Cell(r, i)
			}
			if err := m.Row(cells); err != nil {
				return err
			}
			for i := range quasi {
				quasi[i] = w.rows.cellField(t, i, cells[i])
			}
			if err := row(int32(r), quasi); err != nil {
				return err
			}
		}
		return nil
	}}
}

func (w *Publishing) anonymise(t *microdata.Table) ([]microdata.Class, error) {
	c := w.publication
	switch c.Kind {
	case policy.PublishKAnonymity:
		m, err := microdata.NewKAnonymity(microdata.KAnonymityConfig{Columns: t.Columns(), K: c.K})
		if err != nil {
			return nil, err
		}
		return m.Anonymise(t)
	case policy.PublishDPKAnonymity:
		m, err := microdata.NewDPKAnonymity(microdata.DPKAnonymityConfig{Columns: t.Columns(), K: c.K, Epsilon: c.Epsilon, Random: w.random})
		if err != nil {
			return nil, err
		}
		return m.Anonymise(t)
	case policy.PublishSafeKAnonymity:
		m, err := newSafeKAnonymity(c, t.Columns(), w.random)
		if err != nil {
			return nil, err
		}
		return m.Anonymise(t)
	default:
		panic("publish: internal error: publication of kind " + string(c.Kind))
	}
}

// classes publishes the rows of classes, with generalised or with reconstructed values.
func (w *Publishing) classes(t *microdata.Table, classes []microdata.Class) (*sanitizedRows, error) {
	s := &sanitizedRows{classes: len(classes)}
	for _, class := range classes {
		s.count += int64(len(class.Rows))
	}
	if !w.publication.Reconstruct {
		s.each = func(row func(int32, []field) error) error {
			quasi := make([]field, len(w.publication.Quasi))
			for _, class := range classes {
				for i, g := range class.Quasi {
					quasi[i] = w.rows.generalisedField(t, i, g)
				}
				for _, r := range class.Rows {
					if err := row(r, quasi); err != nil {
						return err
					}
				}
			}
			return nil
		}
		return s, nil
	}
	m, err := microdata.NewReconstruction(microdata.ReconstructionConfig{Columns: t.Columns(), Random: w.random})
	if err != nil {
		return nil, err
	}
	s.each = func(row func(int32, []field) error) error {
		quasi := make([]field, len(w.publication.Quasi))
		var cells []microdata.Cell
		for _, class := range classes {
			for _, r := range class.Rows {
				var err error
				if cells, err = m.Row(cells[:0], class.Quasi); err != nil {
					return err
				}
				for i, cell := range cells {
					quasi[i] = w.rows.cellField(t, i, cell)
				}
				if err := row(r, quasi); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return s, nil
}

// writeRows writes the published columns in their order.
func (w *Publishing) writeRows(out *copyWriter, s *sanitizedRows) error {
	order := w.rows.order()
	written := int64(0)
	return s.each(func(origin int32, quasi []field) error {
		for i, column := range order {
			if i > 0 {
				out.separate()
			}
			c := &w.rows.columns[column]
			switch {
			case c.quasi && quasi[column].null:
				out.null()
			case c.quasi:
				out.text(quasi[column].text)
			case c.Codes[origin] == noCode:
				out.null()
			default:
				out.text(c.Values.texts[c.Codes[origin]])
			}
		}
		if written++; written%ProgressStep == 0 {
			w.Progress("writing", written)
		}
		return out.end()
	})
}

// order are the numbers of the published columns.
func (m *microRows) order() []int {
	order := make([]int, len(m.publication.Columns))
	for i, name := range m.publication.Columns {
		for j := range m.columns {
			if m.columns[j].Source.Name == name {
				order[i] = j
			}
		}
	}
	return order
}
