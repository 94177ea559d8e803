package engine

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"strings"

	"github.com/chromedp/cdproto/emulation"

	"github.com/skua-browser/skua/engine/cdp"
)

// What pages are told of the device and of the place that they are shown on. All of it holds for a whole context, its tabs that come
// included; see [Context.Stand].

// emulated is what is set, since some of it has to be said together.
type emulated struct {
	screen    *Screen
	userAgent string
	languages string // as the header Accept-Language has them
	own       string // the browser's own ones, once others were set: it is not enough to say no more
	device    string
}

// Screen is what a page is shown on.
type Screen struct {
	Width, Height int     // of the viewport, in CSS pixels
	Scale         float64 // device pixels for each; 0: the browser's own
	Mobile        bool    // the viewport meta tag counts, scrollbars lie over the page
	Touch         bool    // there are touch events, and the pointer is a finger
	Landscape     bool
}

// The keys of what stands.
const (
	screenKey   = "screen"
	touchKey    = "touch"
	identityKey = "identity"
	placeKey    = "place"
	mediaKey    = "media"
	timezoneKey = "timezone"
	localeKey   = "locale"
	cpuKey      = "cpu"
)

// Screen returns what SetScreen has set, or nil.
func (c *Context) Screen() *Screen {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.emulated.screen
}

// SetScreen sets the viewport and what goes with it; nil gives pages the browser's own again.
func (c *Context) SetScreen(ctx context.Context, page *Page, s *Screen) error {
	var screen, touch *Standing
	if s != nil {
		orientation := &emulation.ScreenOrientation{Type: "portraitPrimary"}
		if s.Landscape || s.Width > s.Height {
			orientation = &emulation.ScreenOrientation{Type: "landscapePrimary", Angle: 90}
		}
		params := emulation.SetDeviceMetricsOverrideParams{
			Width: int64(s.Width), Height: int64(s.Height), DeviceScaleFactor: s.Scale, Mobile: s.Mobile,
			ScreenWidth: int64(s.Width), ScreenHeight: int64(s.Height),
		}
		if s.Mobile {
			params.ScreenOrientation = orientation
		}
		screen = &Standing{
			Calls: []cdp.Call{{Method: emulation.CommandSetDeviceMetricsOverride, Params: params}},
			Undo:  []cdp.Call{{Method: emulation.CommandClearDeviceMetricsOverride}},
		}
		if s.Touch {
			touch = &Standing{Calls: []cdp.Call{touchCall(true)}, Undo: []cdp.Call{touchCall(false)}, Frames: true}
		}
	}
	if err := c.Stand(ctx, page, screenKey, screen); err != nil {
		return err
	}
	c.mu.Lock()
	c.emulated.screen = s
	c.mu.Unlock()
	return c.Stand(ctx, page, touchKey, touch)
}

func touchCall(on bool) cdp.Call {
	params := emulation.SetTouchEmulationEnabledParams{Enabled: on}
	if on {
		params.MaxTouchPoints = 5
	}
	return cdp.Call{Method: emulation.CommandSetTouchEmulationEnabled, Params: params}
}

// Device returns the name of the device that SetDevice has set, else "".
func (c *Context) Device() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.emulated.device
}

// SetDevice shows pages as a device does, with its screen and its user agent; nil ends that.
func (c *Context) SetDevice(ctx context.Context, page *Page, d *Device) error {
	name, userAgent := "", ""
	var screen *Screen
	if d != nil {
		name, userAgent, screen = d.Name, d.UserAgent, &d.Screen
	}
	if err := c.SetScreen(ctx, page, screen); err != nil {
		return err
	}
	if err := c.SetUserAgent(ctx, page, userAgent); err != nil {
		return err
	}
	c.mu.Lock()
	c.emulated.device = name
	c.mu.Unlock()
	return nil
}

// UserAgent returns what SetUserAgent has set, else "".
func (c *Context) UserAgent() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.emulated.userAgent
}

// SetUserAgent sets what pages and servers are told of the browser, with the client hints that belong to it; "" tells the truth again.
func (c *Context) SetUserAgent(ctx context.Context, page *Page, userAgent string) error {
	return c.identify(ctx, page, func(e *emulated) { e.userAgent = userAgent })
}

