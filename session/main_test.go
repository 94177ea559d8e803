package session_test

import (
	"os"
	"testing"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/internal/sessiontest"
)

// host runs the browser of the tests, and site serves their pages.
var (
	host = sessiontest.NewHostOf(catalog.Registry())
	site = host.Site
)

// object is a decoded JSON object.
type object = map[string]any

func TestMain(m *testing.M) {
	if folder := os.Getenv(mortalFolder); folder != "" {
		os.Exit(runMortal(folder))
	}
	os.Exit(host.Run(m))
}
