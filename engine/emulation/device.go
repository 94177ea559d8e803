package emulation

import (
	"slices"
	"strings"

	"github.com/chromedp/chromedp/device"
)

// Device is a phone or tablet that a page can be shown as on.
type Device struct {
	Name      string
	UserAgent string
	Screen
}

// newDevices are the devices that the library does not know, or knows under other names.
var newDevices = []Device{
	{
		"Pixel 9",
		"Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile " +
			"Safari/537.36",
		Screen{
			Width:  412,
			Height: 923,
			Scale:  2.625,
			Mobile: true,
			Touch:  true,
		},
	},
	{
		"Galaxy S25",
		"Mozilla/5.0 (Linux; Android 15; SM-S931B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile " +
			"Safari/537.36",
		Screen{
			Width:  360,
			Height: 800,
			Scale:  3,
			Mobile: true,
			Touch:  true,
		},
	},
}

// Devices returns the devices that are known, sorted by name.
func Devices() []Device {
	all := slices.Clone(newDevices)
	for d := device.BlackberryPlayBook; d <= device.MotoG4landscape; d++ {
		info := d.Device()
		all = append(all, Device{info.Name, info.UserAgent, Screen{
			Width:     int(info.Width),
			Height:    int(info.Height),
			Scale:     info.Scale,
			Mobile:    info.Mobile,
			Touch:     info.Touch,
			Landscape: info.Landscape,
		}})
	}
	slices.SortStableFunc(all, func(a, b Device) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return all
}

// FindDevice returns the device of that name, in any case.
func FindDevice(name string) (Device, bool) {
	for _, d := range Devices() {
		if strings.EqualFold(d.Name, strings.TrimSpace(name)) {
			return d, true
		}
	}
	return Device{}, false
}
