package proxy

import (
	"fmt"
	"testing"
	"time"

	"tacit/policy"
	"tacit/release"
)

// The last answers of an analyst are kept for whichever session had them, the newest first, and no more than there is room for.
func TestAnsweredLately(t *testing.T) {
	p := &Proxy{lately: newLately()}
	receipt := &release.Receipt{Lines: []release.ReceiptLine{{Table: policy.TableName{Schema: "public", Name: "people"}, Mechanism: "geometric", Description: "geometric noise"}}}
	at := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	for i := range mostLately + 5 {
		p.lately.add("ana", newAnswered(fmt.Sprintf("SELECT %d", i), receipt, at))
	}
	told := p.AnsweredLately("ana")
	if len(told) != mostLately || told[0].Statement != fmt.Sprintf("SELECT %d", mostLately+4) || told[mostLately-1].Statement != "SELECT 5" || told[0].At != at || told[0].Notice != receipt.Lines[0].String() {
		t.Errorf("%d answers: %+v", len(told), told)
	}
	if others := p.AnsweredLately("bob"); others != nil {
		t.Errorf("bob was answered %+v", others)
	}
	for i := range analystsLately {
		p.lately.add(fmt.Sprint("analyst ", i), newAnswered("SELECT 1", receipt, at))
	}
	if told := p.AnsweredLately("ana"); told != nil {
		t.Errorf("there is room for more analysts than %d", analystsLately)
	}
}
