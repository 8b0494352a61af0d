package journal

import (
	"cmp"
	"errors"
	"fmt"

	"tacit/policy"
)

// Apply applies the next entry, with the rows that belong to it, or says how it contradicts the chain, itself or what came before. After
// an error the state is not to be used.
func (s *State) Apply(e *Entry) error {
	if err := s.check(e); err != nil {
		return fmt.Errorf("entry %d: %w", e.ID, err)
	}
	s.Position, s.Hash, s.At = e.ID, e.Hash, max(s.At, e.At)
	s.Last.Charge += int64(len(e.Charged))
	s.Last.Release += int64(len(e.Released))
	s.Last.Event += int64(len(e.Events))
	s.Last.Answer += int64(len(e.Answers))
	if err := s.applyKind(e); err != nil {
		return fmt.Errorf("entry %d: %w", e.ID, err)
	}
	return nil
}

// check says whether an entry stands where it must, and has the hash that it must have.
func (s *State) check(e *Entry) error {
	switch {
	case e.ID != s.Position+1:
		return fmt.Errorf("it stands behind entry %d: an entry is missing", s.Position)
	case s.Linker.Entry(s.Hash, e) != e.Hash:
		return errors.New("it is not as it was written: it does not have the hash that follows from it and from the entry before it")
	case e.At < s.At:
		return errors.New("its time is before that of the entry before it")
	case (s.Ledger == "") != (e.Kind == kindCreated):
		return errors.New("a ledger begins with its creation, once")
	}
	if name := e.TableName(); name == (policy.TableName{}) {
		if e.Epoch != 0 {
			return errors.New("it has an epoch and no table")
		}
	} else if epoch := s.Table(name).Epoch; e.Epoch != epoch && (e.Kind != KindEpoch || e.Epoch != epoch+1) {
		return fmt.Errorf("it is of epoch %d of %v, which is in epoch %d", e.Epoch, name, epoch)
	}
	return s.checkRows(e)
}

// checkRows says whether the rows of other tables that belong to an entry are numbered in order and are of its kind.
func (s *State) checkRows(e *Entry) error {
	err := cmp.Or(
		inOrder("charge", s.Last.Charge, e.Charged, func(c Charge) int64 { return c.ID }),
		inOrder("release", s.Last.Release, e.Released, func(r Release) int64 { return r.ID }),
		inOrder("audit event", s.Last.Event, e.Events, func(v Event) int64 { return v.ID }),
		inOrder("audit answer", s.Last.Answer, e.Answers, func(a Answer) int64 { return a.ID }),
	)
	if err != nil {
		return err
	}
	if rows := [4]bool{len(e.Charged) > 0, len(e.Released) > 0, len(e.Events) > 0, len(e.Answers) > 0}; rows != rowsOf(e) {
		return fmt.Errorf("rows belong to it that an entry of kind %q does not have, or miss", e.Kind)
	}
	return nil
}

// rowsOf says of which tables an entry has rows: charges, releases, audit events, audit answers. Of the last two it has one.
func rowsOf(e *Entry) [4]bool {
	switch e.Kind {
	default:
		return [4]bool{}
	case KindCharged:
		risk := len(e.Events) > 0
		return [4]bool{!risk, false, risk && len(e.Events) == 1, false}
	case KindRecorded:
		return [4]bool{false, true, false, false}
	case KindDecided:
		return [4]bool{false, false, len(e.Events) == 1, false}
	case KindAnswered:
		return [4]bool{false, false, false, len(e.Answers) == 1}
	}
}

// inOrder says whether rows are numbered one by one behind the last one.
func inOrder[Row any](what string, last int64, rows []Row, id func(Row) int64) error {
	for i, row := range rows {
		if id(row) != last+int64(i)+1 {
			return fmt.Errorf("%s %d is out of order", what, id(row))
		}
	}
	return nil
}

// applyKind applies an entry by its kind.
func (s *State) applyKind(e *Entry) error {
	switch e.Kind {
	case kindCreated:
		return s.applyCreated(e)
	case KindCharged:
		if len(e.Events) > 0 {
			return s.applyRisk(e)
		}
		return s.applyCharged(e)
	case KindDecided:
		return s.applyDecided(e)
	case kindReplayed, kindDerived, KindRefused:
		return s.applyNote(e)
	case KindThinned:
		return s.applyThinned(e)
	case KindFormat:
		return s.applyFormat(e)
	case KindRecorded:
		return s.applyRecorded(e)
	case KindAnswered:
		return s.applyAnswered(e)
	case KindAdopted:
		return s.applyAdopted(e)
	case KindAbandoned:
		return s.applyAbandoned(e)
	case KindRequested:
		return s.applyRequested(e)
	case KindDeclined:
		return s.applyDeclined(e)
	case KindGranted, KindFrozen, KindThawed, KindEpoch, KindInspected, KindResolved:
		return s.applyAction(e)
	case KindCheckpoint:
		s.Checkpoint, s.Weight = e.ID, int64(len(e.Body))
		return nil
	}
	return fmt.Errorf("there is no kind of entry %q in this version", e.Kind)
}

func (s *State) applyCreated(e *Entry) error {
	var body CreatedBody
	if err := Unmarshal(e.Body, &body); err != nil {
		return err
	}
	if body.Ledger == "" {
		return errors.New("the ledger has no identity")
	}
	if !KnownVersion(body.Version) {
		return OtherVersion(body.Version)
	}
	s.Ledger, s.Checkpoint, s.Format = body.Ledger, e.ID, Format{Version: body.Version, Since: e.ID}
	return nil
}

// applyFormat begins a newer format.
func (s *State) applyFormat(e *Entry) error {
	var body formatBody
	if err := Unmarshal(e.Body, &body); err != nil {
		return err
	}
	if !KnownVersion(body.Version) {
		return OtherVersion(body.Version)
	}
	if body.Version <= s.Format.Version {
		return fmt.Errorf("it says that the format is version %d, which is no newer one", body.Version)
	}
	s.Format = Format{Version: body.Version, Since: e.ID}
	return nil
}

func (s *State) applyAbandoned(e *Entry) error {
	var body AbandonedBody
	if err := Unmarshal(e.Body, &body); err != nil {
		return err
	}
	for _, id := range body.Charges {
		if c := s.Open[id]; c == nil || c.Table != e.TableName() {
			return fmt.Errorf("charge %d, which it abandons, is not open", id)
		}
		s.close(id)
	}
	if body.Event != 0 {
		return s.applyAbandonedEvent(e, body.Event)
	}
	return nil
}
