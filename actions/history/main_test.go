package history_test

import (
	"os"
	"testing"

	"github.com/skua-browser/skua/actions/find"
	"github.com/skua-browser/skua/actions/forms"
	"github.com/skua-browser/skua/actions/history"
	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/actions/navigate"
	"github.com/skua-browser/skua/actions/pointer"
	"github.com/skua-browser/skua/actions/tabs"
	"github.com/skua-browser/skua/actions/wait"
	"github.com/skua-browser/skua/internal/sessiontest"
)

// host runs the browser of the tests, and site serves their pages.
var (
	host = sessiontest.NewHost(find.Commands, forms.Commands, history.Commands, look.Commands, navigate.Commands,
		pointer.Commands, tabs.Commands, wait.Commands)
	site = host.Site
)

func TestMain(m *testing.M) { os.Exit(host.Run(m)) }
