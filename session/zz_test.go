package session_test
import "testing"
func TestZZ(t *testing.T) {
	c := opened(t, "/pages/acting-choose-ant.html")
	t.Log(c.try("select", "#team", "Team 150").Err)
	t.Log(c.log(), c.page("chosen('team')"), c.page("document.querySelector('#team-box').outerHTML"), c.page("document.querySelector('.dropdown')?.outerHTML"))
}
