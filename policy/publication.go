package policy

import (
	"fmt"
	"slices"
	"strings"

	"tacit/policy/internal/document"
)

// A Publication is a sanitized copy of a protected table, which analysts then query freely. What does not belong to its kind is zero.
type Publication struct {
	Name TableName
	// Of is the protected table.
	Of   TableName
	Kind PublicationKind
	// Quasi are the quasi-identifiers, in the order in which they stand in the file.
	Quasi []string
	// Columns are those that are published, in that order; the quasi-identifiers are among them.
	Columns []string
	// K is the least number of rows of a class.
	K       int
	Epsilon Epsilon
	// Rate is the share of rows that are swapped.
	Rate Share
	// Beta is the probability with which a row is sampled.
	Beta Share
	// Generalise has the width of intervals or the level of the hierarchy for each quasi-identifier, in their order.
	Generalise []int64
	// Hierarchies by quasi-identifier.
	Hierarchies map[string]Hierarchy
	// Compare are the columns that the distance of two rows is over.
	Compare []string
	// OtherQuasi says that a row takes quasi-identifiers that differ from its own; otherwise those of any other row.
	OtherQuasi bool
	// Reconstruct publishes values drawn for generalised ones, instead of intervals and labels.
	Reconstruct bool
	// AcceptNoGuarantee says that the steward knows that the publication protects nobody in a way that can be stated.
	AcceptNoGuarantee bool
}

// A PublicationKind names a mechanism of single rows.
type PublicationKind string

const (
	PublishSwapping       PublicationKind = "swapping"
	PublishDPSwapping     PublicationKind = "dp-swapping"
	PublishDonorSwapping  PublicationKind = "dp-swapping-donor"
	PublishKAnonymity     PublicationKind = "k-anonymity"
	PublishDPKAnonymity   PublicationKind = "dp-k-anonymity"
	PublishSafeKAnonymity PublicationKind = "safe-k-anonymity"
)

// PublicationKinds are all of them.
var PublicationKinds = []PublicationKind{
	PublishSwapping, PublishDPSwapping, PublishDonorSwapping, PublishKAnonymity, PublishDPKAnonymity, PublishSafeKAnonymity,
}

// Generalises says whether the kind publishes intervals and merged categories.
func (k PublicationKind) Generalises() bool {
	return k == PublishKAnonymity || k == PublishDPKAnonymity || k == PublishSafeKAnonymity
}

// needsDomains says whether the kind's guarantee rests on domains that were declared.
func (k PublicationKind) needsDomains() bool {
	return k == PublishDPSwapping || k == PublishSafeKAnonymity
}

// publicationKeys are the keys that belong to a kind, besides those of all kinds. The first ones are required, up to "".
var publicationKeys = map[PublicationKind][]string{
	PublishSwapping:       {"rate", "", "compare", "donors"},
	PublishDPSwapping:     {"epsilon", ""},
	PublishDonorSwapping:  {"epsilon", "rate", "", "compare", "donors"},
	PublishKAnonymity:     {"k", "", "hierarchies", "output"},
	PublishDPKAnonymity:   {"k", "epsilon", "", "hierarchies", "output"},
	PublishSafeKAnonymity: {"k", "epsilon", "beta", "generalise", "", "hierarchies", "output"},
}

// commonKeys are those of all kinds.
var commonKeys = []string{"of", "kind", "quasi", "columns", "accept"}

var publicationRemedies = map[string]string{
	"quasi":      "write quasi: [sex, age], the columns by which somebody may find a person",
	"k":          "write k: 5, the least number of rows with the same quasi-identifiers",
	"epsilon":    "write epsilon: 1",
	"rate":       "write rate: 0.25, the share of rows that are swapped",
	"beta":       "write beta: 0.1, the probability with which a row is sampled",
	"generalise": "write generalise: {age: 10, region: 1}, the width of intervals or the level of the hierarchy for each quasi-identifier",
}

// maxPublicationK and maxDonorEpsilon are the most that the mechanisms take.
const (
	maxPublicationK         = 1_000_000
	maxDonorEpsilon Epsilon = 1000e9
)

