package proxy

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"tacit/rewrite"
)

// parse deals with a Parse.
func (in *inbound) parse() (ready bool, err error) {
	limit := in.s.limits().StatementBytes
	if in.size > headerBytes+limit+parseOverhead {
		return true, in.refuse(parseRequest, in.refuseTooLong())
	}
	body, ok := in.body(in.size - headerBytes)
	if !ok {
		return false, nil
	}
	m, ok := decodeParse(body)
	switch {
	case !ok:
		return true, in.refuse(parseRequest, refuseMalformed())
	case len(m.text) > limit:
		return true, in.refuse(parseRequest, in.refuseTooLong())
	case !in.mentions(m.text):
		return true, in.relayParse(m.name, nil)
	}
	return true, in.skippable(in.protectedParse(m))
}

// relayParse lets a Parse through. becomes is what its statement is to be remembered as, if at all.
func (in *inbound) relayParse(name string, becomes *statement) error {
	if becomes == nil && !in.concerned(name) {
		return in.relay(parseRequest, nil)
	}
	return in.relay(parseRequest, in.affecting(nil, &effect{name: name, becomes: becomes, always: name == ""}))
}

// protectedParse deals with a Parse that may concern a protected table. Nothing is answered before the statement is bound.
func (in *inbound) protectedParse(m parseMessage) error {
	if err := in.prepareToAsk(); err != nil {
		return err
	}
	if in.s.replies.inFailedBlock() {
		return in.relayParse(m.name, nil)
	}
	verdict, err := in.verdict(m.text, true, m.paramOIDs)
	if err != nil {
		return in.failAs(parseRequest, err)
	}
	switch v := verdict.(type) {
	case *rewrite.Relay:
		return in.relayParse(m.name, nil)
	case *rewrite.Masked:
		return in.maskParse(m, v)
	case *rewrite.Forget:
		if in.tooManyStatements() {
			return in.refuse(parseRequest, refuseTooManyStatements())
		}
		return in.relayParse(m.name, &statement{sql: m.text, effect: forgetting(v)})
	case *rewrite.Refusal:
		return in.refuseParse(m, v)
	case *rewrite.Execute:
		return in.parseExecute(m, v)
	case *rewrite.Answer:
		return in.parseAnswer(m, v)
	}
	panic(fmt.Sprintf("proxy: internal error: verdict %T", verdict))
}

func (in *inbound) refuseParse(m parseMessage, r *rewrite.Refusal) error {
	in.s.proxy.door.Refused(in.s.analyst, m.text, r)
	how := &handling{refusal: r}
	if in.concerned(m.name) {
		how = in.affecting(how, &effect{name: m.name, always: m.name == ""})
	}
	return in.replace(parseRequest, how, parseMessage{name: m.name, text: refusedText}.append(nil))
}

// parseExecute deals with a Parse of EXECUTE. The server takes no parameters there, so each Bind of it brings another text.
func (in *inbound) parseExecute(m parseMessage, v *rewrite.Execute) error {
	st, err := in.lookUp(v.Name)
	switch {
	case err != nil:
		return err
	case !st.protected():
		return in.relayParse(m.name, nil)
	case in.tooManyStatements():
		return in.refuse(parseRequest, refuseTooManyStatements())
	case v.Err != nil:
		return in.refuseParse(m, v.Err)
	}
	return in.relayParse(m.name, &statement{sql: m.text, execute: v, paramOIDs: m.paramOIDs})
}

func (in *inbound) parseAnswer(m parseMessage, v *rewrite.Answer) error {
	if in.tooManyStatements() {
		return in.refuse(parseRequest, refuseTooManyStatements())
	}
	if v.Explain != nil {
		return in.parseExplain(m, v)
	}
	st := in.newStatement(m.text, v)
	rewritten := parseMessage{name: m.name, text: v.Rest.WithParameters(v.Params + 1), paramOIDs: v.ParamOIDs}
	switch {
	case v.Prepare != "":
		st.effect = in.preparing(m.text, v)
		rewritten.paramOIDs = nil // its parameters are those of the statement that it prepares
	case v.Inline:
		rewritten.text = v.Rest.WithLiterals(slices.Repeat([]string{"{}"}, len(v.Rest.Arrays)))
	}
	message := rewritten.append(nil)
	if !fitsMessage(len(message)) {
		return in.refuse(parseRequest, refuseTooLarge())
	}
	how := in.affecting(&handling{rewritten: true}, &effect{name: m.name, becomes: st, always: m.name == ""})
	return in.replace(parseRequest, how, message)
}

