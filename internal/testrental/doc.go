// Package testrental stands in for the services that rent browsers out, for tests: it answers as their API's documentation says, hands out a
// browser that the test started, and keeps account of what was asked, made and ended. Only tests import it.
package testrental
