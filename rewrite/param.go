package rewrite

import (
	"fmt"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// maxParams is the most parameters that the protocol has.
const maxParams = 65535

// parameters learns the types of a statement's parameters in the order in which PostgreSQL's parse analysis does
// (parse_param.c): the first context that needs a type gives it.
type parameters struct {
	declared []uint32
	// casts are the types of $n::type in the whole statement, by the first such cast, with the place of it.
	casts    map[int]typeOID
	castLocs map[int]int32
	// types are those of the parameters in protected parts.
	types   map[int]typeOID
	highest int
}

func newParameters(declared []uint32) *parameters {
	return &parameters{
		declared: declared,
		casts:    make(map[int]typeOID),
		castLocs: make(map[int]int32),
		types:    make(map[int]typeOID),
		highest:  len(declared),
	}
}

// typeOf is the parameter's type as far as it is known.
func (p *parameters) typeOf(n int) typeOID {
	if n <= len(p.declared) && p.declared[n-1] != oidUnspecified && p.declared[n-1] != oidUnknown {
		return p.declared[n-1]
	}
	if t, ok := p.types[n]; ok {
		return t
	}
	return oidUnknown
}

// want notes that an operand stands where a type is needed; it counts if the operand is a parameter without a type.
func (p *parameters) want(o operand, t typeOID) {
	if o.param == 0 {
		return
	}
	if known := p.typeOf(o.param); known != oidUnknown {
		t = known
	} else if cast, ok := p.casts[o.param]; ok && o.cast == 0 && p.castLocs[o.param] < o.loc {
		t = cast
	}
	p.types[o.param] = t
}

// see notes a parameter anywhere in the statement.
func (p *parameters) see(n *pg.ParamRef) *Refusal {
	if refusal := checkParam(n); refusal != nil {
		return refusal
	}
	p.highest = max(p.highest, int(n.GetNumber()))
	return nil
}

// seeCast notes a cast of a parameter anywhere in the statement.
func (p *parameters) seeCast(t *pg.TypeCast) {
	n := int(t.GetArg().GetParamRef().GetNumber())
	if _, seen := p.casts[n]; n == 0 || seen {
		return
	}
	oid, array, refusal := castType(t.GetTypeName())
	if refusal != nil {
		return
	}
	if array {
		element, _ := builtinType(oid)
		oid = element.array
	}
	p.casts[n], p.castLocs[n] = oid, t.GetArg().GetParamRef().GetLocation()
}

// oids lists the types of all parameters: declared, inferred, or 0.
func (p *parameters) oids() []uint32 {
	oids := make([]uint32, p.highest)
	copy(oids, p.declared)
	for n, t := range p.types {
		if oids[n-1] == oidUnspecified || oids[n-1] == oidUnknown {
			oids[n-1] = t
		}
	}
	return oids
}

func checkParam(n *pg.ParamRef) *Refusal {
	if n.GetNumber() < 1 || n.GetNumber() > maxParams {
		return at(n.GetLocation(), &Refusal{Code: "42P02", Message: fmt.Sprintf("there is no parameter $%d", n.GetNumber())})
	}
	return nil
}