// bind deals with a Bind.
func (in *inbound) bind() (ready bool, err error) {
	if !in.remembers {
		return true, in.relay(bindRequest, nil)
	}
	beginning := in.buf[in.r+headerBytes : in.r+min(in.size, in.w-in.r)]
	portal, name, ok := decodeBindNames(beginning)
	switch {
	case ok:
	case len(beginning) < min(in.size-headerBytes, maxNamesBytes):
		in.need = headerBytes + len(beginning) + 1
		return false, nil
	default:
		return true, in.refuse(bindRequest, refuseMalformed())
	}
	st, err := in.lookUp(name)
	switch {
	case err != nil:
		return true, in.skippable(err)
	case !st.protected():
		return true, in.relayBind(portal, st)
	case in.size > headerBytes+maxNamesBytes+in.s.limits().StatementBytes:
		return true, in.refuse(bindRequest, in.refuseTooLong())
	}
	body, ready := in.body(in.size - headerBytes)
	if !ready {
		return false, nil
	}
	delete(in.portals, portal)
	m, ok := decodeBind(body)
	if !ok {
		return true, in.refuse(bindRequest, refuseMalformed())
	}
	return true, in.skippable(in.protectedBind(m, st))
}

// relayBind lets a Bind through. It remembers a portal that holds a statement whose execution has an effect on others.
func (in *inbound) relayBind(portal string, st *statement) error {
	delete(in.portals, portal)
	if st == nil {
		return in.relay(bindRequest, nil)
	}
	if !in.hold(portal, st) {
		return in.refuse(bindRequest, refuseTooManyStatements())
	}
	return in.relay(bindRequest, nil)
}

// hold remembers what a portal holds, ok=false if there are too many.
func (in *inbound) hold(portal string, st *statement) (ok bool) {
	if len(in.portals) >= maxStatements {
		return false
	}
	if in.portals == nil {
		in.portals = make(map[string]*statement)
	}
	in.portals[portal] = st
	return true
}

// protectedBind answers a Bind of a protected statement: the cells become parameters behind the client's own.
func (in *inbound) protectedBind(m bindMessage, st *statement) error {
	if err := in.prepareToAsk(); err != nil {
		return err
	}
	if in.s.replies.inFailedBlock() {
		return in.refuse(bindRequest, refuseInFailedBlock())
	}
	if st.explains() && !in.hold(m.portal, st) {
		return in.refuse(bindRequest, refuseTooManyStatements())
	}
	message, how, err := in.answerBind(m, st)
	var r *rewrite.Refusal
	switch {
	case errors.As(err, &r):
		return in.refuse(bindRequest, r)
	case err != nil:
		return in.failAs(bindRequest, err)
	}
	return in.replace(bindRequest, how, message)
}

// answerBind makes the Bind that is sent in place of the client's. The error may be a *rewrite.Refusal.
func (in *inbound) answerBind(m bindMessage, st *statement) (message []byte, how *handling, err error) {
	if st.execute != nil {
		return in.bindExecute(m, st)
	}
	v := st.answer
	switch {
	case len(m.params) != v.Params:
		return nil, nil, refuseParameterCount(m, v.Params)
	case len(m.params)+len(v.Rest.Arrays) > math.MaxUint16:
		return nil, nil, refuseTooLarge()
	}
	params, err := bindValues(&m, v.ParamOIDs)
	if err != nil {
		return nil, nil, err
	}
	if err := in.confirm(m.name, st); err != nil {
		return nil, nil, err
	}
	if err := in.rehearseBind(v); err != nil {
		return nil, nil, err
	}
	literals, how, err := in.literals(st.sql, v, params)
	if err != nil {
		return nil, nil, err
	}
	if v.Inline {
		err := in.parseAgain(parseMessage{name: m.name, text: v.Rest.WithLiterals(literals), paramOIDs: v.ParamOIDs})
		return m.appendWith(nil, nil), how, err
	}
	message = m.appendWith(nil, literals)
	if !fitsMessage(len(message)) {
		return nil, nil, refuseTooLarge()
	}
	how.tags = nil // of the Execute
	return message, how, nil
}

func refuseParameterCount(m bindMessage, requires int) *rewrite.Refusal {
	return &rewrite.Refusal{
		Code: "08P01",
		Message: fmt.Sprintf("bind message supplies %d parameters, but prepared statement %q requires %d",
			len(m.params), m.name, requires),
	}
}

