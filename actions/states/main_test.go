package states_test

import (
	"os"
	"testing"

	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/actions/navigate"
	"github.com/skua-browser/skua/actions/states"
	"github.com/skua-browser/skua/actions/storage"
	"github.com/skua-browser/skua/actions/tabs"
	"github.com/skua-browser/skua/internal/sessiontest"
)

// host has the browser of the tests, site their pages.
var (
	host = sessiontest.NewHost(look.Commands, navigate.Commands, states.Commands, storage.Commands, tabs.Commands)
	site = host.Site
)

func TestMain(m *testing.M) { os.Exit(host.Run(m)) }
