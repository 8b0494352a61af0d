package accountant

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"tacit/accountant/composition"
	"tacit/policy"
)

// A checkpoint is an entry whose body is the state before it, so that opening a ledger need not read what is before it. It is in the chain
// as any other entry; and Verify, which reads everything, compares it with the state that it has come to.
//
// Its text is what every program of this version of the ledger writes and compares, whatever else a state keeps: how many answers an
// audited table has is not in it, and is counted from the rows before it.

// A savedState is a state as the body of a checkpoint has it. All lists are in order, so that equal states are equal texts.
type savedState struct {
	Ledger string       `json:"ledger"`
	At     int64        `json:"at,string"`
	Last   savedNumbers `json:"last"`
	// Prices are what the counts below are of, by their place here.
	Prices []savedPrice `json:"prices,omitempty"`
	Tables []savedTable `json:"tables,omitempty"`
	Open   []savedOpen  `json:"open,omitempty"`
}

type savedNumbers struct {
	Charge  int64 `json:"charge"`
	Release int64 `json:"release"`
	Event   int64 `json:"event"`
	Answer  int64 `json:"answer"`
}

type savedPrice struct {
	Term string  `json:"term"`
	Loss amounts `json:"loss"`
}

type savedTable struct {
	Schema    string            `json:"schema"`
	Name      string            `json:"name"`
	Adjacency policy.Adjacency  `json:"adjacency,omitempty"`
	Epoch     int64             `json:"epoch"`
	Began     int64             `json:"began,omitempty,string"`
	Frozen    map[string]string `json:"frozen,omitempty"` // encoding/json sorts keys
	Granted   []savedGrant      `json:"granted,omitempty"`
	Analysts  []savedAnalyst    `json:"analysts,omitempty"`
	Latest    accounting        `json:"latest"`
	Earlier   []savedEpoch      `json:"earlier,omitempty"`
	Events    int64             `json:"events,omitempty"`
	Event     int64             `json:"event,omitempty"`
	Answered  bool              `json:"answered,omitempty"`
	Auditor   string            `json:"auditor,omitempty"`
	Decided   int64             `json:"decided,omitempty,string"`
}

type savedGrant struct {
	Analyst string  `json:"analyst"`
	Amounts amounts `json:"amounts"`
}

type savedAnalyst struct {
	Analyst string       `json:"analyst"`
	Risk    policy.Risk  `json:"risk,omitempty,string"`
	Days    []savedDay   `json:"days,omitempty"`
	Stated  *savedStated `json:"stated,omitempty"`
}

type savedStated struct {
	Entry      int64      `json:"entry"`
	Accounting accounting `json:"accounting"`
}

type savedDay struct {
	Day   int64        `json:"day"`
	Once  savedCounts  `json:"once"`
	Named []savedNamed `json:"named,omitempty"`
}

type savedNamed struct {
	Partition string       `json:"partition"`
	Once      savedCounts  `json:"once"`
	Blocks    []savedBlock `json:"blocks"`
}

type savedBlock struct {
	Block  string      `json:"block"`
	Counts savedCounts `json:"counts"`
}

// savedCounts are pairs of a price's place and a count, by place.
type savedCounts [][2]int64

type savedEpoch struct {
	Epoch   int64       `json:"epoch"`
	Began   int64       `json:"began,omitempty,string"`
	Ended   int64       `json:"ended,string"`
	Reason  string      `json:"reason"`
	Charged savedCounts `json:"charged"`
	Risk    policy.Risk `json:"risk,omitempty,string"`
}

type savedOpen struct {
	Charge  int64  `json:"charge"`
	Schema  string `json:"schema"`
	Name    string `json:"name"`
	Key     string `json:"key"`
	Owner   int64  `json:"owner"`
	Proxy   string `json:"proxy"`
	Day     int64  `json:"day"`
	Promise string `json:"promise"`
}

// checkpointBody is the body of a checkpoint that follows here.
func (s *state) checkpointBody() string {
	saver := newSaver(s)
	saved := savedState{
		Ledger: s.ledger, At: s.at, Prices: saver.saved,
		Last: savedNumbers{Charge: s.last.charge, Release: s.last.release, Event: s.last.event, Answer: s.last.answer},
	}
	for _, name := range s.tableNames() {
		saved.Tables = append(saved.Tables, saver.table(name, s.tables[name]))
	}
	for _, id := range sortedKeys(s.open) {
		c := s.open[id]
		saved.Open = append(saved.Open, savedOpen{
			Charge: id, Schema: c.table.Schema, Name: c.table.Name, Key: hex.EncodeToString(c.key[:]), Owner: c.owner, Proxy: c.proxy,
			Day: c.day, Promise: c.promise.String(),
		})
	}
	return marshal(saved)
}

// A saver writes counts by the places of their prices.
type saver struct {
	saved  []savedPrice
	places map[priced]int64
}

