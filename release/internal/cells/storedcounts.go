package cells

import (
	"bytes"
	"errors"
	"strconv"
)

// StoredCounts are counts in a payload: an array of whole numbers, with null for a suppressed one, whatever stands in counts. It is
// read and written here, since a release can have very many of them, and encoding/json takes null for 0 or wants a pointer for each.
type StoredCounts struct {
	Counts     []int64
	Suppressed []bool // nil if none is
}

func (c StoredCounts) MarshalJSON() ([]byte, error) {
	text := make([]byte, 0, len("[]")+len(c.Counts)*len("1234,"))
	text = append(text, '[')
	for i, n := range c.Counts {
		if i > 0 {
			text = append(text, ',')
		}
		if c.Suppressed != nil && c.Suppressed[i] {
			text = append(text, "null"...)
		} else {
			text = strconv.AppendInt(text, n, 10)
		}
	}
	return append(text, ']'), nil
}

// UnmarshalJSON relies on encoding/json to hand over one value of valid syntax.
func (c *StoredCounts) UnmarshalJSON(data []byte) error {
	*c = StoredCounts{}
	if string(data) == "null" { // how no counts at all can have been recorded
		return nil
	}
	list, ok := bytes.CutPrefix(data, []byte("["))
	if !ok {
		return errors.New("the counts are no array")
	}
	list = bytes.TrimSpace(bytes.TrimSuffix(list, []byte("]")))
	if len(list) == 0 {
		return nil
	}
	cells := bytes.Count(list, []byte(",")) + 1
	c.Counts = make([]int64, cells)
	for i := range cells {
		element, rest, _ := bytes.Cut(list, []byte(","))
		if err := c.read(i, string(bytes.TrimSpace(element))); err != nil {
			return err
		}
		list = rest
	}
	return nil
}

func (c *StoredCounts) read(cell int, text string) (err error) {
	if text == "null" {
		if c.Suppressed == nil {
			c.Suppressed = make([]bool, len(c.Counts))
		}
		c.Suppressed[cell] = true
		return nil
	}
	c.Counts[cell], err = strconv.ParseInt(text, 10, 64)
	return err
}
