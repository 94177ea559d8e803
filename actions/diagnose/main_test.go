package diagnose_test

import (
	"os"
	"testing"

	"github.com/skua-browser/skua/actions/batch"
	"github.com/skua-browser/skua/actions/capture"
	"github.com/skua-browser/skua/actions/diagnose"
	"github.com/skua-browser/skua/actions/emulate"
	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/actions/navigate"
	"github.com/skua-browser/skua/actions/network"
	"github.com/skua-browser/skua/actions/pointer"
	"github.com/skua-browser/skua/actions/tabs"
	"github.com/skua-browser/skua/actions/wait"
	"github.com/skua-browser/skua/internal/sessiontest"
)

// host runs the browser of the tests, and site serves their pages.
var (
	host = sessiontest.NewHost(
		batch.Commands, capture.Commands, diagnose.Commands, emulate.Commands, look.Commands, navigate.Commands,
		network.Commands,
		pointer.Commands, tabs.Commands, wait.Commands,
	)
	site = host.Site
)

func TestMain(m *testing.M) { os.Exit(host.Run(m)) }

// object is a decoded JSON object.
type object = map[string]any
