package microdata

import (
	"errors"
	"fmt"
	"sort"
)

// A Node of a hierarchy is a value if it has no children, or else the label that its values may be merged under.
type Node struct {
	Label    string
	Children []Node
}

// maxLevels bounds the recursion over a hierarchy.
const maxLevels = 64

// A Hierarchy is a tree over the values of a categorical column: they are its leaves, and may be merged under the label of any node
// above them. Hierarchies are public.
type Hierarchy struct {
	values []string // the leaves, from left to right: those below a node stand together
	nodes  []branch // the root is the first
}

// A branch is a Node with the places of its leaves in values.
type branch struct {
	label       string
	first, last Cell
	children    []int32 // in the order of their leaves
}

// NewHierarchy returns the tree below root, or says what is wrong with it. A label means one set of values, so it stands for one
// node.
func NewHierarchy(root Node) (*Hierarchy, error) {
	h := &Hierarchy{}
	if _, err := h.add(root, 1, make(map[string]bool)); err != nil {
		return nil, fmt.Errorf("microdata: hierarchy: %w", err)
	}
	return h, nil
}

func (h *Hierarchy) add(n Node, level int, seen map[string]bool) (int32, error) {
	switch {
	case level > maxLevels:
		return 0, fmt.Errorf("more than %d levels", maxLevels)
	case seen[n.Label]:
		return 0, fmt.Errorf("the label %q stands twice", n.Label)
	case len(h.nodes) >= maxValues:
		return 0, errors.New("too many nodes")
	}
	seen[n.Label] = true
	at := int32(len(h.nodes))
	h.nodes = append(h.nodes, branch{label: n.Label, first: Cell(len(h.values))})
	if len(n.Children) == 0 {
		h.values = append(h.values, n.Label)
	}
	var children []int32
	for _, child := range n.Children {
		c, err := h.add(child, level+1, seen)
		if err != nil {
			return 0, err
		}
		children = append(children, c)
	}
	h.nodes[at].children, h.nodes[at].last = children, Cell(len(h.values)-1)
	return at, nil
}

// child is the one of a node's children that v is below. v is below the node, which is no leaf.
func (h *Hierarchy) child(n *branch, v Cell) *branch {
	i := sort.Search(len(n.children), func(i int) bool { return h.nodes[n.children[i]].last >= v })
	return &h.nodes[n.children[i]]
}

// covering is the lowest node that has all values from low to high below it.
func (h *Hierarchy) covering(low, high Cell) *branch {
	n := &h.nodes[0]
	for len(n.children) > 0 {
		next := h.child(n, low)
		if high > next.last {
			break
		}
		n = next
	}
	return n
}

// at is the node above v (or v itself) that is level steps below the root, or the leaf if that is higher up.
func (h *Hierarchy) at(level int, v Cell) *branch {
	n := &h.nodes[0]
	for ; level > 0 && len(n.children) > 0; level-- {
		n = h.child(n, v)
	}
	return n
}
