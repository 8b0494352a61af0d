package journal

import (
	"encoding/json"
	"errors"
	"slices"

	"tacit/accountant"
)

// ChargeOf is an item as the table charge has it. Of the text, which is for people, it has the beginning: the key identifies the question.
func ChargeOf(i *accountant.Item) Charge {
	return Charge{
		QuestionKey: i.Key, Question: Shorten(i.Text), Mechanism: i.Mechanism, Term: i.Term.String(), Blocks: blocksText(i.Blocks), Shape: i.Shape,
		Epsilon: int64(i.Loss.Epsilon), Delta: int64(i.Loss.Delta), Releases: i.Loss.Releases,
	}
}

// blocksText is a canonical form of a set of blocks; empty for all.
func blocksText(blocks []string) string {
	if len(blocks) == 0 {
		return ""
	}
	sorted := slices.Clone(blocks)
	slices.Sort(sorted)
	text, err := json.Marshal(slices.Compact(sorted))
	if err != nil {
		panic("accountant: internal error: strings that JSON cannot hold: " + err.Error())
	}
	return string(text)
}

// ParseBlocks reads what blocksText wrote.
func ParseBlocks(text string) (blocks []string, err error) {
	if text == "" {
		return nil, nil
	}
	if err = json.Unmarshal([]byte(text), &blocks); err == nil && (len(blocks) == 0 || blocksText(blocks) != text) {
		err = errors.New("blocks in another form than they are written in")
	}
	return blocks, err
}