// newSaver lists the prices of all that was charged, in one order.
func newSaver(s *state) *saver {
	all := make(counts)
	for _, t := range s.tables {
		for _, day := range t.all.days {
			all.add(day.once)
		}
		for _, e := range t.earlier {
			all.add(e.charged)
		}
	}
	v := &saver{places: make(map[priced]int64, len(all))}
	byText := make(map[string]priced, len(all))
	for p := range all {
		byText[marshal(savedPrice{p.term.String(), amountsOf(p.loss)})] = p
	}
	for i, text := range sortedKeys(byText) {
		p := byText[text]
		v.places[p] = int64(i)
		v.saved = append(v.saved, savedPrice{p.term.String(), amountsOf(p.loss)})
	}
	return v
}

func (v *saver) counts(c counts) savedCounts {
	saved := make(savedCounts, 0, len(c))
	for p, n := range c {
		saved = append(saved, [2]int64{v.places[p], n})
	}
	slices.SortFunc(saved, func(a, b [2]int64) int { return int(a[0] - b[0]) })
	return saved
}

func (v *saver) table(name policy.TableName, t *table) savedTable {
	saved := savedTable{
		Schema: name.Schema, Name: name.Name, Adjacency: t.adjacency, Epoch: t.epoch, Began: t.began, Frozen: t.frozen, Latest: t.latest,
		Events: t.events, Event: t.event, Answered: t.answered, Auditor: t.auditor, Decided: t.decided,
	}
	for _, analyst := range sortedKeys(t.granted) {
		saved.Granted = append(saved.Granted, savedGrant{analyst, amountsOf(t.granted[analyst])})
	}
	for _, analyst := range sortedKeys(t.analysts) {
		saved.Analysts = append(saved.Analysts, v.analyst(analyst, t))
	}
	for _, e := range t.earlier {
		saved.Earlier = append(saved.Earlier, savedEpoch{
			Epoch: e.epoch, Began: e.began, Ended: e.ended, Reason: e.reason, Charged: v.counts(e.charged), Risk: e.risk,
		})
	}
	return saved
}

func (v *saver) analyst(name string, t *table) savedAnalyst {
	hers := t.analysts[name]
	saved := savedAnalyst{Analyst: name, Risk: hers.risk}
	if stated, ok := t.stated[name]; ok {
		saved.Stated = &savedStated{stated.entry, stated.accounting}
	}
	for _, day := range sortedKeys(hers.days) {
		saved.Days = append(saved.Days, v.day(day, hers.days[day]))
	}
	return saved
}

func (v *saver) day(number int64, t *tally) savedDay {
	saved := savedDay{Day: number, Once: v.counts(t.once)}
	for _, partition := range sortedKeys(t.named) {
		named := savedNamed{Partition: partition, Once: v.counts(t.named[partition])}
		for _, block := range sortedKeys(t.blocks[partition]) {
			named.Blocks = append(named.Blocks, savedBlock{block, v.counts(t.blocks[partition][block])})
		}
		saved.Named = append(saved.Named, named)
	}
	return saved
}

// lastCheckpoint finds the last checkpoint, and the entry before it.
const lastCheckpoint = `SELECT coalesce(max(id), 0) FROM entry WHERE kind = 'checkpoint'`

// loadCheckpoint returns the state at the last checkpoint; if there is none, that before the first entry.
func loadCheckpoint(ctx context.Context, q queryer) (*state, error) {
	id, _, err := one(ctx, q, scanNumber, lastCheckpoint)
	if err != nil || id == 0 {
		return newState(), err
	}
	entries, err := readEntries(ctx, q, id, id)
	if err != nil {
		return nil, err
	}
	before, err := hashAt(ctx, q, id-1)
	if err != nil {
		return nil, err
	}
	s, err := stateFrom(entries[0], before)
	if err != nil {
		return nil, &contradiction{fmt.Errorf("checkpoint %d: %w", id, err)}
	}
	return s, s.countAnswers(ctx, q)
}

// answersUpTo counts the answers of each audited table, up to one. SQLite joins a CROSS JOIN in the order in which it is written: in this one
// its indexes have all that is needed, and it does not go through the payloads.
const answersUpTo = `SELECT v.table_schema, v.table_name, count(*) FROM audit_event v CROSS JOIN audit_answer w
	WHERE w.event = v.id AND w.id <= $1 GROUP BY v.table_schema, v.table_name`

// A tableAnswers is how many events of a table have their answers.
type tableAnswers struct {
	table   policy.TableName
	answers int64
}

func scanTableAnswers(rows scanner) (c tableAnswers, err error) {
	err = rows.Scan(&c.table.Schema, &c.table.Name, &c.answers)
	return c, err
}

// countAnswers adds to a checkpoint's state what the checkpoint does not say: how many answers each audited table has. Answers are numbered
// from 1 in the order of their entries, and the checkpoint has the number of the last one before it: what has a later number is counted
// with the entry that it belongs to, and what has none is missing.
func (s *state) countAnswers(ctx context.Context, q queryer) error {
	counted, err := collect(ctx, q, scanTableAnswers, answersUpTo, s.last.answer)
	if err != nil {
		return err
	}
	left := s.last.answer
	for _, c := range counted {
		t := s.table(c.table)
		if c.answers > t.events {
			return &contradiction{fmt.Errorf("of %v %d events have answers, and checkpoint %d knows of %d events", c.table, c.answers, s.checkpoint, t.events)}
		}
		t.answers = c.answers
		left -= c.answers
	}
	if left != 0 {
		return &contradiction{fmt.Errorf("before checkpoint %d %d audit answers, or their events, are missing", s.checkpoint, left)}
	}
	return nil
}