// publications decodes the publications of a policy whose tables and analysts are known.
func (d *decoder) publications(n *document.Node, p *Policy) []*Publication {
	o := d.Object(n)
	if o.Node == nil {
		return nil
	}
	if len(o.Node.Entries) == 0 {
		d.Report(o.Node, "nothing is published", "name a publication, or remove the key")
	}
	var all []*Publication
	for _, e := range o.Node.Entries {
		at := e.Value.AtKey()
		name, ok := d.tableName(at, e.Key)
		if ok {
			d.checkPublicationName(at, name, p)
		}
		if slices.ContainsFunc(all, func(c *Publication) bool { return c.Name == name }) {
			d.Report(at, fmt.Sprintf("%v is published twice", name), "remove one")
		}
		if c := d.publication(e.Value, p); c != nil {
			c.Name = name
			all = append(all, c)
		}
	}
	return all
}

// reportSchema is the one whose relations the proxy itself serves (see rewrite.Report): tacit.x is never a table of the server.
const reportSchema = "tacit"

// checkPublicationName keeps publications away from tables that the policy names, and from schemas of protected tables, where the
// publisher must not make tables, in which analysts do, or of which analysts could not name one.
func (d *decoder) checkPublicationName(at *document.Node, name TableName, p *Policy) {
	if _, ok := p.Table(name); ok {
		d.Report(at, fmt.Sprintf("%v is a protected table", name), "publish under another name")
	}
	if i := slices.IndexFunc(p.Tables, func(t *Table) bool { return t.Name.Schema == name.Schema }); i >= 0 {
		d.Report(at, fmt.Sprintf("schema %s holds the protected table %v, and the publisher makes tables in the schema of its publications", name.Schema, p.Tables[i].Name),
			"publish in a schema of its own, such as open."+name.Name)
	}
	if slices.Contains(p.Public, name) {
		d.Report(at, fmt.Sprintf("%v is listed under public", name), "publish under another name")
	}
	if _, ok := p.Analyst(name.Schema); ok {
		d.Report(at, fmt.Sprintf("analyst %s makes tables in schema %s", name.Schema, name.Schema), "publish in a schema of its own, such as open."+name.Name)
	}
	if strings.HasPrefix(name.Schema, "pg_") || name.Schema == "information_schema" {
		d.Report(at, fmt.Sprintf("schema %s belongs to the server", name.Schema), "publish in a schema of its own, such as open."+name.Name)
	}
	if name.Schema == reportSchema {
		d.Report(at, "schema tacit is the proxy's own, and analysts could not name the publication", "publish in a schema of its own, such as open."+name.Name)
	}
}

func (d *decoder) publication(n *document.Node, p *Policy) *Publication {
	o := d.Object(n, "of", "kind", "quasi", "columns", "k", "epsilon", "rate", "beta", "generalise", "hierarchies", "compare", "donors", "output", "accept")
	t := d.publishedTable(o.Required("of", "write of: public.patients, the protected table"), p)
	kindNode := o.Required("kind", "write kind: "+listPublicationKinds())
	kind, ok := d.Text(kindNode)
	keys, known := publicationKeys[PublicationKind(kind)]
	if ok && !known {
		d.Report(kindNode, fmt.Sprintf("%q is no kind of publication", kind), "use "+listPublicationKinds())
	}
	if t == nil || !known {
		return nil
	}
	d.checkKeys(o, kind, append(slices.Clone(keys), commonKeys...), publicationRemedies)
	c := &Publication{Of: t.Name, Kind: PublicationKind(kind)}
	before := len(d.Errors)
	c.Quasi = d.listedColumns(o.Required("quasi", publicationRemedies["quasi"]), t, publicationRemedies["quasi"])
	d.publishedColumns(o, c, t)
	d.publicationParameters(o, c)
	if len(d.Errors) > before || len(c.Quasi) == 0 {
		return nil
	}
	d.publicationDomains(o, c, t)
	d.publicationGuarantee(o, c, t)
	return c
}

