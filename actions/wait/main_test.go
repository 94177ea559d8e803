package wait_test

import (
	"os"
	"testing"

	"github.com/skua-browser/skua/actions/batch"
	"github.com/skua-browser/skua/actions/find"
	"github.com/skua-browser/skua/actions/forms"
	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/actions/navigate"
	"github.com/skua-browser/skua/actions/pointer"
	"github.com/skua-browser/skua/actions/read"
	"github.com/skua-browser/skua/actions/tabs"
	"github.com/skua-browser/skua/actions/wait"
	"github.com/skua-browser/skua/internal/sessiontest"
	"github.com/skua-browser/skua/internal/testengine"
)

// host runs the browser of the tests, and site serves their pages.
var (
	host = sessiontest.NewHost(
		batch.Commands, find.Commands, forms.Commands, look.Commands, navigate.Commands, pointer.Commands,
		read.Commands, tabs.Commands, wait.Commands,
	)
	site = host.Site
)

func TestMain(m *testing.M) { os.Exit(host.Run(withEngine{m})) }

// withEngine runs the tests with a browser for the tests of the engine's part of waiting, too.
type withEngine struct{ tests *testing.M }

func (w withEngine) Run() int { return testengine.Main(w.tests) }

// object is a decoded JSON object.
type object = map[string]any

// cmd is a command line.
func cmd(args ...string) []string { return args }
