package navigate_test

import (
	"os"
	"testing"

	"github.com/skua-browser/skua/actions/forms"
	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/actions/navigate"
	"github.com/skua-browser/skua/actions/pointer"
	"github.com/skua-browser/skua/actions/tabs"
	"github.com/skua-browser/skua/actions/wait"
	"github.com/skua-browser/skua/internal/sessiontest"
)

// host runs the browser of the tests, and site serves their pages.
var (
	host = sessiontest.NewHost(forms.Commands, look.Commands, navigate.Commands, pointer.Commands, tabs.Commands,
		wait.Commands)
	site = host.Site
)

func TestMain(m *testing.M) { os.Exit(host.Run(m)) }

// object is a decoded JSON object.
type object = map[string]any
