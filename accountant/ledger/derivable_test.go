package ledger

import (
	"context"
	"fmt"
	"testing"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/policy"
)

// shaped is a charge for a question of which something may be derived.
func shaped(text, shape string) accountant.Charge {
	c := charge("ana", text, accountant.Loss{Epsilon: 5})
	c.Items[0].Shape = shape
	return c
}

// Whoever keeps what was returned and asks for what is newer has all releases with a shape of the epoch, and of the table, and no others.
func TestDerivableReleases(t *testing.T) {
	ctx := context.Background()
	l := open(t, newPath(t))
	derivable := func(after int64, limit int) *DerivableReleases {
		t.Helper()
		d, err := l.Derivable(ctx, patients, after, limit)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	shapes := func(d *DerivableReleases) (text string) {
		for _, r := range d.Releases {
			if r.Payload != nil || r.Table != patients {
				t.Errorf("%+v", r)
			}
			text += r.Shape + " "
		}
		return text
	}
	if d := derivable(0, 10); len(d.Releases) != 0 || d.Through != 0 {
		t.Errorf("of an empty ledger: %+v", d)
	}
	record(t, l, reserve(t, l, shaped("a", "one")), []byte("1"))
	record(t, l, reserve(t, l, shaped("b", "")), []byte("2"))
	record(t, l, reserve(t, l, shaped("c", "three")), []byte("3"))
	reserve(t, l, shaped("d", "not recorded"))
	elsewhere := shaped("e", "elsewhere")
	elsewhere.Table, elsewhere.Items[0].Table = visits, visits
	record(t, l, reserve(t, l, elsewhere), []byte("5"))
	all := derivable(0, 10)
	if got := shapes(all); got != "three one " || all.Epoch != 1 {
		t.Errorf("shapes %q, epoch %d", got, all.Epoch)
	}
	if got := shapes(derivable(0, 1)); got != "three " {
		t.Errorf("the newest is %q", got)
	}
	if got := shapes(derivable(all.Through, 10)); got != "" {
		t.Errorf("nothing is newer than %q", got)
	}
	record(t, l, reserve(t, l, shaped("f", "six")), []byte("6"))
	if got := shapes(derivable(all.Through, 10)); got != "six " {
		t.Errorf("newer is %q", got)
	}
	if _, err := l.OpenEpoch(ctx, patients, "steward", "new rows"); err != nil {
		t.Fatal(err)
	}
	if d := derivable(0, 10); shapes(d) != "" || d.Epoch != 2 {
		t.Errorf("in a new epoch: %q, %d", shapes(d), d.Epoch)
	}
}

func TestCharges(t *testing.T) {
	ctx := context.Background()
	path := newPath(t)
	l := open(t, path)
	record(t, l, reserve(t, l, shaped("before", "")), []byte("0"))
	if _, err := l.OpenEpoch(ctx, patients, "steward", "new rows"); err != nil {
		t.Fatal(err)
	}
	term := composition.Term{Noise: composition.GeometricNoise, Epsilon: 5, Moves: 1}
	c := shaped("a", "one")
	c.Partition, c.Items[0].Blocks, c.Items[0].Term = "day", []string{"2", "1"}, term
	record(t, l, reserve(t, l, c), []byte("1"))
	reserve(t, l, shaped("b", ""))
	elsewhere := shaped("e", "elsewhere")
	elsewhere.Table, elsewhere.Items[0].Table = visits, visits
	reserve(t, l, elsewhere)
	r, err := look(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	charges, err := r.Charges(ctx, patients)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, c := range charges {
		got += fmt.Sprintln(c.Analyst, c.Text, c.Mechanism, c.Loss, c.Term, c.Blocks, c.Shape, c.At.IsZero(), c.Key == question(policy.TableName{}, c.Text).Key)
	}
	want := fmt.Sprintln("ana a geometric epsilon 0.000000005", term, "[1 2] one false true") +
		fmt.Sprintln("ana b geometric epsilon 0.000000005", composition.Term{}, "[]  false true")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
