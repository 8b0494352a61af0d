package audited

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"tacit/auditor/posterior"
	"tacit/release/internal/reply"
	"tacit/rewrite/query"
)

// An question is what the auditor decides about: how many people in some units have one of some values, for each of several disjoint
// sets of values at once. Of each way to divide the values in sets one is left out, the largest: its number is what remains. So
// equal knowledge is asked for by equal questions, of whatever is and of whatever is not, and those of a Boolean column are about true.
type question struct {
	units  []int32 // rising
	people int64
	values []posterior.ValueSet
}

// identity tells questions apart.
func (q *question) identity() [32]byte {
	h := sha256.New()
	buffer := binary.AppendUvarint(nil, uint64(len(q.values)))
	for _, v := range q.values {
		buffer = binary.LittleEndian.AppendUint64(buffer, uint64(v))
	}
	for _, u := range q.units {
		buffer = binary.LittleEndian.AppendUint32(buffer, uint32(u))
	}
	h.Write(buffer)
	return [32]byte(h.Sum(nil))
}

// A questionnaire are the different questions of a statement about one audited table, in the order in which it first asks them.
type questionnaire struct {
	Questions []*question
	index     map[[32]byte]int
}

func (n *questionnaire) add(q *question) int {
	identity := q.identity()
	if i, ok := n.index[identity]; ok {
		return i
	}
	if n.index == nil {
		n.index = make(map[[32]byte]int)
	}
	n.index[identity] = len(n.Questions)
	n.Questions = append(n.Questions, q)
	return len(n.Questions) - 1
}

// An auditedCount is one count of one cell: people who are counted whatever they have, which is a public fact, and besides them some
// parts of the answer to a question, added or, of those whom a set was left out for, subtracted.
type auditedCount struct {
	known    int64
	question int   // -1: there is none
	parts    []int // indexes of the question's sets
	minus    bool
}

// value is the count, once the answer to its question is known.
func (c auditedCount) value(answer []int64) int64 {
	n := c.known
	for _, part := range c.parts {
		if c.minus {
			n -= answer[part]
		} else {
			n += answer[part]
		}
	}
	return n
}

// A composer turns the members of cells into questions.
type composer struct {
	query  *query.BoundQuery
	values int // of the private column
	*membership
	*questionnaire
}

// compose returns the counts of all cells, count by count.
func (m *membership) compose(q *query.BoundQuery, values int, n *questionnaire) ([][]auditedCount, error) {
	c := composer{query: q, values: values, membership: m, questionnaire: n}
	counts := make([][]auditedCount, len(q.Counts))
	for i := range counts {
		var err error
		if counts[i], err = c.count(i); err != nil {
			return nil, err
		}
	}
	return counts, nil
}

// count composes one count of all cells. Cells of one margin that count different values of the same people are one question.
func (c *composer) count(i int) ([]auditedCount, error) {
	counts := make([]auditedCount, len(c.cells))
	asked := make([]askedCell, len(c.cells))
	together := make(map[string][]posterior.ValueSet)
	for j := range c.cells {
		var ok bool
		if counts[j], asked[j], ok = c.divide(j, c.cells[j][i]); !ok {
			return nil, reply.RefuseMixedValues(c.query, i)
		}
		if a := asked[j]; a.values != 0 && !slices.Contains(together[a.key], a.values) {
			together[a.key] = append(together[a.key], a.values)
		}
	}
	for j, a := range asked {
		if a.values != 0 {
			c.ask(&counts[j], a, classesOf(together[a.key], c.values))
		}
	}
	return counts, nil
}

// An askedCell is what a cell asks: about people of which facts, and which values.
type askedCell struct {
	facts  []int
	values posterior.ValueSet // 0: nothing
	key    string             // equal for cells of one margin that ask about the same people
}

// divide takes apart who is counted whatever she has and who is counted for some values, which must be the same for all of these.
func (c *composer) divide(cell int, members []factMembers) (count auditedCount, asked askedCell, ok bool) {
	count.question = -1
	all := posterior.ValueSet(1)<<c.values - 1
	for _, m := range members {
		switch {
		case m.values == all:
			count.known += c.projection.People[m.fact]
			continue
		case asked.values == 0:
			asked.values = m.values
		case asked.values != m.values:
			return count, asked, false
		}
		asked.facts = append(asked.facts, m.fact)
	}
	if asked.values != 0 {
		var b strings.Builder
		if c.sets != nil {
			b.WriteString(strconv.FormatInt(c.sets[cell], 10))
		}
		for _, fact := range asked.facts {
			b.WriteByte(' ')
			b.WriteString(strconv.Itoa(fact))
		}
		asked.key = b.String()
	}
	return count, asked, true
}

// classesOf divides all values into the given disjoint sets and what is left, in an order of their own, the largest first: that which
// is not asked for.
func classesOf(sets []posterior.ValueSet, values int) []posterior.ValueSet {
	classes := slices.Clone(sets)
	rest := posterior.ValueSet(1)<<values - 1
	for _, s := range sets {
		rest &^= s
	}
	if rest != 0 {
		classes = append(classes, rest)
	}
	slices.Sort(classes)
	largest := 0
	for i, s := range classes {
		switch n, most := size(s), size(classes[largest]); {
		case n > most, n == most && lowest(s) < lowest(classes[largest]):
			largest = i
		}
	}
	classes[0], classes[largest] = classes[largest], classes[0]
	slices.SortFunc(classes[1:], func(a, b posterior.ValueSet) int { return cmp.Compare(a, b) })
	return classes
}

func size(s posterior.ValueSet) int { return bits.OnesCount64(uint64(s)) }

func lowest(s posterior.ValueSet) int { return bits.TrailingZeros64(uint64(s)) }

// ask adds the question of a cell.
func (c *composer) ask(count *auditedCount, asked askedCell, classes []posterior.ValueSet) {
	q := &question{values: classes[1:]}
	for _, fact := range asked.facts {
		q.units = append(q.units, c.projection.Units[fact]...)
		q.people += c.projection.People[fact]
	}
	slices.Sort(q.units)
	count.question = c.add(q)
	if asked.values != classes[0] {
		count.parts = []int{slices.Index(q.values, asked.values)}
		return
	}
	count.known += q.people
	count.minus = true
	for i := range q.values {
		count.parts = append(count.parts, i)
	}
}
