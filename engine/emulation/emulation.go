package emulation

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/browser"
	proto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/embedder"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/internal/fault"
)

// Overrides of the device and location that pages see. They apply to a whole context, including its future tabs; see
// [engine.Context.Overrides].

// emulated is what is set in a context, since some of it has to be said together.
type emulated struct {
	mu  sync.Mutex
	now settings
}

type settings struct {
	userAgent string
	languages string // as the header Accept-Language has them
	own       string // the browser's own ones, once others were set: it is not enough to say no more
	device    string
}

var emulating = engine.NewState(func(*engine.Context) *emulated { return &emulated{} })

// Resumed implements [engine.Resumable]: what is set goes on.
func (e *emulated) Resumed() (next any, ended string) { return &emulated{now: e.get()}, "" }

func (e *emulated) get() settings {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.now
}

func (e *emulated) set(change func(*settings)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	change(&e.now)
}

// Screen is what a page is shown on.
type Screen struct {
	Width, Height int     // of the viewport, in CSS pixels
	Scale         float64 // device pixels for each; 0 means the browser's own
	Mobile        bool    // the viewport meta tag counts, scrollbars lie over the page
	Touch         bool    // there are touch events, and the pointer is a finger
	Landscape     bool
}

// The keys of the overrides.
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

// SetScreen sets the viewport and what goes with it; nil gives pages the browser's own again.
func SetScreen(ctx context.Context, c *engine.Context, page *engine.Page, s *Screen) error {
	var screen, touch *engine.Override
	if s != nil {
		orientation := &emulation.ScreenOrientation{Type: "portraitPrimary"}
		if s.Landscape || s.Width > s.Height {
			orientation = &emulation.ScreenOrientation{Type: "landscapePrimary", Angle: 90}
		}
		params := emulation.SetDeviceMetricsOverrideParams{
			Width:             int64(s.Width),
			Height:            int64(s.Height),
			DeviceScaleFactor: s.Scale,
			Mobile:            s.Mobile,
			ScreenWidth:       int64(s.Width),
			ScreenHeight:      int64(s.Height),
		}
		if s.Mobile {
			params.ScreenOrientation = orientation
		}
		screen = &engine.Override{
			What:  "the viewport",
			Calls: []cdp.Call{{Method: emulation.CommandSetDeviceMetricsOverride, Params: params}},
			Undo:  []cdp.Call{{Method: emulation.CommandClearDeviceMetricsOverride}}, Shared: engine.ForPage,
		}
		if s.Touch {
			touch = &engine.Override{
				What:   "the viewport",
				Calls:  []cdp.Call{touchCall(true)},
				Undo:   []cdp.Call{touchCall(false)},
				Frames: true,
				Shared: engine.ForPage,
			}
		}
	}
	if err := c.Overrides().Set(ctx, page, screenKey, screen); err != nil {
		return err
	}
	return c.Overrides().Set(ctx, page, touchKey, touch)
}

func touchCall(on bool) cdp.Call {
	params := emulation.SetTouchEmulationEnabledParams{Enabled: on}
	if on {
		params.MaxTouchPoints = 5
	}
	return cdp.Call{Method: emulation.CommandSetTouchEmulationEnabled, Params: params}
}

// CurrentDevice returns the name of the device that SetDevice has set, or "".
func CurrentDevice(c *engine.Context) string {
	return emulating.Of(c).get().device
}

// SetDevice shows pages as a device does, with its screen and its user agent; nil ends that.
func SetDevice(ctx context.Context, c *engine.Context, page *engine.Page, d *Device) error {
	name, userAgent := "", ""
	var screen *Screen
	if d != nil {
		name, userAgent, screen = d.Name, d.UserAgent, &d.Screen
	}
	if err := SetScreen(ctx, c, page, screen); err != nil {
		return err
	}
	if err := SetUserAgent(ctx, c, page, userAgent); err != nil {
		return err
	}
	emulating.Of(c).set(func(s *settings) { s.device = name })
	return nil
}

// SetUserAgent overrides the user agent that pages and servers see, with the client hints that belong to it; "" removes
// the override.
func SetUserAgent(ctx context.Context, c *engine.Context, page *engine.Page, userAgent string) error {
	return identify(ctx, c, page, func(s *settings) { s.userAgent = userAgent })
}

// environment is what a page sees of the user's preferences.
type environment struct {
	Languages []string `json:"languages"`
}

var opEnvironment = inpage.Define[inpage.None, environment]("environment")

