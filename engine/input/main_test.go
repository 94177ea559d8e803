package input_test

import (
	"os"
	"testing"

	"github.com/skua-browser/skua/internal/testengine"
)

func TestMain(m *testing.M) { os.Exit(testengine.Main(m)) }

// What the tests of this package use of the harness.
const limit = testengine.Limit

var (
	timed    = testengine.Timed
	openHTML = testengine.OpenHTML
	eval     = testengine.Eval
)
