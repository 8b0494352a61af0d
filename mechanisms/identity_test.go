package mechanisms

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"tacit/internal/battery"
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

// identityChanges change one field of a configuration each.
var identityChanges = map[string]func(t *testing.T, c *Config){
	"Parts":        func(_ *testing.T, c *Config) { c.Parts = 3 },
	"Epsilon":      func(_ *testing.T, c *Config) { c.Epsilon += 5e8 },
	"Delta":        func(_ *testing.T, c *Config) { c.Delta *= 1000 },
	"Adjacency":    func(_ *testing.T, c *Config) { c.Adjacency = policy.ReplaceOne },
	"KeepNegative": func(_ *testing.T, c *Config) { c.KeepNegative = !c.KeepNegative },
	"Calibration":  func(_ *testing.T, c *Config) { c.Calibration = policy.PDPCalibration },
	"K":            func(_ *testing.T, c *Config) { c.K = 30 },
	"Fill":         func(_ *testing.T, c *Config) { c.Fill = policy.Fill{Value: 2} },
	"Bound":        func(_ *testing.T, c *Config) { c.Bound = 40 },
	"Margins":      func(t *testing.T, c *Config) { c.Margins = newMargins(t, []int{30, 20}, [][]int{{0}, {}}) },
}

// notIdentified are the other fields: kinds are told apart in TestIdentity, who asks says the sensitivity, and the source is none of it.
var notIdentified = []string{"Kind", "Sensitivity", "PerCell", "Random"}

// namedThough are fields that an identity names although the kind does not use them. A policy cannot set them for these kinds, but for the
// adjacency; and a recorded answer whose identity changed would be charged again.
var namedThough = map[policy.Kind][]string{
	policy.DiscreteGaussian:  {"Calibration"},
	policy.DPSuppression:     {"KeepNegative"},
	policy.Suppression:       {"Epsilon", "Adjacency", "KeepNegative"},
	policy.DPSuppressionEq2:  {"Adjacency", "KeepNegative"},
	policy.DPSuppressionAlg2: {"Adjacency", "KeepNegative"},
	policy.DPSwapping:        {"Adjacency", "KeepNegative"},
}

// TestIdentityFollowsTheFields changes one field at a time, of each kind. What is released from the same random bytes tells whether the kind
// uses it: if it does, the identity has to change, and if not, it must not.
func TestIdentityFollowsTheFields(t *testing.T) {
	fields := reflect.TypeFor[Config]()
	for i := range fields.NumField() {
		name := fields.Field(i).Name
		if _, ok := identityChanges[name]; ok == slices.Contains(notIdentified, name) {
			t.Errorf("Config.%s: nobody says whether identities depend on it", name)
		}
	}
	for _, kind := range policy.Kinds {
		base := kindConfig(kind)
		base.Delta, base.KeepNegative = 1e12, true
		shown, selected, m := releasedOf(t, base)
		for field, change := range identityChanges {
			c := base
			change(t, &c)
			if _, err := New(c); err != nil && (field == "Margins" || field == "Parts") {
				continue // refused
			}
			otherShown, otherSelected, other := releasedOf(t, c)
			named := slices.Contains(namedThough[kind], field)
			used := !reflect.DeepEqual(shown, otherShown)
			if named && used {
				t.Errorf("%s uses %s", kind, field)
			}
			if differs := m.Identity() != other.Identity(); differs != (used || named) {
				t.Errorf("%s, %s: what is shown changes: %t, the identity: %t", kind, field, used, differs)
			}
			if usedToSelect := !slices.Equal(selected, otherSelected); usedToSelect {
				if m.Identity()+m.SelectionIdentity() == other.Identity()+other.SelectionIdentity() {
					t.Errorf("%s, %s: what is selected changes, the identity does not", kind, field)
				}
			} else if !used && !named && m.SelectionIdentity() != other.SelectionIdentity() {
				t.Errorf("%s, %s: the identity of selection changes, what is selected does not", kind, field)
			}
		}
	}
}

// releasedOf is what a configuration shows and selects with certain random bytes: counts from 0 to 59 ten times, and as many keys.
func releasedOf(t *testing.T, c Config) (shown Cells, selected []int64, m *Mechanism) {
	t.Helper()
	c.Random = battery.Seeded(3)
	m = newMechanism(t, c)
	counts := make([]int64, 600)
	for i := range counts {
		counts[i] = int64(i % 60)
	}
	shown, err := m.Sanitize(oneBlock(counts))
	if err != nil {
		t.Fatal(err)
	}
	c.Random = battery.Seeded(4)
	selector := newMechanism(t, c)
	for _, n := range counts {
		value, ok, err := selector.Select(n + 1)
		if err != nil && !errors.Is(err, errNoThreshold) {
			t.Fatal(err)
		}
		if !ok {
			value = -1
		}
		selected = append(selected, value)
	}
	return shown, selected, m
}

// Geometric noise was identified by this text before there were other kinds: ledgers that hold it keep their releases.
func TestIdentityOfGeometricIsStable(t *testing.T) {
	m := newMechanism(t, Config{Kind: policy.Geometric, Epsilon: 5e8, Adjacency: policy.AddRemove})
	if got, want := m.Identity(), "mechanism geometric epsilon 500000000 adjacency add-remove negative false\n"; got != want {
		t.Errorf("identity %q, want %q", got, want)
	}
}
