package demo

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"time"
)

// A Step is one step of the demonstration: what it shows, who sends statements or runs commands, and which.
type Step struct {
	Title string
	Who   string // "ana" or "bob" through the proxy, "steward" directly, or "shell"
	Lines []string
}

var Steps = []Step{
	{"Ordinary statements pass through untouched. This table is public.", "ana", []string{
		"SELECT class, description FROM classes ORDER BY class;",
	}},
	{"A count of people comes back with noise. Every class and sex is shown, and the notice says what it cost.", "ana", []string{
		"SELECT class, sex, count(*) FROM titanic GROUP BY class, sex;",
	}},
	{"The steward, who connects to PostgreSQL itself, sees the true numbers. Analysts never do.", "steward", []string{
		"SELECT class, sex, count(*) FROM titanic GROUP BY class, sex ORDER BY class, sex;",
	}},
	{"The same question again, spelled otherwise: the same answer, for free.", "ana", []string{
		"SELECT t.sex AS s, t.class, count(*) AS people FROM public.titanic AS t GROUP BY 2, 1 ORDER BY people DESC LIMIT 3;",
	}},
	{"What follows from recorded answers is free, too. It adds up noisy cells, and columns tell how exact the sums are.", "ana", []string{
		"SELECT sex, count(*), tacit.low(count(*)), tacit.high(count(*)) FROM titanic WHERE class <> 'Crew' GROUP BY sex;",
	}},
	{"Keys may be computed, and come with totals: one charge, and the totals are the sums of the cells shown.", "ana", []string{
		"SELECT CASE class WHEN 'Crew' THEN 'crew' ELSE 'passenger' END AS who, survived, count(*)\nFROM titanic GROUP BY ROLLUP (who, survived) ORDER BY who, survived;",
	}},
	{"As BI tools write it: a table wrapped in a sub-select, and a share of people. It is made of two noisy counts, and may come out above 1 or below 0.", "ana", []string{
		"SELECT \"source\".\"class\" AS \"class\", AVG(\"source\".\"saved\") AS \"share\"\nFROM (SELECT \"public\".\"titanic\".\"class\" AS \"class\",\n             CASE WHEN \"public\".\"titanic\".\"survived\" = 'Yes' THEN 1 ELSE 0 END AS \"saved\"\n      FROM \"public\".\"titanic\" WHERE \"public\".\"titanic\".\"sex\" = 'Female') AS \"source\"\nGROUP BY \"source\".\"class\" ORDER BY \"share\" DESC;",
	}},
	{"Counts may stand anywhere in a statement: here in a CTE, joined with a table that ana may read.", "ana", []string{
		"WITH saved AS (\n  SELECT class, count(*) FILTER (WHERE survived = 'Yes') AS saved, count(*) AS aboard\n  FROM titanic GROUP BY class)\nSELECT description, saved, aboard FROM saved JOIN classes USING (class) ORDER BY saved DESC;",
	}},
	{"A prepared statement. Each new value is a new question; a repeated one is free. Gaussian noise: two losses together are less than their sum.", "ana", []string{
		"PREPARE admitted(text) AS\n  SELECT gender, count(*) FROM admissions WHERE dept = $1 AND admit = 'Admitted' GROUP BY gender;",
		"EXECUTE admitted('A');",
		"EXECUTE admitted('C');",
		"EXECUTE admitted('A');",
	}},
	{"Nobody declared which colours of hair there are. A colour is shown only if enough students have it.", "ana", []string{
		"SELECT hair, count(*) FROM students GROUP BY hair ORDER BY hair;",
	}},
	{"Anything else that touches a protected table is refused, with a hint.", "ana", []string{
		"SELECT * FROM titanic LIMIT 5;",
		"SELECT max(age) FROM titanic;",
	}},
	{"What a question would cost, and what is left, can be asked for free.", "ana", []string{
		"EXPLAIN SELECT hair, eye, count(*) FROM students GROUP BY hair, eye;",
		"SELECT table_name, epsilon_spent, epsilon_left FROM tacit.budget ORDER BY table_name;",
	}},
	{"bob may spend epsilon 1 on each table. What ana asked is free for him, too; his third new question is too much.", "bob", []string{
		"SELECT class, sex, count(*) FROM titanic GROUP BY class, sex LIMIT 1;",
		"SELECT count(*) FROM titanic WHERE age = 'Child';",
		"SELECT count(*) FROM titanic WHERE age = 'Adult';",
		"SELECT count(*) FROM titanic WHERE age = 'Child' AND survived = 'Yes';",
	}},
	{"Another kind of table: has_gene is private, and all else of it is public. Counts are exact, or NULL. Margins follow from the cells.", "ana", []string{
		"SELECT hair, eye, count(*) AS people, count(*) FILTER (WHERE has_gene) AS carriers\nFROM carriers GROUP BY CUBE (hair, eye) ORDER BY grouping(hair, eye), hair, eye;",
	}},
	{"A tracker: all blondes but the one who is older than 60. Together with what is known it would tell his secret.", "ana", []string{
		`\pset null NULL`,
		"SELECT count(*) FILTER (WHERE has_gene) AS carriers FROM carriers WHERE hair = 'blonde' AND age <= 60;",
		"EXPLAIN SELECT eye, count(*) FILTER (WHERE NOT has_gene) FROM carriers WHERE hair = 'brown' GROUP BY eye;",
	}},
	{"That it is NULL says nothing: all decisions follow from what was public and released before them. Without the data:", "shell", []string{
		"tacit replay --policy policy.yaml --table public.carriers",
	}},
	{"The steward compares mechanisms on a question, from the true counts and without charging anybody.", "shell", []string{
		"tacit assess --policy policy.yaml --quasi sex --query 'SELECT class, sex, age, count(*) FROM titanic GROUP BY class, sex, age'",
	}},
	{"The steward sees what is spent, and who asked what.", "shell", []string{
		"tacit budget --policy policy.yaml",
		"tacit log --policy policy.yaml --questions",
	}},
	{"What one finer count would have answered most of what was asked?", "shell", []string{
		"tacit advise --policy policy.yaml",
	}},
	{"The ledger is a chain: what was written cannot be changed unnoticed by anybody who knows its head.", "shell", []string{
		"tacit verify --policy policy.yaml",
	}},
}

