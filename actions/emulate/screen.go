package emulate

import (
	"context"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/emulation"
	"github.com/skua-browser/skua/internal/wording"
)

// maxViewport is the largest size that the browser takes.
const maxViewport = 10_000_000

func runSetViewport(ctx context.Context, c *actions.Call) (actions.Result, error) {
	screen := &emulation.Screen{
		Width:  c.Int("width"),
		Height: c.Int("height"),
		Scale:  c.Float("scale"),
		Mobile: c.Bool("mobile"),
		Touch:  c.Bool("touch"),
	}
	for _, size := range []int{screen.Width, screen.Height} {
		if size < 0 || size > maxViewport {
			return actions.Result{}, c.Invalid("set viewport expects sizes from 1 to " + strconv.Itoa(maxViewport) +
				", or 0 0, got " + strconv.Itoa(size))
		}
	}
	own := screen.Width == 0 && screen.Height == 0
	if !own && (screen.Width == 0 || screen.Height == 0) {
		return actions.Result{}, c.Invalid("set viewport expects a width and a height; 0 0 is the browser's own size")
	}
	if screen.Scale < 0 || c.Has("scale") && screen.Scale == 0 {
		return actions.Result{}, c.Invalid("set viewport scale expects a positive number, got " +
			wording.Quote(c.String("scale")))
	}
	ended := ""
	tab, seen, err := emulate(ctx, c, func(browser *engine.Context, page *engine.Page) error {
		if ended = emulation.CurrentDevice(browser); ended != "" {
			if err := emulation.SetDevice(ctx, browser, page, nil); err != nil {
				return err
			}
		}
		if own {
			return emulation.SetScreen(ctx, browser, page, nil)
		}
		return emulation.SetScreen(ctx, browser, page, screen)
	})
	if err != nil {
		return actions.Result{}, err
	}
	if ended != "" {
		c.Note("the session is no " + ended + " any more: its user agent and touch screen were reset with its size")
	}
	if !own && (seen.ScreenWidth != screen.Width || seen.ScreenHeight != screen.Height) {
		return actions.Result{}, unseenSetting("the viewport of "+tab.ID, dimensions(screen.Width, screen.Height),
			dimensions(seen.ScreenWidth, seen.ScreenHeight))
	}
	data := Viewport{seen.Scale, screen.Height, screen.Mobile, screen.Width}
	if own {
		data.Width, data.Height = seen.Width, seen.Height
	}
	return actions.Result{Data: data, Text: "✓ Done"}, nil
}

func dimensions(width, height int) string { return strconv.Itoa(width) + "x" + strconv.Itoa(height) }

// deviceList is the word in the place of a device's name for the list of all.
const deviceList = "list"

func runSetDevice(ctx context.Context, c *actions.Call) (actions.Result, error) {
	name := c.String("name")
	if name == deviceList {
		var names []string
		for _, d := range emulation.Devices() {
			names = append(names, d.Name)
		}
		return actions.Result{Data: DeviceNames{names}, Text: strings.Join(names, "\n")}, nil
	}
	device, known := emulation.FindDevice(name)
	if !known && name != none {
		return actions.Result{}, unknownDevice(c, name)
	}
	to := &device
	if name == none {
		to = nil
	}
	_, seen, err := emulate(ctx, c, func(browser *engine.Context, page *engine.Page) error {
		return emulation.SetDevice(ctx, browser, page, to)
	})
	if err != nil {
		return actions.Result{}, err
	}
	if to == nil {
		return actions.Result{
			Data: Device{Viewport: Viewport{seen.Scale, seen.Height, false, seen.Width}},
			Text: "✓ Done",
		}, nil
	}
	if seen.UserAgent != device.UserAgent {
		return actions.Result{}, unseenSetting("the user agent", device.UserAgent, seen.UserAgent)
	}
	return actions.Result{Data: Device{
		&device.Name, Viewport{device.Scale, device.Height, device.Mobile, device.Width}, &device.Touch, device.UserAgent,
	}, Text: "✓ Done"}, nil
}

// unknownDevice names those that are most like it.
func unknownDevice(c *actions.Call, name string) error {
	var like []string
	first, _, _ := strings.Cut(strings.ToLower(name), " ")
	for _, d := range emulation.Devices() {
		if strings.HasPrefix(strings.ToLower(d.Name), first) && !d.Landscape {
			like = append(like, d.Name)
		}
	}
	text := "Unknown device: " + name + "."
	if len(like) > 0 {
		text += " There are " + strings.Join(like, ", ") + "."
	}
	return c.Invalid(text + " `set device list` prints all.")
}