// bindExecute deals with a Bind of an EXECUTE that was prepared by a Parse. The error may be a *rewrite.Refusal.
func (in *inbound) bindExecute(m bindMessage, st *statement) (message []byte, how *handling, err error) {
	v := st.execute
	executed, err := in.lookUp(v.Name)
	if err != nil {
		return nil, nil, err
	}
	again := parseMessage{name: m.name, text: st.sql, paramOIDs: st.paramOIDs}
	message, how = m.appendWith(nil, nil), &handling{rewritten: true}
	switch {
	case len(m.params) != len(st.paramOIDs):
		return nil, nil, refuseParameterCount(m, len(st.paramOIDs))
	case !executed.protected() && !st.replaced:
		return message, nil, nil
	case !executed.protected():
		st.replaced = false
		return message, how, in.parseAgain(again)
	}
	if r := in.checkExecute(st.sql, v, executed); r != nil {
		return nil, nil, r
	}
	if executed.explains() && !in.hold(m.portal, executed) {
		return nil, nil, refuseTooManyStatements()
	}
	if err := in.confirmExists(m.name); err != nil {
		return nil, nil, err
	}
	if err := in.confirm(v.Name, executed); err != nil {
		return nil, nil, err
	}
	if v.Explain != nil {
		var lines string
		lines, err = in.explain(st.sql, v.Explain, executed.answer, v.Args)
		again.text = v.Explain.WithLiteral(lines)
	} else {
		var literals []string
		literals, how, err = in.executeLiterals(st.sql, v, executed.answer)
		again.text = v.WithLiterals(literals)
	}
	if err != nil {
		return nil, nil, err
	}
	st.replaced = true
	how.tags = nil // of the Execute
	return message, how, in.parseAgain(again)
}

// parseAgain has the server replace a prepared statement of the client's by one with other constants. The error may be a *rewrite.Refusal.
func (in *inbound) parseAgain(m parseMessage) error {
	if !fitsMessage(len(m.append(nil))) {
		return refuseTooLarge()
	}
	var ask question
	if m.name != "" { // the server replaces the unnamed one by itself
		ask.closeStatement(m.name)
	}
	ask.parse(m)
	_, err := in.put(ask)
	return err
}

// bindValues reads the parameters that a count query may use: those whose type is known.
func bindValues(m *bindMessage, oids []uint32) ([]rewrite.Value, error) {
	values := make([]rewrite.Value, len(m.params))
	for i, data := range m.params {
		switch {
		case data == nil:
			values[i].Null = true
		case i < len(oids) && oids[i] != 0:
			value, refusal := rewrite.DecodeParam(oids[i], m.format(i), data)
			if refusal != nil {
				return nil, refusal
			}
			values[i] = value
		}
	}
	return values, nil
}

// describe deals with a Describe. Of a protected statement the client is shown its own parameters only.
func (in *inbound) describe() (ready bool, err error) {
	body, ok := in.body(in.size - headerBytes)
	if !ok {
		return false, nil
	}
	kind, name, ok := decodeTarget(body)
	switch {
	case !ok:
		return true, in.refuse(describePortalRequest, refuseMalformed())
	case kind != 'S':
		return true, in.relay(describePortalRequest, nil)
	}
	st, err := in.lookUp(name)
	if err != nil {
		return true, in.skippable(err)
	}
	if !st.protected() || st.execute != nil {
		return true, in.relay(describeStatementRequest, nil)
	}
	return true, in.relay(describeStatementRequest, &handling{trim: true, params: st.answer.Params})
}

// execute deals with an Execute.
func (in *inbound) execute() (ready bool, err error) {
	if len(in.portals) == 0 {
		return true, in.relay(executeRequest, nil)
	}
	body, ok := in.body(in.size - headerBytes)
	if !ok {
		return false, nil
	}
	portal, ok := decodeExecute(body)
	if !ok {
		return true, in.refuse(executeRequest, refuseMalformed())
	}
	st := in.portals[portal]
	if st == nil {
		return true, in.relay(executeRequest, nil)
	}
	if st.explains() {
		return true, in.relay(executeRequest, &handling{tags: explainTag})
	}
	return true, in.relay(executeRequest, in.affecting(nil, st.effect))
}

// close deals with a Close.
func (in *inbound) close() (ready bool, err error) {
	if !in.remembers {
		return true, in.relay(closeRequest, nil)
	}
	body, ok := in.body(in.size - headerBytes)
	if !ok {
		return false, nil
	}
	kind, name, ok := decodeTarget(body)
	switch {
	case !ok:
		return true, in.refuse(closeRequest, refuseMalformed())
	case kind == 'P':
		delete(in.portals, name)
	case kind == 'S' && in.concerned(name):
		return true, in.relay(closeRequest, in.affecting(nil, &effect{name: name}))
	}
	return true, in.relay(closeRequest, nil)
}
