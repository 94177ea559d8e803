package login_test

import (
	"os"
	"testing"

	"github.com/skua-browser/skua/actions/diagnose"
	"github.com/skua-browser/skua/actions/find"
	"github.com/skua-browser/skua/actions/history"
	"github.com/skua-browser/skua/actions/login"
	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/actions/navigate"
	"github.com/skua-browser/skua/actions/network"
	"github.com/skua-browser/skua/actions/states"
	"github.com/skua-browser/skua/actions/storage"
	"github.com/skua-browser/skua/actions/tabs"
	"github.com/skua-browser/skua/actions/wait"
	"github.com/skua-browser/skua/internal/sessiontest"
)

// host runs the browser of the tests, and site serves their pages.
var (
	host = sessiontest.NewHost(
		diagnose.Commands, find.Commands, history.Commands, login.Commands, look.Commands, navigate.Commands,
		network.Commands, states.Commands, storage.Commands, tabs.Commands, wait.Commands,
	)
	site = host.Site
)

func TestMain(m *testing.M) { os.Exit(host.Run(m)) }