// stateFrom is the state after a checkpoint, behind an entry with the hash before.
func stateFrom(e *entryRow, before digest) (*state, error) {
	var saved savedState
	if err := unmarshal(e.body, &saved); err != nil {
		return nil, err
	}
	s := newState()
	s.ledger, s.position, s.hash, s.at = saved.Ledger, e.id-1, before, saved.At
	s.last = rowNumbers{charge: saved.Last.Charge, release: saved.Last.Release, event: saved.Last.Event, answer: saved.Last.Answer}
	prices := make([]priced, len(saved.Prices))
	for i, p := range saved.Prices {
		term, err := composition.Parse(p.Term)
		if err != nil {
			return nil, err
		}
		prices[i] = priced{term, p.Loss.loss()}
	}
	for i := range saved.Tables {
		t, err := saved.Tables[i].table(prices)
		if err != nil {
			return nil, err
		}
		s.tables[policy.TableName{Schema: saved.Tables[i].Schema, Name: saved.Tables[i].Name}] = t
	}
	for _, c := range saved.Open {
		if err := s.reopen(c); err != nil {
			return nil, err
		}
	}
	return s, s.apply(e)
}

// reopen takes in a charge that waits for its answer.
func (s *state) reopen(c savedOpen) error {
	name := policy.TableName{Schema: c.Schema, Name: c.Name}
	open := &openCharge{asked: asked{table: name, epoch: s.table(name).epoch}, owner: c.Owner, proxy: c.Proxy, day: c.Day}
	if err := errors.Join(open.key.parse(c.Key), open.promise.parse(c.Promise)); err != nil {
		return err
	}
	s.open[c.Charge], s.asked[open.asked] = open, c.Charge
	return nil
}

// parse reads what String wrote.
func (d *digest) parse(text string) error {
	b, err := hex.DecodeString(text)
	if err == nil && copy(d[:], b) != len(b) || len(b) != len(d) {
		err = fmt.Errorf("%q is not a digest", text)
	}
	return err
}

func (saved *savedTable) table(prices []priced) (*table, error) {
	t := newTable()
	t.adjacency, t.epoch, t.began, t.latest = saved.Adjacency, saved.Epoch, saved.Began, saved.Latest
	t.events, t.event, t.answered, t.auditor, t.decided = saved.Events, saved.Event, saved.Answered, saved.Auditor, saved.Decided
	for analyst, reason := range saved.Frozen {
		t.frozen[analyst] = reason
	}
	for _, g := range saved.Granted {
		t.granted[g.Analyst] = g.Amounts.loss()
	}
	for _, a := range saved.Analysts {
		if err := a.into(t, prices); err != nil {
			return nil, err
		}
	}
	for _, e := range saved.Earlier {
		charged, err := e.Charged.counts(prices)
		if err != nil {
			return nil, err
		}
		t.earlier = append(t.earlier, epochTotal{
			epoch: e.Epoch, began: e.Began, ended: e.Ended, reason: e.Reason, charged: charged, risk: e.Risk,
		})
	}
	return t, nil
}

// into takes what an analyst was charged into a table, and into what all were.
func (saved *savedAnalyst) into(t *table, prices []priced) error {
	hers := t.changedAnalyst(saved.Analyst)
	hers.risk = saved.Risk
	t.all.risk = policy.Risk(addAmounts(int64(t.all.risk), int64(saved.Risk)))
	if saved.Stated != nil {
		t.stated[saved.Analyst] = statement{saved.Stated.Entry, saved.Stated.Accounting}
	}
	for _, d := range saved.Days {
		day, err := d.tally(prices)
		if err != nil {
			return err
		}
		hers.days[d.Day] = day
		if t.all.days[d.Day] == nil {
			t.all.days[d.Day] = newTally()
		}
		t.all.days[d.Day].add(day)
	}
	return nil
}

func (saved *savedDay) tally(prices []priced) (t *tally, err error) {
	t = newTally()
	if t.once, err = saved.Once.counts(prices); err != nil {
		return nil, err
	}
	for _, named := range saved.Named {
		if t.named[named.Partition], err = named.Once.counts(prices); err != nil {
			return nil, err
		}
		t.blocks[named.Partition] = make(map[string]counts)
		for _, b := range named.Blocks {
			if t.blocks[named.Partition][b.Block], err = b.Counts.counts(prices); err != nil {
				return nil, err
			}
		}
	}
	return t, nil
}

func (saved savedCounts) counts(prices []priced) (counts, error) {
	c := make(counts, len(saved))
	for _, pair := range saved {
		if pair[0] < 0 || pair[0] >= int64(len(prices)) || pair[1] <= 0 {
			return nil, errors.New("a count of nothing")
		}
		c[prices[pair[0]]] = pair[1]
	}
	return c, nil
}
