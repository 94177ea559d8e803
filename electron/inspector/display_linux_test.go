package inspector_test

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// display returns a display for the apps' windows: that of the machine, else an Xvfb that the tests share. TestMain
// ends it.
func display(t *testing.T) string {
	t.Helper()
	if d := os.Getenv("DISPLAY"); d != "" {
		return d
	}
	d, err := xvfb()
	require.NoError(t, err)
	return d
}

var screen *exec.Cmd

var xvfb = sync.OnceValues(func() (string, error) {
	ours, theirs, err := os.Pipe()
	if err != nil {
		return "", err
	}
	screen = exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1280x800x24")
	screen.ExtraFiles = []*os.File{theirs}
	err = screen.Start()
	_ = theirs.Close()
	if err != nil {
		return "", err
	}
	number, err := bufio.NewReader(ours).ReadString('\n')
	return ":" + strings.TrimSpace(number), err
})

func TestMain(m *testing.M) {
	code := m.Run()
	if screen != nil && screen.Process != nil {
		_ = screen.Process.Kill()
		_ = screen.Wait()
	}
	os.Exit(code)
}