func listPublicationKinds() string {
	names, last := PublicationKinds[:len(PublicationKinds)-1], PublicationKinds[len(PublicationKinds)-1]
	return listed(names) + " or " + string(last)
}

// publishedTable returns the protected table of a publication; nil if there is none.
func (d *decoder) publishedTable(n *document.Node, p *Policy) *Table {
	text, ok := d.Text(n)
	if !ok {
		return nil
	}
	name, ok := d.tableName(n, text)
	if !ok {
		return nil
	}
	t, ok := p.Table(name)
	if !ok {
		d.Report(n, fmt.Sprintf("%v is not a protected table of this policy", name), "name one that stands under tables")
	}
	if ok && t.Mechanism.Kind == Audit {
		d.Report(n, fmt.Sprintf("exact counts of %v are shown, and its auditor knows nothing of what a copy tells besides", name),
			"remove the publication, or count the table by another kind")
		return nil
	}
	return t
}

// publishedColumns decodes which columns are published, and which are compared: all by default.
func (d *decoder) publishedColumns(o document.Object, c *Publication, t *Table) {
	columnsNode := o.Optional("columns")
	c.Columns = d.listedColumns(columnsNode, t, "list what is published, or remove the key")
	if columnsNode == nil {
		for _, column := range t.Columns {
			c.Columns = append(c.Columns, column.Name)
		}
	}
	for _, name := range c.Quasi {
		if !slices.Contains(c.Columns, name) && columnsNode != nil && columnsNode.Kind == document.Sequence {
			d.Report(columnsNode, fmt.Sprintf("the quasi-identifier %q is not published", name), "add it, or take it out of quasi")
		}
	}
	if c.Kind == PublishSwapping || c.Kind == PublishDonorSwapping {
		c.Compare = d.listedColumns(o.Optional("compare"), t, "list columns, or remove the key")
		if c.Compare == nil {
			c.Compare = c.Columns
		}
	}
}

// publicationParameters decodes what belongs to single kinds. That a key belongs to the kind was checked.
func (d *decoder) publicationParameters(o document.Object, c *Publication) {
	c.K = d.Integer(o.Optional("k"), 2, maxPublicationK, 5)
	if !c.Kind.Generalises() {
		c.K = 0
	}
	epsilonNode := o.Optional("epsilon")
	c.Epsilon = d.epsilon(epsilonNode)
	if c.Kind == PublishDonorSwapping && c.Epsilon > maxDonorEpsilon {
		d.Report(epsilonNode, fmt.Sprintf("epsilon is above %v, at which the nearest row is all but certain", maxDonorEpsilon), "lower it")
	}
	c.Rate = d.share(o.Optional("rate"), OneShare, "0.25")
	c.Beta = d.share(o.Optional("beta"), OneShare-1, "0.1")
	c.OtherQuasi = c.Compare != nil && d.Choice(o.Optional("donors"), "other-quasi", "any-record") == "other-quasi"
	c.Reconstruct = d.Choice(o.Optional("output"), "intervals", "values") == "values"
	if accept := o.Optional("accept"); accept != nil {
		c.AcceptNoGuarantee = d.Choice(accept, "no-guarantee") == "no-guarantee"
	}
}

// publicationDomains decodes hierarchies and generalisations, and reports domains that are needed and unknown.
func (d *decoder) publicationDomains(o document.Object, c *Publication, t *Table) {
	before := len(d.Errors)
	c.Hierarchies = d.hierarchies(o.Optional("hierarchies"), func(at *document.Node, name string) (Column, bool) {
		if !slices.Contains(c.Quasi, name) {
			d.Report(at, fmt.Sprintf("%q is not among the quasi-identifiers", name), "list it under quasi, or remove it")
			return Column{}, false
		}
		column, _ := t.column(name)
		return column, true
	})
	if c.Kind.needsDomains() {
		for _, name := range c.undeclared(t) {
			if len(d.Errors) == before {
				d.Report(o.Optional("quasi"), fmt.Sprintf("the values of %q are unknown, and learning them from the rows would tell of rows", name),
					"declare values, values_from or a range under columns of "+t.Name.String())
			}
		}
	}
	if n := o.Optional("generalise"); n != nil && len(d.Errors) == before {
		c.Generalise = d.generalise(n, c, t)
	}
}

