package publish

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"tacit/accountant"
	"tacit/policy"
)

// A Provenance says how a table was published. It is the comment of the table, and the ledger's record of the release. It holds
// nothing but what the policy says, when it was, and the size of what was published: neither a seed, nor the number of protected rows.
type Provenance struct {
	Publication string `json:"publication"`
	Of          string `json:"of"`
	Mechanism   string `json:"mechanism"`
	// Guarantee is that of this release, or "none".
	Guarantee   string            `json:"guarantee"`
	Adjacency   string            `json:"adjacency"`
	Quasi       []string          `json:"quasi"`
	Columns     []string          `json:"columns"`
	K           int               `json:"k,omitempty"`
	Epsilon     string            `json:"epsilon,omitempty"`
	Rate        string            `json:"rate,omitempty"`
	Beta        string            `json:"beta,omitempty"`
	Generalise  map[string]int64  `json:"generalise,omitempty"`
	Hierarchies map[string]string `json:"hierarchies,omitempty"`
	Compare     []string          `json:"compare,omitempty"`
	Donors      string            `json:"donors,omitempty"`
	Output      string            `json:"output,omitempty"`
	// Rows are those published.
	Rows    int64     `json:"rows"`
	Classes int       `json:"classes,omitempty"`
	At      time.Time `json:"at"`
	Policy  string    `json:"policy"`
}

// noGuarantee is what a Provenance says of a publication that protects nobody in a way that can be stated.
const noGuarantee = "none"

func (w *Publishing) provenance(s *sanitizedRows) *Provenance {
	p := newProvenance(w.publication)
	p.Guarantee, p.Adjacency = guaranteeText(w.Guarantee), string(w.table.Adjacency)
	p.Rows, p.Classes = s.count, s.classes
	p.At, p.Policy = time.Now().UTC().Truncate(time.Second), w.policy.Version
	return p
}

// newProvenance has what the policy says of a publication.
func newProvenance(c *policy.Publication) *Provenance {
	p := &Provenance{
		Publication: c.Name.String(), Of: c.Of.String(), Mechanism: string(c.Kind), Quasi: c.Quasi, Columns: c.Columns, K: c.K,
	}
	if c.Epsilon > 0 {
		p.Epsilon = c.Epsilon.String()
	}
	if c.Rate > 0 {
		p.Rate = c.Rate.String()
	}
	if c.Beta > 0 {
		p.Beta = c.Beta.String()
	}
	if c.Generalise != nil {
		p.Generalise = make(map[string]int64)
		for i, name := range c.Quasi {
			p.Generalise[name] = c.Generalise[i]
		}
	}
	if len(c.Hierarchies) > 0 {
		p.Hierarchies = make(map[string]string)
		for name, h := range c.Hierarchies {
			p.Hierarchies[name] = hierarchyText(h)
		}
	}
	if c.Compare != nil {
		p.Compare, p.Donors = c.Compare, "any-record"
		if c.OtherQuasi {
			p.Donors = "other-quasi"
		}
	}
	if c.Kind.Generalises() {
		p.Output = "intervals"
		if c.Reconstruct {
			p.Output = "values"
		}
	}
	return p
}

// hierarchyText is a hierarchy on one line: *(coast(north, west), inland(east, south)).
func hierarchyText(h policy.Hierarchy) string {
	if len(h.Children) == 0 {
		return h.Label
	}
	below := make([]string, len(h.Children))
	for i, child := range h.Children {
		below[i] = hierarchyText(child)
	}
	return h.Label + "(" + strings.Join(below, ", ") + ")"
}

func guaranteeText(loss accountant.Loss) string {
	if loss.Releases > 0 {
		return noGuarantee
	}
	return loss.String()
}

// questionText is what the ledger says was asked.
func questionText(c *policy.Publication) string {
	p := newProvenance(c)
	text := fmt.Sprintf("publish %s of %s by %s; quasi-identifiers %s; columns %s", p.Publication, p.Of, p.Mechanism,
		strings.Join(p.Quasi, ", "), strings.Join(p.Columns, ", "))
	if p.K > 0 {
		text += fmt.Sprintf("; k %d", p.K)
	}
	for _, part := range []struct{ name, value string }{{"epsilon", p.Epsilon}, {"rate", p.Rate}, {"beta", p.Beta}, {"donors", p.Donors}, {"output", p.Output}} {
		if part.value != "" {
			text += "; " + part.name + " " + part.value
		}
	}
	return text
}

// publishedMark begins the comment of every table that was published.
const publishedMark = "Published by tacit: "

func (p *Provenance) payload() ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(p)
	return bytes.TrimSpace(b.Bytes()), err
}

func (p *Provenance) comment() (string, error) {
	payload, err := p.payload()
	return publishedMark + string(payload), err
}

// parseComment reads what comment wrote.
func parseComment(text string) (*Provenance, bool) {
	payload, ok := strings.CutPrefix(text, publishedMark)
	p := &Provenance{}
	return p, ok && json.Unmarshal([]byte(payload), p) == nil
}
