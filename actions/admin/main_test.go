package admin_test

import (
	"os"
	"testing"

	"github.com/skua-browser/skua/actions/admin"
	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/actions/navigate"
	"github.com/skua-browser/skua/actions/tabs"
	"github.com/skua-browser/skua/internal/sessiontest"
)

// host has the browser of the tests.
var host = sessiontest.NewHost(admin.Commands, look.Commands, navigate.Commands, tabs.Commands)

func TestMain(m *testing.M) { os.Exit(host.Run(m)) }