func (d Domain) unknown() bool { return d.Values == nil && d.ValuesFrom == nil && d.Range == nil }

// generalise decodes how each quasi-identifier is generalised.
func (d *decoder) generalise(n *document.Node, c *Publication, t *Table) []int64 {
	o := d.Object(n, c.Quasi...)
	if o.Node == nil {
		return nil
	}
	var all []int64
	for _, name := range c.Quasi {
		column, _ := t.column(name)
		if column.Domain.Range != nil {
			width := o.Required(name, fmt.Sprintf("write %s: 10, the width of its intervals", name))
			most := column.Domain.Range.Last - column.Domain.Range.First + 1
			all = append(all, int64(d.Integer(width, 1, int(most), 1)))
			continue
		}
		depth := 1
		if h, ok := c.Hierarchies[name]; ok {
			depth = h.Depth()
		}
		level := o.Required(name, fmt.Sprintf("write %s: 1, its level: 0 is all values together, %d each by itself", name, depth))
		all = append(all, int64(d.Integer(level, 0, depth, depth)))
	}
	return all
}

// Guaranteed says whether the publication has an (epsilon, delta) guarantee that a budget can be charged with, under the
// adjacency of its table t. why says what is in its way, if its kind can have one. Package release has it from the mechanism, and
// compares; how small the delta of safe-k-anonymity is, if nothing but quasi-identifiers is published, only the mechanism knows.
func (c *Publication) Guaranteed(t *Table) (ok bool, why string) {
	switch c.Kind {
	case PublishDPSwapping, PublishSafeKAnonymity:
	default:
		return false, ""
	}
	switch {
	case t.Person != nil:
		return false, "a person may have several rows"
	case len(c.Columns) > len(c.Quasi):
		return false, "columns that are no quasi-identifiers are published as they are"
	case c.Kind == PublishDPSwapping && t.Adjacency != ReplaceOne:
		return false, "the number of rows is published, which the table's adjacency, " + string(t.Adjacency) + ", protects"
	}
	return true, ""
}

// undeclared are the quasi-identifiers whose values nobody has declared.
func (c *Publication) undeclared(t *Table) (names []string) {
	for _, name := range c.Quasi {
		column, _ := t.column(name)
		if _, ok := c.Hierarchies[name]; !ok && column.Domain.unknown() {
			names = append(names, name)
		}
	}
	return names
}

// publicationGuarantee reports a publication without a guarantee that was not accepted, and one that the budget never covers.
func (d *decoder) publicationGuarantee(o document.Object, c *Publication, t *Table) {
	guaranteed, why := c.Guaranteed(t)
	switch accept := o.Optional("accept"); {
	case guaranteed && accept != nil:
		d.Report(accept, "this publication has a guarantee", "remove the key: what it guarantees is charged")
	case guaranteed && c.Epsilon > t.Budget.Epsilon:
		d.Report(o.Optional("epsilon"), fmt.Sprintf("the publication costs %v, more than the budget's %v", c.Epsilon, t.Budget.Epsilon), "lower it, or raise budget.epsilon of "+t.Name.String())
	case guaranteed:
	case accept == nil && why != "":
		o.Required("accept", fmt.Sprintf("this publication has no guarantee, because %s; change that, or write accept: no-guarantee", why))
	case accept == nil:
		o.Required("accept", "this kind protects nobody in a way that can be stated; write accept: no-guarantee if you know that, or use safe-k-anonymity with columns that are all quasi-identifiers")
	case t.Budget.Releases == 0:
		d.Report(o.Node, "no epsilon describes this publication, and the budget of "+t.Name.String()+" allows no releases without a guarantee",
			"write releases: 10 there")
	}
}
