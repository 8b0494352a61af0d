package journal

import (
	"encoding/hex"
	"errors"
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
	// Format and Notes are left out of a ledger of version 1, whose checkpoints are older than they are.
	Format *Format `json:"format,omitempty"`
	Notes  Notes   `json:"notes,omitzero"`
	// Prices are what the counts below are of, by their place here.
	Prices []savedPrice `json:"prices,omitempty"`
	Tables []savedTable `json:"tables,omitempty"`
	Open   []savedOpen  `json:"open,omitempty"`
	// Requests are by analyst, in order of their names. A ledger without any has the text that it had before there were requests.
	Requests []Request `json:"requests,omitempty"`
}

type savedNumbers struct {
	Charge  int64 `json:"charge"`
	Release int64 `json:"release"`
	Event   int64 `json:"event"`
	Answer  int64 `json:"answer"`
}

type savedPrice struct {
	Term string  `json:"term"`
	Loss Amounts `json:"loss"`
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
	Latest    StatedAccounting  `json:"latest"`
	Earlier   []savedEpoch      `json:"earlier,omitempty"`
	Events    int64             `json:"events,omitempty"`
	Event     int64             `json:"event,omitempty"`
	Answered  bool              `json:"answered,omitempty"`
	Auditor   string            `json:"auditor,omitempty"`
	Decided   int64             `json:"decided,omitempty,string"`
}

type savedGrant struct {
	Analyst string  `json:"analyst"`
	Amounts Amounts `json:"amounts"`
}

type savedAnalyst struct {
	Analyst string       `json:"analyst"`
	Risk    policy.Risk  `json:"risk,omitempty,string"`
	Days    []savedDay   `json:"days,omitempty"`
	Stated  *savedStated `json:"stated,omitempty"`
}

