package books

import "testing"

func TestStatement(t *testing.T) {
	for question, want := range map[string]string{
		"count(*) FROM public.people":                                                         "SELECT count(*) FROM public.people",
		"count(*) FROM public.people GROUP BY (age / 5), sex":                                 "SELECT (age / 5), sex, count(*) FROM public.people GROUP BY (age / 5), sex",
		"count(*) FILTER (WHERE (age > 5)) FROM public.people WHERE (sex = 'F') GROUP BY sex": "SELECT sex, count(*) FILTER (WHERE (age > 5)) FROM public.people WHERE (sex = 'F') GROUP BY sex",
		`count(*) FROM "The ( FROM"."a ""GROUP BY b" GROUP BY "' WHERE "`:                     `SELECT "' WHERE ", count(*) FROM "The ( FROM"."a ""GROUP BY b" GROUP BY "' WHERE "`,
		"count(*) FROM public.people WHERE (name = 'it''s GROUP BY x')":                       "SELECT count(*) FROM public.people WHERE (name = 'it''s GROUP BY x')",
		"count(*) FROM public.visits PER patient AT MOST 4 ROWS IN 2 GROUPS GROUP BY ward":    "SELECT ward, count(*) FROM public.visits GROUP BY ward",
		"count(DISTINCT patient) FROM public.visits PER patient AT MOST 2 GROUPS WHERE a = 1": "SELECT count(DISTINCT patient) FROM public.visits WHERE a = 1",
		"rows left out, at most 8 of each patient, FROM public.visits PER patient":            "",
		"publish open.k5 of public.people by k-anonymity":                                     "",
		"count(*) FROM public.people GROUP BY sex GROUP BY age":                               "",
		"count(*) FROM public.people JOIN public.regions ON (region = name) GROUP BY land":    "",
		`count(*) FROM public.people WHERE (name = E'a\'')`:                                   "",
		"count(*)": "",
	} {
		if got := Statement(question); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", question, got, want)
		}
	}
}
