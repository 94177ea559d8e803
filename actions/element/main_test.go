package element_test

import (
	"os"
	"testing"

	"github.com/skua-browser/skua/actions/capture"
	"github.com/skua-browser/skua/actions/emulate"
	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/actions/navigate"
	"github.com/skua-browser/skua/actions/pointer"
	"github.com/skua-browser/skua/actions/tabs"
	"github.com/skua-browser/skua/internal/sessiontest"
)

// host has the browser of the tests.
var host = sessiontest.NewHost(
	capture.Commands, emulate.Commands, look.Commands, navigate.Commands, pointer.Commands,
	tabs.Commands,
)

func TestMain(m *testing.M) { os.Exit(host.Run(m)) }

// object is a decoded JSON object.
type object = map[string]any
