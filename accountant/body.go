package accountant

import (
	"bytes"
	"encoding/json"
	"errors"
	"time"

	"tacit/accountant/composition"
	"tacit/policy"
)

// What belongs to some kinds of entries besides their columns is JSON in the column body: in the one form that marshal writes.

// A createdBody says which ledger it is.
type createdBody struct {
	Ledger  string `json:"ledger"`
	Version int    `json:"version"`
}

// A chargedBody says whose reservation it is, and how it was accounted for if that is not as the entry that it refers to says.
type chargedBody struct {
	Owner      string      `json:"owner"` // the process that is to answer
	Accounting *accounting `json:"accounting,omitempty"`
}

// An adoptedBody says which charges were taken over, and by whom.
type adoptedBody struct {
	Owner   string  `json:"owner"`
	Charges []int64 `json:"charges"`
}

// An abandonedBody says which charges will not be answered, or which event of an auditor.
type abandonedBody struct {
	Charges []int64 `json:"charges"`
	Event   int64   `json:"event,omitempty"`
}

// An actBody is of a steward's act.
type actBody struct {
	By      string   `json:"by"`
	Reason  string   `json:"reason"`
	Amounts *amounts `json:"amounts,omitempty"` // of a grant
}

// An accounting is what a charge was compared with: all of an Accounting and the analyst's cap. It is comparable, and two that are
// equal are the same text.
type accounting struct {
	Adjacency   policy.Adjacency   `json:"adjacency,omitempty"`
	Composition policy.Composition `json:"composition"`
	Budget      amounts            `json:"budget"`
	Thresholds  policy.Delta       `json:"thresholds,omitempty"`
	WindowDays  int64              `json:"window_days,omitempty"`
	Partition   string             `json:"partition,omitempty"`
	Main        string             `json:"main,omitempty"`
	Capped      bool               `json:"capped,omitempty"`
	Cap         amounts            `json:"cap,omitzero"`
}

// amounts are those of a loss or a budget, as integers. JSON numbers would do, were it not for readers that take them for floating point.
type amounts struct {
	Epsilon  int64 `json:"epsilon,omitempty,string"`
	Delta    int64 `json:"delta,omitempty,string"`
	Releases int64 `json:"releases,omitempty,string"`
	Risk     int64 `json:"risk,omitempty,string"`
}

func amountsOf(l Loss) amounts {
	return amounts{int64(l.Epsilon), int64(l.Delta), l.Releases, int64(l.Risk)}
}

func (a amounts) loss() Loss {
	return Loss{Epsilon: policy.Epsilon(a.Epsilon), Delta: policy.Delta(a.Delta), Releases: a.Releases, Risk: policy.Risk(a.Risk)}
}

func (a amounts) budget() policy.Budget { return policy.Budget(a.loss()) }

// stated is the accounting as it is kept.
func (a Accounting) stated(limit *policy.Budget) accounting {
	s := accounting{
		Adjacency: a.Adjacency, Composition: a.Composition, Budget: amountsOf(Loss(a.Budget)), Thresholds: a.Thresholds,
		WindowDays: int64(a.Window / (24 * time.Hour)), Partition: a.Partition, Main: a.Main.String(),
	}
	if limit != nil {
		s.Capped, s.Cap = true, amountsOf(Loss(*limit))
	}
	return s
}

// of is the accounting of a table, and the analyst's cap, as they were stated.
func (s accounting) of(table policy.TableName) (Accounting, *policy.Budget, error) {
	var main composition.Term
	if s.Main != "" {
		var err error
		if main, err = composition.Parse(s.Main); err != nil {
			return Accounting{}, nil, err
		}
	}
	a := Accounting{
		Table: table, Adjacency: s.Adjacency, Budget: s.Budget.budget(), Composition: s.Composition, Thresholds: s.Thresholds,
		Window: time.Duration(s.WindowDays) * 24 * time.Hour, Partition: s.Partition, Main: main,
	}
	if !s.Capped {
		return a, nil, nil
	}
	limit := s.Cap.budget()
	return a, &limit, nil
}

// marshal is the one form of a body.
func marshal(body any) string {
	text, err := json.Marshal(body)
	if err != nil {
		panic("accountant: internal error: " + err.Error())
	}
	return string(text)
}

// unmarshal reads a body, if it is in the form that marshal writes.
func unmarshal(text string, body any) error {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(body); err != nil {
		return err
	}
	if marshal(body) != text {
		return errors.New("its body has another form than it is written in")
	}
	return nil
}