// SetLocale sets the language of a page's formats, and which languages pages and servers are told, by its code, such as
// "de-CH"; "" is the browser's own.
func SetLocale(ctx context.Context, c *engine.Context, page *engine.Page, locale string) error {
	var s *engine.Override
	if locale != "" {
		s = &engine.Override{
			What: "the user agent and language",
			// What is set by another page of the same process has to be taken back before, else it is refused.
			Calls: []cdp.Call{
				localeCall(""),
				localeCall(locale),
			},
			Undo:    []cdp.Call{localeCall("")},
			Frames:  true,
			Workers: true,
			Shared:  engine.ForProcess,
		}
	}
	own := emulating.Of(c).get().own
	if own == "" {
		seen, err := opEnvironment.In(ctx, page.Main(), inpage.None{})
		if err != nil {
			return err
		}
		own = strings.Join(seen.Languages, ",")
	}
	if err := c.Overrides().Set(ctx, page, localeKey, s); err != nil {
		return err
	}
	languages := locale
	if base, _, regional := strings.Cut(locale, "-"); regional {
		languages += "," + base
	}
	return identify(ctx, c, page, func(s *settings) { s.languages, s.own = languages, own })
}

func localeCall(locale string) cdp.Call {
	return cdp.Call{Method: emulation.CommandSetLocaleOverride, Params: emulation.SetLocaleOverrideParams{Locale: locale}}
}

// identify says together what the protocol sets by one call: the user agent, its hints and the languages.
func identify(ctx context.Context, c *engine.Context, page *engine.Page, change func(*settings)) error {
	next := emulating.Of(c).get()
	change(&next)
	var s *engine.Override
	if next.userAgent != "" || next.languages != "" {
		real, err := realUserAgent(ctx, c)
		if err != nil {
			return err
		}
		s = &engine.Override{
			What:    "the user agent and language",
			Calls:   []cdp.Call{identityCall(next, real)},
			Undo:    []cdp.Call{identityCall(settings{own: next.own}, c.Options().UserAgent)},
			Frames:  true,
			Workers: true,
		}
	}
	if err := c.Overrides().Set(ctx, page, identityKey, s); err != nil {
		return err
	}
	emulating.Of(c).set(func(s *settings) { s.userAgent, s.languages, s.own = next.userAgent, next.languages, next.own })
	return nil
}

func identityCall(e settings, real string) cdp.Call {
	params := emulation.SetUserAgentOverrideParams{UserAgent: real, AcceptLanguage: cmp.Or(e.languages, e.own)}
	if e.userAgent != "" {
		params.UserAgent = e.userAgent
		params.Platform = navigatorPlatform(e.userAgent)
		params.UserAgentMetadata = clientHints(e.userAgent)
	}
	return cdp.Call{Method: emulation.CommandSetUserAgentOverride, Params: params}
}

// realUserAgent is what pages of the context are told when nothing is set.
func realUserAgent(ctx context.Context, c *engine.Context) (string, error) {
	if c.Options().UserAgent != "" {
		return c.Options().UserAgent, nil
	}
	var version struct {
		UserAgent string `json:"userAgent"`
	}
	raw, err := c.Browser().Session().CallRaw(ctx, "Browser.getVersion", nil)
	if err != nil {
		return "", err
	}
	return version.UserAgent, cdp.Unmarshal(raw, &version)
}

// Place is where the device says that it is.
type Place struct {
	Latitude, Longitude float64 // in degrees
	Accuracy            float64 // meters
}

// SetPlace sets where the device is, and lets pages ask for it; nil ends both.
func SetPlace(ctx context.Context, c *engine.Context, page *engine.Page, p *Place) error {
	var s *engine.Override
	setting := "prompt"
	if p != nil {
		setting = "granted"
		s = &engine.Override{
			What: "the place",
			Calls: []cdp.Call{{Method: emulation.CommandSetGeolocationOverride, Params: emulation.SetGeolocationOverrideParams{
				Latitude: &p.Latitude, Longitude: &p.Longitude, Accuracy: &p.Accuracy,
			}}},
			// It is the tab's; told to a frame, it would be taken back with that.
			Undo: []cdp.Call{{Method: emulation.CommandClearGeolocationOverride}},
		}
	}
	if err := c.Overrides().Set(ctx, page, placeKey, s); err != nil {
		return err
	}
	return SetPermission(ctx, c, "geolocation", setting, "")
}

// Media is how a page is to be shown.
type Media struct {
	Type     string            // "print", "screen"; empty means as it is
	Features map[string]string // by their names in media queries: "prefers-color-scheme": "dark"
}

