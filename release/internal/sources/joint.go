package sources

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"tacit/accountant"
	"tacit/release/internal/cells"
	"tacit/rewrite/query"
)

// A Joint is what is kept with a charge for counts that were measured jointly, as JSON. From such a release follows what one of its marginals has the keys of.
type Joint struct {
	// Shape is that of the count by the keys of all marginals.
	Shape json.RawMessage `json:"jointly"`
	// Marginals are indexes of these keys.
	Marginals [][]int `json:"marginals"`
	// Mechanism identifies the noise that each count would have had by itself: what was recorded is as exact as that, and serves as long as it is the policy's.
	Mechanism string `json:"mechanism"`
	// Values is how many values each column has that the counts are made of, NULL included, if they are declared.
	Values map[string]int `json:"values,omitempty"`
}

// Counts are what would be kept with the charges of the counts by themselves.
func (j *Joint) Counts(shape *query.Shape) (texts []string) {
	for _, keys := range j.Marginals {
		text, ok := shape.Among(keys).Text()
		if !ok {
			continue
		}
		d := Derivable{Shape: json.RawMessage(text), Mechanism: j.Mechanism, Cells: 1, Values: make(map[string]int)}
		for _, name := range cells.KeyInputs(shape.Among(keys)) {
			if n, ok := j.Values[name]; ok {
				d.Values[name] = n
				d.Cells *= n
			}
		}
		texts = append(texts, d.Text())
	}
	return texts
}

// Text is what is kept; "" of what is too long to be held in memory.
func (j Joint) Text() string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // a shape must be read as it was written
	if err := e.Encode(j); err != nil {
		panic("release: internal error: " + err.Error())
	}
	text := strings.TrimSpace(b.String())
	if len(text) > MaxDerivableBytes {
		return ""
	}
	return text
}

// A JointRelease is a recorded one.
type JointRelease struct {
	ID       int64
	Question accountant.Question // without its text
	Shape    *query.Shape
	// Marginals has the keys of each marginal.
	Marginals [][]int
	// Counted is from before the count began.
	Counted   time.Time
	at        time.Time
	mechanism string
	inputs    []string
}

// JointOf reads what Joint.Text wrote, in the first line of a shape; nil if it is nothing of the kind.
func JointOf(text string) (*Joint, *query.Shape) {
	text, _, _ = strings.Cut(text, "\n")
	if !strings.HasPrefix(text, `{"jointly":`) {
		return nil, nil
	}
	var j Joint
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		return nil, nil
	}
	shape, ok := query.ParseShape(string(j.Shape))
	if !ok {
		return nil, nil
	}
	for _, keys := range j.Marginals {
		if slices.ContainsFunc(keys, func(k int) bool { return k < 0 || k >= len(shape.Keys) }) {
			return nil, nil
		}
	}
	return &j, shape
}

// jointReleaseOf is a release as the index keeps it; nil of others.
func jointReleaseOf(r *accountant.Release) *JointRelease {
	j, shape := JointOf(r.Shape)
	if j == nil {
		return nil
	}
	return &JointRelease{
		ID: r.ID, Question: accountant.Question{Table: r.Table, Key: r.Key}, Shape: shape, Marginals: j.Marginals,
		at: r.At, Counted: cells.CountedSince(r.Shape), mechanism: j.Mechanism, inputs: cells.KeyInputs(shape),
	}
}

// maxJoint bounds the joint releases of a table that are held: the newest.
const maxJoint = 1 << 8

// addJoint adds one that is newer than all others. An older one of the same question is no longer to be had from the ledger.
func (x *Index) addJoint(r *JointRelease) {
	x.joint = append(slices.DeleteFunc(x.joint, func(before *JointRelease) bool { return before.Question.Key == r.Question.Key }), r)
	x.joint = x.joint[max(0, len(x.joint)-maxJoint):]
}

// Joint are the joint releases since some time from which a count may follow whose noise by itself is of this mechanism: the oldest first.
func (x *Index) Joint(mechanism string, asked *query.Shape, since time.Time) (found []*JointRelease) {
	needed := cells.KeyInputs(asked)
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, r := range x.joint {
		has := func(name string) bool { return slices.Contains(r.inputs, name) }
		if r.mechanism == mechanism && !r.at.Before(since) && !slices.ContainsFunc(needed, func(name string) bool { return !has(name) }) {
			found = append(found, r)
		}
	}
	return found
}
