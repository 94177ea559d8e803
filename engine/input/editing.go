package input

import (
	"context"
	"runtime"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
)

// onMac: on macOS the system, not Blink, maps chords to editing commands, and headless pages do not get that mapping.
// The protocol accepts the command along with the key event.
const onMac = runtime.GOOS == "darwin"

// editingChord is a key with the modifiers that decide what it edits.
type editingChord struct {
	key  string
	held Modifiers
}

// macCommands are the editing commands of macOS by chord: AppKit's standard key bindings, without the colon at their
// end.
var macCommands = map[editingChord][]string{
	{"a", Meta}: {"selectAll"}, {"c", Meta}: {"copy"}, {"x", Meta}: {"cut"}, {"v", Meta}: {"paste"},
	{"z", Meta}: {"undo"}, {"Z", Meta | Shift}: {"redo"}, {"V", Meta | Shift | Alt}: {"pasteAsPlainText"},
	{"a", Control}: {"moveToBeginningOfParagraph"}, {"e", Control}: {"moveToEndOfParagraph"},
	{"d", Control}: {"deleteForward"},
	{"h", Control}: {"deleteBackward"}, {"k", Control}: {"deleteToEndOfParagraph"},

	{"ArrowLeft", 0}: {"moveLeft"}, {"ArrowRight", 0}: {"moveRight"}, {"ArrowUp", 0}: {"moveUp"},
	{"ArrowDown", 0}:     {"moveDown"},
	{"ArrowLeft", Shift}: {"moveLeftAndModifySelection"}, {"ArrowRight", Shift}: {"moveRightAndModifySelection"},
	{"ArrowUp", Shift}: {"moveUpAndModifySelection"}, {"ArrowDown", Shift}: {"moveDownAndModifySelection"},
	{"ArrowLeft", Alt}: {"moveWordLeft"}, {"ArrowRight", Alt}: {"moveWordRight"},
	{"ArrowLeft", Alt | Shift}:  {"moveWordLeftAndModifySelection"},
	{"ArrowRight", Alt | Shift}: {"moveWordRightAndModifySelection"},
	{"ArrowLeft", Meta}:         {"moveToLeftEndOfLine"}, {"ArrowRight", Meta}: {"moveToRightEndOfLine"},
	{"ArrowLeft", Meta | Shift}:  {"moveToLeftEndOfLineAndModifySelection"},
	{"ArrowRight", Meta | Shift}: {"moveToRightEndOfLineAndModifySelection"},
	{"ArrowUp", Meta}:            {"moveToBeginningOfDocument"}, {"ArrowDown", Meta}: {"moveToEndOfDocument"},
	{"ArrowUp", Meta | Shift}:   {"moveToBeginningOfDocumentAndModifySelection"},
	{"ArrowDown", Meta | Shift}: {"moveToEndOfDocumentAndModifySelection"},
	{"Home", 0}:                 {"scrollToBeginningOfDocument"}, {"End", 0}: {"scrollToEndOfDocument"},
	{"Backspace", 0}: {"deleteBackward"}, {"Delete", 0}: {"deleteForward"}, {"Backspace", Shift}: {"deleteBackward"},
	{"Backspace", Alt}: {"deleteWordBackward"}, {"Delete", Alt}: {"deleteWordForward"},
	{"Backspace", Meta}: {"deleteToBeginningOfLine"},
}

// editingCommands returns the commands that a key event must carry.
func editingCommands(key string, held Modifiers) []string {
	if !onMac {
		return nil
	}
	return macCommands[editingChord{key, held}]
}

// Edit runs an editing command of the browser, such as "copy" or "paste", in the focused element, as its menu does. The
// page sees the events of the command, and a key event without a key.
func Edit(ctx context.Context, p *engine.Page, command string) error {
	down := keyEvent{Type: "rawKeyDown", Commands: []string{command}}
	return send(ctx, p, []cdp.Call{down.call(), keyEvent{Type: "keyUp"}.call()})
}
