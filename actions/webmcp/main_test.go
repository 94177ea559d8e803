package webmcp_test

import (
	"os"
	"testing"

	"github.com/skua-browser/skua/actions/admin"
	"github.com/skua-browser/skua/actions/batch"
	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/actions/navigate"
	"github.com/skua-browser/skua/actions/tabs"
	"github.com/skua-browser/skua/actions/wait"
	"github.com/skua-browser/skua/actions/webmcp"
	"github.com/skua-browser/skua/internal/sessiontest"
)

// host runs the browser of the tests, and site serves their pages.
var (
	host = sessiontest.NewHost(
		admin.Commands, batch.Commands, look.Commands, navigate.Commands, tabs.Commands, wait.Commands,
		webmcp.Commands,
	)
	site = host.Site
)

func TestMain(m *testing.M) { os.Exit(host.Run(m)) }

// object is a decoded JSON object.
type object = map[string]any
