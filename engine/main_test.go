package engine_test

import (
	"os"
	"testing"

	"github.com/skua-browser/skua/internal/testengine"
)

func TestMain(m *testing.M) { os.Exit(testengine.Main(m)) }

// What the tests of this package use of the harness.
const limit = testengine.Limit

type site = testengine.Site

var (
	timed      = testengine.Timed
	ownBrowser = testengine.OwnBrowser
	newContext = testengine.NewContext
	contextIn  = testengine.ContextIn
	newPage    = testengine.NewPage
	pageIn     = testengine.PageIn
	open       = testengine.Open
	openHTML   = testengine.OpenHTML
	eval       = testengine.Eval
	newSite    = testengine.NewSite
)

func receive[T any](t testing.TB, ch <-chan T) T { return testengine.Receive(t, ch) }
