package pgerror

// FewLetters is how many letters a name may be away from what is suggested for it, as in PostgreSQL (MAX_FUZZY_DISTANCE in
// parse_relation.c).
const FewLetters = 3

// Closest is the name that is probably meant by a misspelt one: a given number of letters away at most, and no more than half of them. It is empty if
// there is none, or more than one. All names are public: those of a catalog, or of a list in the program.
func Closest(misspelt string, names []string, letters int) string {
	best, closest := letters+1, ""
	for _, name := range names {
		d := distance([]rune(misspelt), []rune(name))
		switch {
		case 2*d > len([]rune(name)) || d > best:
		case d < best:
			best, closest = d, name
		case name != closest:
			closest = ""
		}
	}
	return closest
}

// distance is that of Levenshtein: how many letters have to be changed, put in or left out.
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range b {
			change := diagonal
			if x != y {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
