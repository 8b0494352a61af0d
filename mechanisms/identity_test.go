package mechanisms

import (
	"testing"

	"tacit/policy"
)

// Identities differ between any two mechanisms whose results are distributed differently.
func TestIdentity(t *testing.T) {
	seen := make(map[string]Config)
	add := func(c Config) {
		t.Helper()
		m := newMechanism(t, c)
		text := m.Identity() + m.SelectionIdentity()
		if other, ok := seen[text]; ok {
			t.Errorf("%+v and %+v have one identity: %q", c, other, text)
		}
		seen[text] = c
		if again := newMechanism(t, c); again.Identity()+again.SelectionIdentity() != text {
			t.Errorf("%+v has two identities", c)
		}
	}
	for _, kind := range policy.Kinds {
		c := kindConfig(kind)
		add(c)
		if kind != policy.Suppression {
			d := c
			d.Epsilon = 7e8
			add(d)
		}
		d := c
		d.Adjacency = policy.ReplaceOne
		add(d)
		if kind.Guaranteed() {
			d = c
			d.Delta = 1e15
			add(d)
		}
		if kind.Suppresses() {
			for _, fill := range []policy.Fill{{Kind: policy.FillHalf}, {Kind: policy.FillValue, Value: 0}, {Kind: policy.FillValue, Value: 5}} {
				d = c
				d.Fill = fill
				add(d)
			}
			d = c
			d.K = 7
			add(d)
		} else if kind.Guaranteed() {
			d = c
			d.KeepNegative = true
			add(d)
		}
		if kind == policy.Gaussian {
			for _, calibration := range []policy.Calibration{policy.ClassicCalibration, policy.PDPCalibration} {
				d = c
				d.Calibration = calibration
				add(d)
			}
		}
	}
}

// Geometric noise was identified by this text before there were other kinds: ledgers that hold it keep their releases.
func TestIdentityOfGeometricIsStable(t *testing.T) {
	m := newMechanism(t, Config{Kind: policy.Geometric, Epsilon: 5e8, Adjacency: policy.AddRemove})
	if got, want := m.Identity(), "mechanism geometric epsilon 500000000 adjacency add-remove negative false\n"; got != want {
		t.Errorf("identity %q, want %q", got, want)
	}
}
