package composition

import (
	"fmt"
	"strconv"
	"strings"

	"tacit/policy"
)

// maxText is longer than any text of String.
const maxText = 200

// Parse reads what String wrote, and nothing else: not the same numbers in another form either, so that a ledger has one text for a
// term. A text that it refuses is of no version of this program, or was edited.
func Parse(text string) (Term, error) {
	t, err := parseFields(text)
	if err != nil {
		return Term{}, fmt.Errorf("composition: term %q: %w", shorten(text), err)
	}
	if !t.valid() || t.String() != text {
		return Term{}, fmt.Errorf("composition: term %q is not one that a release has", shorten(text))
	}
	return t, nil
}

func shorten(text string) string {
	if len(text) > maxText {
		return text[:maxText] + "..."
	}
	return text
}

func parseFields(text string) (Term, error) {
	if len(text) > maxText {
		return Term{}, fmt.Errorf("%d bytes are too many", len(text))
	}
	noise, rest, _ := strings.Cut(text, " ")
	t := Term{Noise: Noise(noise)}
	for rest != "" {
		var field string
		field, rest, _ = strings.Cut(rest, " ")
		name, value, _ := strings.Cut(field, "=")
		if err := t.set(name, value); err != nil {
			return Term{}, fmt.Errorf("%s: %w", name, err)
		}
	}
	return t, nil
}

// set takes over one field. What does not belong to the kind is found when the text is compared with String's.
func (t *Term) set(name, value string) (err error) {
	switch name {
	case "epsilon":
		t.Epsilon, err = policy.ParseEpsilon(value)
	case "delta":
		t.Delta, err = policy.ParseDelta(value)
	case "moves":
		t.Moves, err = strconv.ParseInt(value, 10, 64)
		if t.Noise == DiscreteGaussianNoise {
			t.Squared = t.Moves
		}
	case "squared":
		t.Squared, err = strconv.ParseInt(value, 10, 64)
	case "variance":
		t.Variance, err = parseRatio(value)
	default:
		err = fmt.Errorf("no term has such a field")
	}
	return err
}

func parseRatio(text string) (r Ratio, err error) {
	numerator, denominator, divided := strings.Cut(text, "/")
	if r.Numerator, err = strconv.ParseUint(numerator, 10, 64); err != nil {
		return Ratio{}, err
	}
	r.Denominator = 1
	if divided {
		r.Denominator, err = strconv.ParseUint(denominator, 10, 64)
	}
	return r, err
}