type savedStated struct {
	Entry      int64            `json:"entry"`
	Accounting StatedAccounting `json:"accounting"`
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

// CheckpointBody is the body of a checkpoint that follows here.
func (s *State) CheckpointBody() string {
	saver := newSaver(s)
	saved := savedState{
		Ledger: s.Ledger, At: s.At, Prices: saver.saved,
		Last: savedNumbers{Charge: s.Last.Charge, Release: s.Last.Release, Event: s.Last.Event, Answer: s.Last.Answer},
	}
	if s.Format.Version > firstVersion {
		saved.Format, saved.Notes = &s.Format, s.Notes
	}
	for _, name := range s.TableNames() {
		saved.Tables = append(saved.Tables, saver.table(name, s.Tables[name]))
	}
	for _, id := range SortedKeys(s.Open) {
		c := s.Open[id]
		saved.Open = append(saved.Open, savedOpen{
			Charge: id, Schema: c.Table.Schema, Name: c.Table.Name, Key: hex.EncodeToString(c.Key[:]), Owner: c.Owner, Proxy: c.Proxy,
			Day: c.Day, Promise: c.Promise.String(),
		})
	}
	for _, analyst := range SortedKeys(s.Requests) {
		saved.Requests = append(saved.Requests, s.Requests[analyst]...)
	}
	return Marshal(saved)
}

// A saver writes counts by the places of their prices.
type saver struct {
	saved  []savedPrice
	places map[Priced]int64
}

// newSaver lists the prices of all that was charged, in one order.
func newSaver(s *State) *saver {
	all := make(counts)
	for _, t := range s.Tables {
		for _, day := range t.All.Days {
			all.add(day.once)
		}
		for _, e := range t.Earlier {
			all.add(e.charged)
		}
	}
	v := &saver{places: make(map[Priced]int64, len(all))}
	byText := make(map[string]Priced, len(all))
	for p := range all {
		byText[Marshal(savedPrice{p.term.String(), AmountsOf(p.Loss)})] = p
	}
	for i, text := range SortedKeys(byText) {
		p := byText[text]
		v.places[p] = int64(i)
		v.saved = append(v.saved, savedPrice{p.term.String(), AmountsOf(p.Loss)})
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

func (v *saver) table(name policy.TableName, t *Table) savedTable {
	saved := savedTable{
		Schema: name.Schema, Name: name.Name, Adjacency: t.Adjacency, Epoch: t.Epoch, Began: t.began, Frozen: t.Frozen, Latest: t.Latest,
		Events: t.Events, Event: t.Event, Answered: t.Answered, Auditor: t.Auditor, Decided: t.decided,
	}
	for _, analyst := range SortedKeys(t.Granted) {
		saved.Granted = append(saved.Granted, savedGrant{analyst, AmountsOf(t.Granted[analyst])})
	}
	for _, analyst := range SortedKeys(t.Analysts) {
		saved.Analysts = append(saved.Analysts, v.analyst(analyst, t))
	}
	for _, e := range t.Earlier {
		saved.Earlier = append(saved.Earlier, savedEpoch{
			Epoch: e.epoch, Began: e.began, Ended: e.ended, Reason: e.reason, Charged: v.counts(e.charged), Risk: e.risk,
		})
	}
	return saved
}

func (v *saver) analyst(name string, t *Table) savedAnalyst {
	hers := t.Analysts[name]
	saved := savedAnalyst{Analyst: name, Risk: hers.Risk}
	if stated, ok := t.Stated[name]; ok {
		saved.Stated = &savedStated{stated.Entry, stated.Accounting}
	}
	for _, day := range SortedKeys(hers.Days) {
		saved.Days = append(saved.Days, v.day(day, hers.Days[day]))
	}
	return saved
}

func (v *saver) day(number int64, t *tally) savedDay {
	saved := savedDay{Day: number, Once: v.counts(t.once)}
	for _, partition := range SortedKeys(t.named) {
		named := savedNamed{Partition: partition, Once: v.counts(t.named[partition])}
		for _, block := range SortedKeys(t.blocks[partition]) {
			named.Blocks = append(named.Blocks, savedBlock{block, v.counts(t.blocks[partition][block])})
		}
		saved.Named = append(saved.Named, named)
	}
	return saved
}

// StateFrom is the state after a checkpoint, behind an entry with the hash before.
func StateFrom(e *Entry, before Digest) (*State, error) {
	var saved savedState
	if err := Unmarshal(e.Body, &saved); err != nil {
		return nil, err
	}
	s := NewState()
	s.Ledger, s.Position, s.Hash, s.At = saved.Ledger, e.ID-1, before, saved.At
	s.Last = rowNumbers{Charge: saved.Last.Charge, Release: saved.Last.Release, Event: saved.Last.Event, Answer: saved.Last.Answer}
	s.Format = Format{Version: firstVersion, Since: 1}
	if saved.Format != nil {
		s.Format, s.Notes = *saved.Format, saved.Notes
	}
	prices := make([]Priced, len(saved.Prices))
	for i, p := range saved.Prices {
		term, err := composition.Parse(p.Term)
		if err != nil {
			return nil, err
		}
		prices[i] = Priced{term, p.Loss.Loss()}
	}
	for i := range saved.Tables {
		t, err := saved.Tables[i].table(prices)
		if err != nil {
			return nil, err
		}
		s.Tables[policy.TableName{Schema: saved.Tables[i].Schema, Name: saved.Tables[i].Name}] = t
	}
	for _, c := range saved.Open {
		if err := s.reopen(c); err != nil {
			return nil, err
		}
	}
	for _, r := range saved.Requests {
		s.Requests[r.Analyst] = append(s.Requests[r.Analyst], r)
	}
	return s, s.Apply(e)
}

// reopen restores a charge that waits for its answer.
func (s *State) reopen(c savedOpen) error {
	name := policy.TableName{Schema: c.Schema, Name: c.Name}
	open := &OpenCharge{EpochQuestion: EpochQuestion{Table: name, Epoch: s.Table(name).Epoch}, Owner: c.Owner, Proxy: c.Proxy, Day: c.Day}
	if err := errors.Join(open.Key.parse(c.Key), open.Promise.parse(c.Promise)); err != nil {
		return err
	}
	s.Open[c.Charge], s.Asked[open.EpochQuestion] = open, c.Charge
	return nil
}

func (saved *savedTable) table(prices []Priced) (*Table, error) {
	t := newTable()
	t.Adjacency, t.Epoch, t.began, t.Latest = saved.Adjacency, saved.Epoch, saved.Began, saved.Latest
	t.Events, t.Event, t.Answered, t.Auditor, t.decided = saved.Events, saved.Event, saved.Answered, saved.Auditor, saved.Decided
	for analyst, reason := range saved.Frozen {
		t.Frozen[analyst] = reason
	}
	for _, g := range saved.Granted {
		t.Granted[g.Analyst] = g.Amounts.Loss()
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
		t.Earlier = append(t.Earlier, epochTotal{
			epoch: e.Epoch, began: e.Began, ended: e.Ended, reason: e.Reason, charged: charged, risk: e.Risk,
		})
	}
	return t, nil
}

// into takes what an analyst was charged into a table, and into what all were.
func (saved *savedAnalyst) into(t *Table, prices []Priced) error {
	hers := t.changedAnalyst(saved.Analyst)
	hers.Risk = saved.Risk
	t.All.addRisk(saved.Risk)
	if saved.Stated != nil {
		t.Stated[saved.Analyst] = statement{saved.Stated.Entry, saved.Stated.Accounting}
	}
	for _, d := range saved.Days {
		day, err := d.tally(prices)
		if err != nil {
			return err
		}
		hers.Days[d.Day] = day
		if t.All.Days[d.Day] == nil {
			t.All.Days[d.Day] = newTally()
		}
		t.All.Days[d.Day].add(day)
	}
	return nil
}

func (saved *savedDay) tally(prices []Priced) (t *tally, err error) {
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

func (saved savedCounts) counts(prices []Priced) (counts, error) {
	c := make(counts, len(saved))
	for _, pair := range saved {
		if pair[0] < 0 || pair[0] >= int64(len(prices)) || pair[1] <= 0 {
			return nil, errors.New("a count of nothing")
		}
		c[prices[pair[0]]] = pair[1]
	}
	return c, nil
}