// SetMedia sets what media queries see; nil means the truth.
func SetMedia(ctx context.Context, c *engine.Context, page *engine.Page, m *Media) error {
	var s *engine.Override
	if m != nil {
		s = &engine.Override{
			What:   "media features",
			Calls:  []cdp.Call{mediaCall(*m)},
			Undo:   []cdp.Call{mediaCall(ownMedia(c))},
			Frames: true,
			Shared: engine.ForPage,
		}
	}
	return c.Overrides().Set(ctx, page, mediaKey, s)
}

// ownMedia is what pages of the context see when nothing is set.
func ownMedia(c *engine.Context) Media {
	if c.Options().ColorScheme == "" {
		return Media{}
	}
	return Media{Features: map[string]string{"prefers-color-scheme": c.Options().ColorScheme}}
}

// mediaParams are the params of Emulation.setEmulatedMedia: what is empty ends what was set before.
type mediaParams struct {
	Media    string                   `json:"media"`
	Features []emulation.MediaFeature `json:"features"`
}

func mediaCall(m Media) cdp.Call {
	features := []emulation.MediaFeature{}
	for name, value := range m.Features {
		features = append(features, emulation.MediaFeature{Name: name, Value: value})
	}
	return cdp.Call{Method: emulation.CommandSetEmulatedMedia, Params: mediaParams{m.Type, features}}
}

// SetTimezone sets the time zone by its name in the tz database, such as "Europe/Berlin"; "" is that of the machine.
func SetTimezone(ctx context.Context, c *engine.Context, page *engine.Page, zone string) error {
	var s *engine.Override
	if zone != "" {
		s = &engine.Override{
			What:    "the time zone",
			Calls:   []cdp.Call{timezoneCall(""), timezoneCall(zone)},
			Undo:    []cdp.Call{timezoneCall("")},
			Frames:  true,
			Workers: true,
			Shared:  engine.ForProcess,
		}
	}
	return c.Overrides().Set(ctx, page, timezoneKey, s)
}

func timezoneCall(zone string) cdp.Call {
	return cdp.Call{
		Method: emulation.CommandSetTimezoneOverride,
		Params: emulation.SetTimezoneOverrideParams{TimezoneID: zone},
	}
}

// SetCPU makes scripts of pages run as many times slower; 1 ends it.
func SetCPU(ctx context.Context, c *engine.Context, page *engine.Page, rate float64) error {
	var s *engine.Override
	if rate != 1 {
		s = &engine.Override{
			What:   "the slowed processor",
			Calls:  []cdp.Call{cpuCall(rate)},
			Undo:   []cdp.Call{cpuCall(1)},
			Frames: true,
			Shared: engine.ForPage,
		}
	}
	return c.Overrides().Set(ctx, page, cpuKey, s)
}

func cpuCall(rate float64) cdp.Call {
	return cdp.Call{
		Method: emulation.CommandSetCPUThrottlingRate,
		Params: emulation.SetCPUThrottlingRateParams{Rate: rate},
	}
}

// SetPermission answers in advance what pages may ask a person for. name is a name of the Permissions standard, such as
// "camera"; setting is "granted", "denied" or "prompt"; origin restricts it to one origin unless it is empty.
func SetPermission(ctx context.Context, c *engine.Context, name, setting, origin string) error {
	return callBrowser(ctx, c, "Browser.setPermission", browser.SetPermissionParams{
		Permission: &browser.PermissionDescriptor{Name: name}, Setting: browser.PermissionSetting(setting), Origin: origin,
		BrowserContextID: proto.BrowserContextID(c.ID()),
	})
}

// ResetPermissions forgets all that SetPermission has set. What pages may do with the clipboard by themselves stays as
// it was.
func ResetPermissions(ctx context.Context, c *engine.Context) error {
	if err := callBrowser(ctx, c, "Browser.resetPermissions", browser.ResetPermissionsParams{
		BrowserContextID: proto.BrowserContextID(c.ID()),
	}); err != nil {
		return err
	}
	c.AllowCopying()
	return nil
}

// callBrowser calls a method of the browser that is about a context.
func callBrowser(ctx context.Context, c *engine.Context, method string, params any) error {
	_, err := c.Browser().Session().CallRaw(ctx, method, params)
	if err != nil && embedder.StandIn(ctx, c) != nil {
		return fault.New(fault.Protocol,
			"the program that shows this page decides itself what pages may do; its browser takes no permissions from others").
			WithHint(
				"In an Electron app, `electron main` sets them: "+
					"require('electron').session.defaultSession.setPermissionRequestHandler((page, what, answer) => answer(true)).").
			With("method", method)
	}
	return err
}

// Refused returns the browser's message if it refused a value, or "" for any other error.
func Refused(err error) string {
	if e, ok := errors.AsType[*cdp.Error](err); ok {
		return e.Message
	}
	return ""
}