// play runs the steps, each analyst in one psql of her own.
func (d *demonstration) play(ctx context.Context) (err error) {
	sessions := make(map[string]*psqlSession)
	defer func() {
		for _, s := range sessions {
			err = errors.Join(err, s.close())
		}
	}()
	for _, s := range Steps {
		d.say("%s", s.Title)
		if s.Who == "shell" {
			if err := d.shell(ctx, s.Lines); err != nil {
				return err
			}
			continue
		}
		session := sessions[s.Who]
		if session == nil {
			if session, err = d.session(ctx, s.Who); err != nil {
				return err
			}
			sessions[s.Who] = session
		}
		for i, line := range s.Lines {
			if i > 0 {
				fmt.Fprintln(d.out)
			}
			if err := session.run(line); err != nil {
				return err
			}
		}
	}
	return nil
}

// session starts psql for somebody, and shows how.
func (d *demonstration) session(ctx context.Context, who string) (*psqlSession, error) {
	prompt := database + "=> "
	url := d.url(who)
	if who == "steward" {
		prompt, url = database+"=# ", d.cluster.URL("postgres", database)
	} else {
		_, port, err := net.SplitHostPort(d.addr.String())
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(d.out, "$ psql -h 127.0.0.1 -p %s -U %s %s\n", port, who, database)
	}
	return startPsql(ctx, d.psql, url, prompt, d.out)
}

// words splits a line as a shell would that knows spaces and single quotes.
func words(line string) []string {
	var all []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			all = append(all, part)
		} else {
			all = append(all, strings.Fields(part)...)
		}
	}
	return all
}

// shell runs this very program.
func (d *demonstration) shell(ctx context.Context, lines []string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	time.Sleep(300 * time.Millisecond) // replays and refusals are logged in the background
	for i, line := range lines {
		if i > 0 {
			fmt.Fprintln(d.out)
		}
		fmt.Fprintf(d.out, "$ %s\n", line)
		cmd := exec.CommandContext(ctx, self, words(line)[1:]...)
		cmd.Dir = d.dir
		cmd.Stdout, cmd.Stderr = d.out, d.out
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
	}
	return nil
}
