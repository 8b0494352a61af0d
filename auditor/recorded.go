package auditor

// Decisions are what a round of the log decided, and how many counts it opened. Other events have none.
func (e Event) Decisions() (decisions []Decision, opened int, err error) {
	if e.Kind != EventRound {
		return nil, 0, nil
	}
	r, err := decodeRound(e.Payload)
	if err != nil {
		return nil, 0, err
	}
	return r.decisions, len(r.open), nil
}
