package journal

// The columns of the tables, in the order in which rows are read and written.
const (
	EntryColumns = `id, at, kind, operation, analyst, table_schema, table_name, epoch, statement, sqlstate, adjacency,
		epsilon, delta, releases, risk, refers, body, hash`
	ChargeColumns  = `id, entry, question_key, question, mechanism, term, blocks, shape, epsilon, delta, releases`
	ReleaseColumns = `id, entry, charge, at, payload`
	EventColumns   = `id, entry, table_schema, table_name, sequence, kind, payload`
	AnswerColumns  = `id, entry, event, at, payload`
	ProxyColumns   = `id, started, seen, digest`
)

// Values are the columns of the row.
func (e *Entry) Values() []any {
	return []any{
		e.ID, e.At, string(e.Kind), e.Operation, e.Analyst, e.Schema, e.Name, e.Epoch, e.Statement, e.Sqlstate, e.Adjacency,
		e.Epsilon, e.Delta, e.Releases, e.Risk, e.Refers, e.Body, e.Hash[:],
	}
}

func (c *Charge) Values() []any {
	return []any{c.ID, c.Entry, c.QuestionKey[:], c.Question, c.Mechanism, c.Term, c.Blocks, c.Shape, c.Epsilon, c.Delta, c.Releases}
}

func (r *Release) Values() []any { return []any{r.ID, r.Entry, r.Charge, r.At, r.Payload} }

func (v *Event) Values() []any {
	return []any{v.ID, v.Entry, v.Schema, v.Name, v.Sequence, v.Kind, v.Payload}
}

func (a *Answer) Values() []any { return []any{a.ID, a.Entry, a.Event, a.At, a.Payload} }

func (p *Proxy) Values() []any { return []any{p.ID, p.Started, p.Seen, p.Digest[:]} }
