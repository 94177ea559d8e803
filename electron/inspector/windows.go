package inspector

import (
	"context"
	_ "embed"
)

//go:embed js/windows.js
var windowsScript string

//go:embed js/window.js
var windowScript string

// Bounds are the place and size of a window on the screen, or of a view in its window, in pixels that are independent
// of the screen's density.
type Bounds struct {
	X      int `json:"x"`
	Y      int `json:"y"`
	Width  int `json:"width"`
	Height int `json:"height"`
}

// Window is a BrowserWindow of an app.
type Window struct {
	ID        int    `json:"id"`
	Title     string `json:"title"`
	URL       string `json:"url"`
	Visible   bool   `json:"visible"`
	Focused   bool   `json:"focused"`
	Minimized bool   `json:"minimized"`
	Modal     bool   `json:"modal"`
	OnTop     bool   `json:"onTop"` // stays above other windows
	Resizable bool   `json:"resizable"`
	Crashed   bool   `json:"crashed,omitzero"` // its page has, and shows nothing
	Parent    int    `json:"parent,omitzero"`  // the ID of the window that it belongs to
	Bounds    Bounds `json:"bounds"`
}

// Contents says where a target of the debugging port is shown.
type Contents struct {
	TargetID string  `json:"targetId"`
	Type     string  `json:"type"`            // as webContents.getType: window, browserView, webview and others
	Focused  bool    `json:"focused"`         // it has the keyboard in its window
	Window   int     `json:"window,omitzero"` // the ID of the window that shows it
	Bounds   *Bounds `json:"bounds,omitempty"`
}

// Windows are the windows of an app, with the targets in them.
type Windows struct {
	Windows  []Window   `json:"windows"`
	Contents []Contents `json:"contents"`
}

// Windows describes the app's windows, and where each of the targets is shown.
func (p *Process) Windows(ctx context.Context, targetIDs []string) (Windows, error) {
	var all Windows
	err := p.call(ctx, windowsScript, targetIDs, &all)
	return all, err
}

// The moves that a window can be made to do.
const (
	ShowWindow     = "show"
	FocusWindow    = "focus"
	MinimizeWindow = "minimize"
	CloseWindow    = "close"
)

// WindowMove is how a window is after a move.
type WindowMove struct {
	Found     bool `json:"found"`
	Closed    bool `json:"closed"`
	Visible   bool `json:"visible"`
	Minimized bool `json:"minimized"`
}

// wantedMove is the argument of windowScript.
type wantedMove struct {
	ID   int    `json:"id"`
	Move string `json:"move"`
}

// MoveWindow shows, focuses, minimizes or closes a window. Its page may keep it from closing.
func (p *Process) MoveWindow(ctx context.Context, id int, move string) (WindowMove, error) {
	var after WindowMove
	err := p.call(ctx, windowScript, wantedMove{id, move}, &after)
	return after, err
}
