package wait

import (
	"context"
	"regexp"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/engine/traffic"
	"github.com/skua-browser/skua/engine/urls"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// addressTest is what a wait asks of an address.
type addressTest struct {
	fits  func(url string) bool
	asked string // for messages
}

// newAddressTest reads the pattern of a wait.
func newAddressTest(c *actions.Call, pattern string) (addressTest, error) {
	switch {
	case c.Bool("exact") && c.Bool("regex"):
		return addressTest{}, c.Invalid("--exact and --regex exclude each other.")
	case c.Bool("exact"):
		return addressTest{fits: func(url string) bool {
			return url == pattern
		}, asked: "is not " + wording.Quote(pattern)}, nil
	case c.Bool("regex"):
		re, err := regexp.Compile(pattern)
		if err != nil {
			return addressTest{}, c.Invalid("the regular expression " + wording.Quote(pattern) + " is not valid: " + err.Error())
		}
		return addressTest{fits: re.MatchString, asked: "does not match /" + pattern + "/"}, nil
	}
	return addressTest{fits: func(url string) bool {
		return urls.Match(pattern, url)
	}, asked: "does not match " + wording.Quote(pattern)}, nil
}

func waitURL(ctx context.Context, c *actions.Call, tab *actions.Tab) (actions.Result, error) {
	test, err := newAddressTest(c, c.String("url"))
	if err != nil {
		return actions.Result{}, err
	}
	limited, cancel := c.WithDeadline(ctx)
	defer cancel()
	last := start{last: run.LastActionIn(tab)}
	already := looksOnce(limited, c, func(ctx context.Context) error {
		return tab.Page.Loading().AwaitURL(ctx, test.fits)
	})
	err = tab.Page.Loading().AwaitURL(limited, test.fits)
	if fault.Is(err, fault.Timeout) {
		return actions.Result{}, c.TimedOut("the address is "+tab.Page.URL()+", which "+test.asked).With("url",
			tab.Page.URL())
	}
	if err != nil {
		return actions.Result{}, err
	}
	url := tab.Page.URL()
	m := last.met(already, last.sinceURL(test.fits), "it came")
	return actions.Result{Data: URLResult{url, already, m.since}, Text: m.found(url)}, nil
}

// waitURLChange waits until the address is another one than it was; it may have become that before the wait began.
func waitURLChange(ctx context.Context, c *actions.Call, tab *actions.Tab) (actions.Result, error) {
	from := c.String("url-change")
	if from == "" {
		from = tab.Page.URL()
	}
	limited, cancel := c.WithDeadline(ctx)
	defer cancel()
	differs := func(url string) bool { return url != from }
	already := looksOnce(limited, c, func(ctx context.Context) error { return tab.Page.Loading().AwaitURL(ctx, differs) })
	err := tab.Page.Loading().AwaitURL(limited, differs)
	if fault.Is(err, fault.Timeout) {
		return actions.Result{}, c.TimedOut("the address is still "+from).With("url", from)
	}
	if err != nil {
		return actions.Result{}, err
	}
	url := tab.Page.URL()
	return actions.Result{
		Data: URLChangeResult{from, url, "url-change", already},
		Text: met{already: already}.found(url),
	}, nil
}

// waitResponse waits for a response: the first match among those that arrived since the last action began and were not
// reported yet.
func waitResponse(ctx context.Context, c *actions.Call, tab *actions.Tab) (actions.Result, error) {
	test, err := newAddressTest(c, c.String("response"))
	if err != nil {
		return actions.Result{}, err
	}
	capture := run.CaptureRequests(tab)
	defer run.KeepCapture(tab, capture)
	var got traffic.Request
	fits := func(r traffic.Request) bool { return r.Status != 0 && test.fits(r.URL) && !capture.Reported[r.ID] }
	limited, cancel := c.WithDeadline(ctx)
	defer cancel()
	err = capture.Traffic.Await(limited, "waiting for a response", func(all []traffic.Request) bool {
		for _, r := range all {
			if fits(r) {
				got = r
				return true
			}
		}
		return false
	})
	if fault.Is(err, fault.Timeout) {
		return actions.Result{}, noResponse(c, capture.Traffic.Requests(), test)
	}
	if err != nil {
		return actions.Result{}, err
	}
	capture.Reported[got.ID] = true
	data := ResponseResult{
		Method: got.Method,
		Status: got.Status,
		Type:   got.Type,
		URL:    got.URL,
		Waited: "response",
	}
	line := strconv.Itoa(got.Status) + " "
	if got.Method != "" { // the request began before anybody listened
		line += got.Method + " "
	}
	return actions.Result{Data: data, Text: line + got.URL}, nil
}

// noResponse says what there was in place of a response that fits.
func noResponse(c *actions.Call, seen []traffic.Request, test addressTest) error {
	const most = 5
	var fitting, others []string
	for _, r := range seen {
		line := strings.TrimSpace(r.Method + " " + r.URL)
		switch {
		case test.fits(r.URL) && r.Failure != "":
			fitting = append(fitting, line+" failed ("+r.Failure+")")
		case test.fits(r.URL) && r.Status == 0:
			fitting = append(fitting, line+" is not answered yet")
		case r.Status != 0:
			others = append(others, strconv.Itoa(r.Status)+" "+line)
		}
	}
	what := "no response came"
	switch {
	case len(fitting) > 0:
		what = strings.Join(fitting[:min(most, len(fitting))], ", ")
	case len(others) > 0:
		what += " whose address fits; seen: " + strings.Join(others[max(0, len(others)-most):], ", ")
	}
	return c.TimedOut(what).With("seen", others).With("fitting", fitting)
}
