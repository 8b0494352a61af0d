package assess

import (
	"context"
	"errors"

	"tacit/policy"
	"tacit/release/internal/audited"
	"tacit/release/seal"
	"tacit/rewrite/pgerror"
)

// A Forecast says what would become of a statement about an audited table, which is asked of an auditor in memory. It is for the steward
// alone: before the first epoch it is made with the true counts.
type Forecast struct {
	Statement string
	// Refused says why the statement is not answered at all; "" if it is.
	Refused string
	// Total counts are in its cells. Shown of them are released, follow from released ones, are certified or public; Dependent ones are
	// decided by answers that are not known before they are asked for.
	Total, Shown, Suppressed, Dependent int
	Risk                                policy.Risk
	// Reasons say why counts are suppressed, each once.
	Reasons []string
	// Alarm says why nothing new is released from then on; "" while there is no alarm.
	Alarm string
}

// Forecasts are those of statements in their order. Before the first epoch each is asked on what those before it released; afterwards, as if
// it came next. Nothing is charged or written.
func Forecasts(ctx context.Context, p *policy.Policy, table policy.TableName, statements []string) (forecasts []Forecast, inOrder bool, err error) {
	rehearsal, err := seal.Rehearse(ctx, p, table)
	if err != nil {
		return nil, false, err
	}
	err = inspect(ctx, p, func(w inspecting) error {
		for _, sql := range statements {
			f, err := w.forecast(ctx, rehearsal, table, sql)
			if err != nil {
				return err
			}
			f.Statement, f.Alarm = sql, rehearsal.State.Alarm()
			forecasts = append(forecasts, f)
		}
		return nil
	})
	return forecasts, rehearsal.Counts != nil, err
}

// forecast asks one statement. One that would be refused is no error.
func (w *inspecting) forecast(ctx context.Context, r *audited.Rehearsal, table policy.TableName, sql string) (Forecast, error) {
	queries, err := w.bind(ctx, sql)
	var wrong *RequestError
	var refusal *pgerror.Refusal
	if errors.As(err, &wrong) {
		return Forecast{Refused: wrong.Error()}, nil
	}
	if err != nil {
		return Forecast{}, err
	}
	for _, q := range queries {
		if q.Table.Policy.Name != table {
			return Forecast{Refused: "it counts table " + q.Table.Policy.Name.String() + ", which is not forecast here"}, nil
		}
	}
	asked, err := r.Predict(ctx, w.inspection.Snapshot, queries, w.state.Policy.Limits.Cells)
	if errors.As(err, &refusal) {
		return Forecast{Refused: stewardError(refusal).Error()}, nil
	}
	if err != nil {
		return Forecast{}, err
	}
	total := asked.Total() + asked.Dependent
	return Forecast{Total: total, Shown: asked.Total() - asked.Suppressed, Suppressed: asked.Suppressed, Dependent: asked.Dependent,
		Risk: asked.Risk, Reasons: asked.Reasons}, nil
}
