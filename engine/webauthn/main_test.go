package webauthn_test

import (
	"os"
	"testing"

	"github.com/skua-browser/skua/internal/testengine"
)

func TestMain(m *testing.M) { os.Exit(testengine.Main(m)) }
