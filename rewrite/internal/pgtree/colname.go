package pgtree

import pg "github.com/pganalyze/pg_query_go/v6"

// ColumnName is the name that PostgreSQL gives a column of a select list that has no AS: FigureColname in parse_target.c. The
// name must be computed before counts are replaced by references to cells. known is false if the name depends on a table's columns.
func ColumnName(n *pg.Node) (name string, known bool) {
	f := figure(n)
	if f.unknown {
		return "", false
	}
	if f.strength == 0 {
		return "?column?", true
	}
	return f.name, true
}

// A figured name is strong (2) if it comes from the expression itself, weak (1) if from a type or a CASE, which an
// inner strong name overrides.
type figured struct {
	name     string
	strength int
	unknown  bool
}

func weak(name string) figured { return figured{name: name, strength: 1} }

func strong(name string) figured { return figured{name: name, strength: 2} }

// named is a strong name, none if it is empty.
func named(name string) figured {
	if name == "" {
		return figured{}
	}
	return strong(name)
}

// figure is FigureColnameInternal.
func figure(n *pg.Node) figured {
	switch n := n.GetNode().(type) {
	case *pg.Node_ColumnRef:
		return figureFields(n.ColumnRef.GetFields())
	case *pg.Node_AIndirection:
		if f := figureFields(n.AIndirection.GetIndirection()); f.strength > 0 {
			return f
		}
		return figure(n.AIndirection.GetArg())
	case *pg.Node_FuncCall:
		names := Strings(n.FuncCall.GetFuncname())
		return strong(names[len(names)-1])
	case *pg.Node_AExpr:
		if n.AExpr.GetKind() == pg.A_Expr_Kind_AEXPR_NULLIF {
			return strong("nullif")
		}
	case *pg.Node_TypeCast:
		f := figure(n.TypeCast.GetArg())
		if names := Strings(n.TypeCast.GetTypeName().GetNames()); f.strength <= 1 && !f.unknown && len(names) > 0 {
			return weak(names[len(names)-1])
		}
		return f
	case *pg.Node_CollateClause:
		return figure(n.CollateClause.GetArg())
	case *pg.Node_GroupingFunc:
		return strong("grouping")
	case *pg.Node_SubLink:
		return figureSubLink(n.SubLink)
	case *pg.Node_CaseExpr:
		if f := figure(n.CaseExpr.GetDefresult()); f.strength > 1 || f.unknown {
			return f
		}
		return weak("case")
	case *pg.Node_AArrayExpr:
		return strong("array")
	case *pg.Node_RowExpr:
		return strong("row")
	case *pg.Node_CoalesceExpr:
		return strong("coalesce")
	case *pg.Node_MinMaxExpr:
		if n.MinMaxExpr.GetOp() == pg.MinMaxOp_IS_GREATEST {
			return strong("greatest")
		}
		return strong("least")
	case *pg.Node_SqlvalueFunction:
		return named(valueFunctionNames[n.SqlvalueFunction.GetOp()])
	case *pg.Node_XmlExpr:
		return named(xmlNames[n.XmlExpr.GetOp()])
	case *pg.Node_XmlSerialize:
		return strong("xmlserialize")
	}
	return figured{}
}

// figureFields takes the last name of a dotted list, passing over subscripts and stars.
func figureFields(fields []*pg.Node) figured {
	for i := len(fields) - 1; i >= 0; i-- {
		if s := fields[i].GetString_(); s != nil {
			return strong(s.GetSval())
		}
	}
	return figured{}
}

func figureSubLink(l *pg.SubLink) figured {
	switch l.GetSubLinkType() {
	case pg.SubLinkType_EXISTS_SUBLINK:
		return strong("exists")
	case pg.SubLinkType_ARRAY_SUBLINK:
		return strong("array")
	case pg.SubLinkType_EXPR_SUBLINK:
		return figureSelect(l.GetSubselect().GetSelectStmt())
	}
	return figured{}
}

// figureSelect is the name of a sub-select's first column. With a star it is some table's.
func figureSelect(s *pg.SelectStmt) figured {
	for s.GetLarg() != nil {
		s = s.GetLarg()
	}
	if len(s.GetValuesLists()) > 0 {
		return strong("column1")
	}
	if len(s.GetTargetList()) == 0 {
		return figured{}
	}
	target := s.GetTargetList()[0].GetResTarget()
	if target.GetName() != "" {
		return strong(target.GetName())
	}
	if star := target.GetVal().GetColumnRef().GetFields(); len(star) > 0 && star[len(star)-1].GetAStar() != nil {
		return figured{unknown: true}
	}
	if target.GetVal().GetAIndirection() != nil {
		steps := target.GetVal().GetAIndirection().GetIndirection()
		if len(steps) > 0 && steps[len(steps)-1].GetAStar() != nil {
			return figured{unknown: true}
		}
	}
	name, known := ColumnName(target.GetVal())
	return figured{name: name, strength: 2, unknown: !known}
}

// valueFunctionNames are those of CURRENT_DATE and the like.
var valueFunctionNames = map[pg.SQLValueFunctionOp]string{
	pg.SQLValueFunctionOp_SVFOP_CURRENT_DATE:        "current_date",
	pg.SQLValueFunctionOp_SVFOP_CURRENT_TIME:        "current_time",
	pg.SQLValueFunctionOp_SVFOP_CURRENT_TIME_N:      "current_time",
	pg.SQLValueFunctionOp_SVFOP_CURRENT_TIMESTAMP:   "current_timestamp",
	pg.SQLValueFunctionOp_SVFOP_CURRENT_TIMESTAMP_N: "current_timestamp",
	pg.SQLValueFunctionOp_SVFOP_LOCALTIME:           "localtime",
	pg.SQLValueFunctionOp_SVFOP_LOCALTIME_N:         "localtime",
	pg.SQLValueFunctionOp_SVFOP_LOCALTIMESTAMP:      "localtimestamp",
	pg.SQLValueFunctionOp_SVFOP_LOCALTIMESTAMP_N:    "localtimestamp",
	pg.SQLValueFunctionOp_SVFOP_CURRENT_ROLE:        "current_role",
	pg.SQLValueFunctionOp_SVFOP_CURRENT_USER:        "current_user",
	pg.SQLValueFunctionOp_SVFOP_USER:                "user",
	pg.SQLValueFunctionOp_SVFOP_SESSION_USER:        "session_user",
	pg.SQLValueFunctionOp_SVFOP_CURRENT_CATALOG:     "current_catalog",
	pg.SQLValueFunctionOp_SVFOP_CURRENT_SCHEMA:      "current_schema",
}

// xmlNames are those of the XML expressions; IS DOCUMENT has none.
var xmlNames = map[pg.XmlExprOp]string{
	pg.XmlExprOp_IS_XMLCONCAT:    "xmlconcat",
	pg.XmlExprOp_IS_XMLELEMENT:   "xmlelement",
	pg.XmlExprOp_IS_XMLFOREST:    "xmlforest",
	pg.XmlExprOp_IS_XMLPARSE:     "xmlparse",
	pg.XmlExprOp_IS_XMLPI:        "xmlpi",
	pg.XmlExprOp_IS_XMLROOT:      "xmlroot",
	pg.XmlExprOp_IS_XMLSERIALIZE: "xmlserialize",
}
