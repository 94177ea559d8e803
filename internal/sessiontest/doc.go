// Package sessiontest runs command lines in sessions with a real browser, for the tests of commands. A [Host] has the
// commands that a package needs and one browser for all of its tests; a [Client] is a caller with a session of its own;
// a [Site] has the pages:
//
//	var host = sessiontest.NewHost(pointer.Commands, look.Commands)
//	var site = host.Site
//
//	func TestMain(m *testing.M) { os.Exit(host.Run(m)) }
//
//	func TestClick(t *testing.T) {
//		t.Parallel()
//		c := host.Showing(t, `<button onclick="log.push('clicked')">Go</button>`)
//		c.Do("click", "button")
//		require.Equal(t, "clicked", c.Log())
//	}
//
// A test reads from the page, the server or the disk what a command did there. What a command says of itself is only
// looked at where the saying is what is tested. The package must not know a family of commands: a test binary links
// those that its host is given.
package sessiontest
