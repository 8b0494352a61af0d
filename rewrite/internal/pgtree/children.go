package pgtree

import (
	"reflect"
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// A branch is a field of a message with messages below it.
type branch struct {
	field int
	kind  reflect.Kind // Pointer: one; Slice: several; Interface: one of several things, of which some are messages
}

// A form is how a type of message is made.
type form struct {
	branches []branch
	leaves   []int // the other fields, but for places in the text
}

// forms has those of all types of messages that a tree is made of. Protobuf's own reflection looks at every field of a message, of
// which most hold nothing: that took half of the time in which a statement is read.
var forms = findForms()

func findForms() map[reflect.Type]*form {
	found := make(map[reflect.Type]*form)
	messages := pg.File_pg_query_proto.Messages()
	for i := range messages.Len() {
		m, err := protoregistry.GlobalTypes.FindMessageByName(messages.Get(i).FullName())
		if err != nil {
			panic(err) // the generated code registers all of its messages
		}
		t := reflect.TypeOf(m.Zero().Interface())
		found[t] = formOf(t.Elem())
	}
	return found
}

func formOf(message reflect.Type) *form {
	f := &form{}
	isMessage := reflect.TypeFor[proto.Message]()
	for i := range message.NumField() {
		field := message.Field(i)
		t := field.Type
		switch {
		case !field.IsExported() || slices.Contains(places, field.Name):
		case t.Kind() == reflect.Interface, t.Kind() == reflect.Pointer && t.Implements(isMessage), t.Kind() == reflect.Slice && t.Elem().Implements(isMessage):
			f.branches = append(f.branches, branch{i, t.Kind()})
		default:
			f.leaves = append(f.leaves, i)
		}
	}
	return f
}

// places are the fields that say where in the text something stands.
var places = []string{"Location", "StmtLocation", "StmtLen"}

// Children calls visit for each message directly below m, in the order of the fields, until it returns false.
func Children(m protoreflect.Message, visit func(protoreflect.Message) bool) {
	message := reflect.ValueOf(m.Interface())
	f := forms[message.Type()]
	if len(f.branches) == 0 || message.IsNil() {
		return
	}
	message = message.Elem()
	for _, b := range f.branches {
		switch v := message.Field(b.field); {
		case b.kind == reflect.Slice:
			for i := range v.Len() {
				if !visit(asMessage(v.Index(i))) {
					return
				}
			}
		case v.IsNil():
		case b.kind == reflect.Interface: // a pointer to a struct of one field
			if chosen := v.Elem().Elem().Field(0); chosen.Kind() == reflect.Pointer && !visit(asMessage(chosen)) {
				return
			}
		case !visit(asMessage(v)):
			return
		}
	}
}

func asMessage(v reflect.Value) protoreflect.Message {
	return v.Interface().(proto.Message).ProtoReflect()
}

// Same reports whether two trees are the same but for the places in the text.
func Same(a, b proto.Message) bool { return same(reflect.ValueOf(a), reflect.ValueOf(b)) }

// same compares two pointers to messages of one type.
func same(a, b reflect.Value) bool {
	if a.IsNil() || b.IsNil() {
		return a.IsNil() && b.IsNil()
	}
	f := forms[a.Type()]
	a, b = a.Elem(), b.Elem()
	for _, leaf := range f.leaves {
		if x, y := a.Field(leaf), b.Field(leaf); x.Comparable() && !x.Equal(y) || !x.Comparable() && !reflect.DeepEqual(x.Interface(), y.Interface()) {
			return false
		}
	}
	for _, branch := range f.branches {
		if !sameBelow(branch, a.Field(branch.field), b.Field(branch.field)) {
			return false
		}
	}
	return true
}

// sameBelow compares a field of two messages.
func sameBelow(of branch, a, b reflect.Value) bool {
	switch of.kind {
	case reflect.Pointer:
		return same(a, b)
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	}
	if a.IsNil() || b.IsNil() {
		return a.IsNil() && b.IsNil()
	}
	if a.Elem().Type() != b.Elem().Type() {
		return false
	}
	a, b = a.Elem().Elem().Field(0), b.Elem().Elem().Field(0)
	if a.Kind() == reflect.Pointer {
		return same(a, b)
	}
	return a.Equal(b)
}
