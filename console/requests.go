package console

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release/acts"
)

// This file is what analysts ask of stewards: more budget. The ledger keeps it, few of each analyst, and stewards find it at Acts. Start at ask.

var errNoRequest = &refusal{http.StatusForbidden, "Analysts ask for budget here. Their requests are at Acts."}

func onlyAnalysts(make maker) maker {
	return func(v *visit) (*page, error) {
		if !v.person.IsAnalyst() {
			return nil, errNoRequest
		}
		return make(v)
	}
}

type requestsContent struct {
	actForm
	Tables         []policy.TableName
	Field, Problem string
	Token          string
	Requests       []ledger.Request // her own
}

func (v *visit) requestsPage() (*page, error) {
	return v.requestForm(actForm{Table: v.r.URL.Query().Get("table")}, nil)
}

// requestForm shows an analyst the form, with what is wrong with it, and her requests.
func (v *visit) requestForm(form actForm, problem error) (*page, error) {
	content := requestsContent{actForm: form, Token: v.token(v.r.Context())}
	for _, t := range v.policy.Tables {
		if t.Mechanism.Kind != policy.Audit { // whose budget cannot be granted
			content.Tables = append(content.Tables, t.Name)
		}
	}
	if problem != nil {
		v.status, content.Problem = http.StatusBadRequest, problem.Error()
		if field := (*acts.FieldError)(nil); errors.As(problem, &field) {
			content.Field, content.Problem = field.Field, field.Problem
		}
		if errors.Is(problem, ledger.ErrManyRequests) {
			v.status = http.StatusTooManyRequests
		}
	}
	all, err := v.ledger.Requests(v.r.Context())
	for _, r := range all {
		if r.Analyst == v.person.Name {
			r.At = v.shownTime(r.At)
			content.Requests = append(content.Requests, r)
		}
	}
	return &page{"requests", "Requests", content}, err
}

// ask writes an analyst's request into the ledger.
func (v *visit) ask() (*page, error) {
	form := actFormOf(v.r.PostFormValue)
	form.Kind, form.Analyst, form.Asked = acts.Grant, "", ""
	request, err := form.request()
	if err != nil {
		return v.requestForm(form, err)
	}
	table, amount, err := acts.CheckAsked(v.policy, request)
	if err != nil {
		return v.requestForm(form, err)
	}
	// One who has asked too much opens no ledger to be written, and one analyst after the other does.
	if err := v.ledger.MayRequest(v.r.Context(), v.person.Name); errors.Is(err, ledger.ErrManyRequests) {
		return v.requestForm(form, err)
	} else if err != nil {
		return nil, err
	}
	select {
	case v.asking <- struct{}{}:
		defer func() { <-v.asking }()
	case <-v.r.Context().Done():
		return nil, v.r.Context().Err()
	}
	err = v.writes(func(ctx context.Context) error {
		l, err := ledger.Open(ctx, ledger.Options{Location: v.policy.Ledger, Role: ledger.Steward, Existing: true})
		if err != nil {
			return err
		}
		_, err = l.Request(ctx, v.person.Name, table, amount, strings.TrimSpace(form.Reason))
		return errors.Join(err, l.Close())
	})
	if errors.Is(err, ledger.ErrManyRequests) {
		return v.requestForm(form, ledger.ErrManyRequests)
	}
	if err != nil {
		return nil, err
	}
	http.Redirect(v.w, v.r, "/requests", http.StatusSeeOther)
	return nil, nil
}

// openRequests adds the requests that wait for an answer, and the one that the form answers.
func (v *visit) openRequests(content *actsContent) error {
	all, err := v.ledger.Requests(v.r.Context())
	for _, r := range all {
		if r.Outcome != "" {
			continue
		}
		content.Requests = append(content.Requests, r)
		if strconv.FormatInt(r.Entry, 10) == content.Asked {
			content.Answers = &r
		}
	}
	return err
}

// prefill fills in the form of an answer to a request.
func (v *visit) prefill(form *actForm) error {
	if form.Asked == "" {
		return nil
	}
	all, err := v.ledger.Requests(v.r.Context())
	if err != nil {
		return err
	}
	for _, r := range all {
		if strconv.FormatInt(r.Entry, 10) != form.Asked || r.Outcome != "" {
			continue
		}
		form.Table, form.Analyst = r.Table.String(), r.Analyst
		if form.Kind == acts.Decline {
			return nil
		}
		analyst, _ := v.policy.Analyst(r.Analyst)
		if limit := analyst.Budget; limit == nil || r.Amount.Epsilon > 0 && limit.Epsilon == policy.NoEpsilonCap ||
			r.Amount.Delta > 0 && limit.Delta == policy.NoDeltaCap || r.Amount.Releases > 0 && limit.Releases == policy.NoReleasesCap {
			form.Analyst = "" // she has no cap that could be raised
		}
		if r.Amount.Epsilon > 0 {
			form.Epsilon = r.Amount.Epsilon.String()
		}
		if r.Amount.Delta > 0 {
			form.Delta = r.Amount.Delta.String()
		}
		if r.Amount.Releases > 0 {
			form.Releases = strconv.FormatInt(r.Amount.Releases, 10)
		}
		return nil
	}
	return &refusal{http.StatusNotFound, "That request was answered already, or is not known any more."}
}
