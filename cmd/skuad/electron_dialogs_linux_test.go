package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Native dialogs get the answers that were armed, and are listed with them.
func TestElectronDialogs(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	require.True(t, u.realLaunch(t, "notes").Success)
	require.Equal(t, "The app has asked for no dialog since they are noted", u.works(t, "electron", "dialogs"))
	press := func(button, status string) {
		t.Helper()
		require.Zero(t, u.call(t, "find", "role", "button", "click", "--name", button, "--exact").Code)
		u.works(t, "wait", "--text", status)
	}
	file, target := filepath.Join(u.cwd, "a.txt"), filepath.Join(u.cwd, "saved.txt")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	u.works(t, "electron", "dialog", "open", "a.txt")
	u.works(t, "electron", "dialog", "save", "saved.txt")
	u.works(t, "electron", "dialog", "message", "don't save")
	u.works(t, "electron", "dialog", "message", "Save")
	require.Contains(t, u.works(t, "electron", "dialogs"),
		"armed: open "+file+"\narmed: save "+target+"\narmed: message \"don't save\"\narmed: message \"Save\"")
	press("Open", "1 files")
	press("Save", "saved to "+target)
	press("Ask", "chose Don't Save")
	press("Ask at once", "chose at once &Save")

	// Without an answer a dialog is canceled, or waits for a person.
	u.works(t, "electron", "dialog", "policy", "cancel")
	press("Ask at once", "chose at once Cancel")
	press("Open", "0 files")
	u.works(t, "electron", "dialog", "policy", "native")
	u.works(t, "electron", "dialog", "message", "Retry")
	require.Zero(t, u.call(t, "find", "role", "button", "click", "--name", "Ask", "--exact").Code)
	ask := `message "Save changes?\nThey are lost otherwise." [Save] [Don't Save] [Cancel]`
	var listed string
	require.Eventually(t, func() bool {
		listed = u.works(t, "electron", "dialogs")
		return strings.Contains(listed, "is open")
	}, appLimit, 50*time.Millisecond, "the click's message comes to the main process a little later")
	require.Equal(t, strings.Join([]string{
		`open "Open a note" openFile → ` + file,
		`save "Save the note" Text (txt) at note.txt → ` + target,
		ask + " → Don't Save", ask + " → Save", ask + " → Cancel",
		`open "Open a note" openFile → canceled`,
		ask + ` → is open; a person at the app's screen has to answer it (there is no button "Retry")`,
		`armed: message "Retry"`,
	}, "\n"), listed)

	missing := u.call(t, "electron", "dialog", "open", "none.txt")
	require.Equal(t, 1, missing.Code)
	require.Contains(t, missing.Err, "none.txt cannot be opened")
	rules := u.call(t, "--upload-root", t.TempDir(), "electron", "dialog", "open", "a.txt")
	require.Equal(t, 1, rules.Code)
	require.Contains(t, rules.Err, "outside the roots")
}
