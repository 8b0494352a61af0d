package rewrite

import (
	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
)

// maxParams is the most parameters that the protocol has.
const maxParams = 65535

// parameters learns the types of a statement's parameters as PostgreSQL's parse analysis does (parse_param.c): the first context
// that needs a type gives it.
//
// This package knows that order within one protected SELECT, where it reads the contexts in the same one. What stands outside, it
// neither types nor orders. So a parameter that was given no type must get the same from each SELECT alone, and from each cast
// outside, and stand nowhere else.
type parameters struct {
	declared []uint32
	// uses are all places where a parameter stands, in the order of the walk.
	uses  []*parameterUse
	byRef map[*pg.ParamRef]*parameterUse
	// types are those of the parameters in protected SELECTs, selected those in the one that is being read.
	types, selected map[int]pgvalue.OID
	// disagree are the parameters to which SELECTs give different types.
	disagree map[int]bool
	highest  int
	// fixed are the expressions without columns, probes what else the analyst's session is to look at.
	fixed        []*expr.Fixed
	serverChecks []*expr.Call
	// ownSelect prints a sub-select for the analyst's session.
	ownSelect func(*pg.Node) (string, *pgerror.Refusal)
	// ofPersons reads a sub-select of a protected table about the persons of a source; found is false of other sub-selects.
	ofPersons func(*pg.SubLink, *source) (p expr.Predicate, found bool, refusal *pgerror.Refusal)
	// valueOf reads a sub-select that is an aggregate of what the person of a row has in a protected table.
	valueOf func(*pg.SubLink, *source) (o expr.Operand, found bool, refusal *pgerror.Refusal)
}

// A parameterUse is a $n in a statement.
type parameterUse struct {
	ref  *pg.ParamRef
	cast pgvalue.OID // of $n::type, 0 if there is none, or none of our types
	read bool        // in a condition
}

func newParameters(declared []uint32) *parameters {
	return &parameters{
		declared: declared,
		byRef:    make(map[*pg.ParamRef]*parameterUse),
		types:    make(map[int]pgvalue.OID),
		selected: make(map[int]pgvalue.OID),
		disagree: make(map[int]bool),
		highest:  len(declared),
		valueOf: func(*pg.SubLink, *source) (o expr.Operand, found bool, refusal *pgerror.Refusal) {
			return o, false, nil
		},
	}
}

// declaredType is the type that a parameter was given, Unknown if none.
func (p *parameters) declaredType(n int) pgvalue.OID {
	if n <= len(p.declared) && p.declared[n-1] != pgvalue.Unspecified {
		return p.declared[n-1]
	}
	return pgvalue.Unknown
}

// TypeOf is the parameter's type as far as it is known.
func (p *parameters) typeOf(n int) pgvalue.OID {
	if t := p.declaredType(n); t != pgvalue.Unknown {
		return t
	}
	if t, ok := p.selected[n]; ok {
		return t
	}
	return pgvalue.Unknown
}

// want notes that an operand stands where a type is needed; it counts if the operand is a parameter without a type.
func (p *parameters) want(o expr.Operand, t pgvalue.OID) {
	if o.Param == 0 {
		return
	}
	if known := p.typeOf(o.Param); known != pgvalue.Unknown {
		t = known
	}
	p.selected[o.Param] = t
}

// endSelect returns the types of the parameters of the protected SELECT that was read, and forgets them for the next.
func (p *parameters) endSelect() map[int]pgvalue.OID {
	selected := p.selected
	for n, t := range selected {
		if other, ok := p.types[n]; ok && other != t {
			p.disagree[n] = true
		}
		p.types[n] = t
	}
	p.selected = make(map[int]pgvalue.OID)
	return selected
}

// see notes the parameters of a statement.
func (p *parameters) see(m protoreflect.Message, cast pgvalue.OID) (refusal *pgerror.Refusal) {
	switch v := m.Interface().(type) {
	case *pg.ParamRef:
		use := &parameterUse{ref: v, cast: cast}
		p.uses = append(p.uses, use)
		p.byRef[v] = use
		p.highest = max(p.highest, int(v.GetNumber()))
		return checkParam(v)
	case *pg.TypeCast:
		if ref := v.GetArg().GetParamRef(); ref != nil {
			return p.see(ref.ProtoReflect(), castOID(v.GetTypeName()))
		}
	}
	pgtree.Children(m, func(child protoreflect.Message) bool {
		refusal = p.see(child, pgvalue.Unspecified)
		return refusal == nil
	})
	return refusal
}

// castOID is the type, perhaps an array, that a cast names, 0 if it is none of ours.
func castOID(t *pg.TypeName) pgvalue.OID {
	oid, array, refusal := pgvalue.CastType(t)
	if refusal != nil {
		return pgvalue.Unspecified
	}
	if array {
		element, _ := pgvalue.BuiltinType(oid)
		return element.Array
	}
	return oid
}

// read notes that a condition has read a parameter.
func (p *parameters) read(ref *pg.ParamRef) {
	if use := p.byRef[ref]; use != nil {
		use.read = true
	}
}

// readAll notes that the parameters within an expression were read where it is a key.
func (p *parameters) readAll(m protoreflect.Message) {
	for ref := range pgtree.Nodes[*pg.ParamRef](m) {
		p.read(ref)
	}
}

// agree refuses parameters of protected SELECTs whose type may be another to PostgreSQL, since it meets them elsewhere first.
func (p *parameters) agree() *pgerror.Refusal {
	for _, use := range p.uses {
		n := int(use.ref.GetNumber())
		t, selected := p.types[n]
		if !selected || p.declaredType(n) != pgvalue.Unknown {
			continue
		}
		if p.disagree[n] || !use.read && use.cast != t {
			return pgerror.At(use.ref.GetLocation(), parameterShared.With(n, pgvalue.ShownType(t)))
		}
	}
	return nil
}

// oids lists the types of all parameters: declared, inferred, or 0.
func (p *parameters) oids() []uint32 {
	oids := make([]uint32, p.highest)
	copy(oids, p.declared)
	for n, t := range p.types {
		if oids[n-1] == pgvalue.Unspecified || oids[n-1] == pgvalue.Unknown {
			oids[n-1] = t
		}
	}
	return oids
}

func checkParam(n *pg.ParamRef) *pgerror.Refusal {
	if n.GetNumber() < 1 || n.GetNumber() > maxParams {
		return parameterUnknown.At(n.GetLocation(), n.GetNumber())
	}
	return nil
}

func (p *parameters) addFixed(c *expr.Call) expr.Operand {
	f := &expr.Fixed{Call: c, Index: len(p.fixed)}
	p.fixed = append(p.fixed, f)
	return expr.Operand{Fixed: f, Loc: c.Loc}
}

func (p *parameters) addServerCheck(c *expr.Call) { p.serverChecks = append(p.serverChecks, c) }