// SetLocale sets the language of a page's formats, and which languages pages and servers are told, by its code, such as "de-CH"; "" is the
// browser's own.
func (c *Context) SetLocale(ctx context.Context, page *Page, locale string) error {
	var s *Standing
	if locale != "" {
		s = &Standing{
			// What is set by another page of the same process has to be taken back before, else it is refused.
			Calls: []cdp.Call{localeCall(""), localeCall(locale)}, Undo: []cdp.Call{localeCall("")}, Frames: true, Workers: true,
		}
	}
	c.mu.Lock()
	own := c.emulated.own
	c.mu.Unlock()
	if own == "" {
		var seen struct {
			Languages []string `json:"languages"`
		}
		if err := page.Main().Call(ctx, "surroundings", nil, &seen); err != nil {
			return err
		}
		own = strings.Join(seen.Languages, ",")
	}
	if err := c.Stand(ctx, page, localeKey, s); err != nil {
		return err
	}
	languages := locale
	if base, _, regional := strings.Cut(locale, "-"); regional {
		languages += "," + base
	}
	return c.identify(ctx, page, func(e *emulated) { e.languages, e.own = languages, own })
}

func localeCall(locale string) cdp.Call {
	return cdp.Call{Method: emulation.CommandSetLocaleOverride, Params: emulation.SetLocaleOverrideParams{Locale: locale}}
}

// identify says together what the protocol sets by one call: the user agent, its hints and the languages.
func (c *Context) identify(ctx context.Context, page *Page, change func(*emulated)) error {
	c.mu.Lock()
	next := c.emulated
	c.mu.Unlock()
	change(&next)
	var s *Standing
	if next.userAgent != "" || next.languages != "" {
		real, err := c.realUserAgent(ctx)
		if err != nil {
			return err
		}
		s = &Standing{
			Calls:  []cdp.Call{identityCall(next, real)},
			Undo:   []cdp.Call{identityCall(emulated{own: next.own}, c.opts.UserAgent)},
			Frames: true, Workers: true,
		}
	}
	if err := c.Stand(ctx, page, identityKey, s); err != nil {
		return err
	}
	c.mu.Lock()
	c.emulated.userAgent, c.emulated.languages, c.emulated.own = next.userAgent, next.languages, next.own
	c.mu.Unlock()
	return nil
}

func identityCall(e emulated, real string) cdp.Call {
	params := emulation.SetUserAgentOverrideParams{UserAgent: real, AcceptLanguage: cmp.Or(e.languages, e.own)}
	if e.userAgent != "" {
		params.UserAgent = e.userAgent
		params.Platform = navigatorPlatform(e.userAgent)
		params.UserAgentMetadata = clientHints(e.userAgent)
	}
	return cdp.Call{Method: emulation.CommandSetUserAgentOverride, Params: params}
}

// realUserAgent is what pages of the context are told when nothing is set.
func (c *Context) realUserAgent(ctx context.Context) (string, error) {
	if c.opts.UserAgent != "" {
		return c.opts.UserAgent, nil
	}
	var version struct {
		UserAgent string `json:"userAgent"`
	}
	raw, err := c.browser.root.CallRaw(ctx, "Browser.getVersion", nil)
	if err != nil {
		return "", err
	}
	return version.UserAgent, cdp.Unmarshal(raw, &version)
}

// Place is where the device says that it is.
type Place struct {
	Latitude, Longitude float64 // degrees
	Accuracy            float64 // meters
}

// SetPlace sets where the device is, and lets pages ask for it; nil ends both.
func (c *Context) SetPlace(ctx context.Context, page *Page, p *Place) error {
	var s *Standing
	setting := "prompt"
	if p != nil {
		setting = "granted"
		s = &Standing{
			Calls: []cdp.Call{{Method: emulation.CommandSetGeolocationOverride, Params: emulation.SetGeolocationOverrideParams{
				Latitude: &p.Latitude, Longitude: &p.Longitude, Accuracy: &p.Accuracy,
			}}},
			// It is the tab's; told to a frame, it would be taken back with that.
			Undo: []cdp.Call{{Method: emulation.CommandClearGeolocationOverride}},
		}
	}
	if err := c.Stand(ctx, page, placeKey, s); err != nil {
		return err
	}
	return c.SetPermission(ctx, "geolocation", setting, "")
}

// Media is how a page is to be shown.
type Media struct {
	Type     string            // "print", "screen"; empty: as it is
	Features map[string]string // by their names in media queries: "prefers-color-scheme": "dark"
}

// SetMedia sets what media queries see; nil: the truth.
func (c *Context) SetMedia(ctx context.Context, page *Page, m *Media) error {
	var s *Standing
	if m != nil {
		s = &Standing{Calls: []cdp.Call{mediaCall(*m)}, Undo: []cdp.Call{mediaCall(c.ownMedia())}, Frames: true}
	}
	return c.Stand(ctx, page, mediaKey, s)
}

// ownMedia is what pages of the context see when nothing is set.
func (c *Context) ownMedia() Media {
	if c.opts.ColorScheme == "" {
		return Media{}
	}
	return Media{Features: map[string]string{"prefers-color-scheme": c.opts.ColorScheme}}
}

func mediaCall(m Media) cdp.Call {
	features := []map[string]string{}
	for name, value := range maps.All(m.Features) {
		features = append(features, map[string]string{"name": name, "value": value})
	}
	return cdp.Call{Method: emulation.CommandSetEmulatedMedia, Params: map[string]any{"media": m.Type, "features": features}}
}

// SetTimezone sets the time zone by its name in the tz database, such as "Europe/Berlin"; "" is that of the machine.
func (c *Context) SetTimezone(ctx context.Context, page *Page, zone string) error {
	var s *Standing
	if zone != "" {
		s = &Standing{Calls: []cdp.Call{timezoneCall(""), timezoneCall(zone)}, Undo: []cdp.Call{timezoneCall("")}, Frames: true, Workers: true}
	}
	return c.Stand(ctx, page, timezoneKey, s)
}

func timezoneCall(zone string) cdp.Call {
	return cdp.Call{Method: emulation.CommandSetTimezoneOverride, Params: emulation.SetTimezoneOverrideParams{TimezoneID: zone}}
}

// SetCPU makes scripts of pages run as many times slower; 1 ends it.
func (c *Context) SetCPU(ctx context.Context, page *Page, rate float64) error {
	var s *Standing
	if rate != 1 {
		s = &Standing{Calls: []cdp.Call{cpuCall(rate)}, Undo: []cdp.Call{cpuCall(1)}, Frames: true}
	}
	return c.Stand(ctx, page, cpuKey, s)
}

func cpuCall(rate float64) cdp.Call {
	return cdp.Call{Method: emulation.CommandSetCPUThrottlingRate, Params: emulation.SetCPUThrottlingRateParams{Rate: rate}}
}

// SetPermission answers in advance what pages may ask a person for: name is that of the Permissions standard, such as "camera", setting
// "granted", "denied" or "prompt", origin the only one that is meant, or empty.
func (c *Context) SetPermission(ctx context.Context, name, setting, origin string) error {
	params := map[string]any{"permission": map[string]string{"name": name}, "setting": setting}
	if origin != "" {
		params["origin"] = origin
	}
	return c.callBrowser(ctx, "Browser.setPermission", params)
}

// ResetPermissions forgets all that SetPermission has set. What pages may do with the clipboard by themselves stays as it was.
func (c *Context) ResetPermissions(ctx context.Context) error {
	if err := c.callBrowser(ctx, "Browser.resetPermissions", map[string]any{}); err != nil {
		return err
	}
	if !c.isForeign() {
		c.allowCopying()
	}
	return nil
}

// callBrowser calls a method of the browser that is about this context.
func (c *Context) callBrowser(ctx context.Context, method string, params map[string]any) error {
	if c.id != "" {
		params["browserContextId"] = c.id
	}
	_, err := c.browser.root.CallRaw(ctx, method, params)
	return err
}

// Refused returns what the browser said when it refused a value, or "" for any other error.
func Refused(err error) string {
	if e, ok := errors.AsType[*cdp.Error](err); ok {
		return e.Message
	}
	return ""
}
