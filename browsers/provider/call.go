package provider

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/internal/fault"
)

// call is one Start under way.
type call struct {
	Request
	name, title string
	secrets     []string // that must not be seen in an error
	pulse       time.Duration
}

// key returns a secret of the environment. Its error names the variable.
func (c *call) key(name string) (string, error) {
	v := strings.TrimSpace(c.Getenv(name))
	if v == "" {
		return "", fault.New(fault.Usage, "%s environment variable is not set", name).About(name)
	}
	c.hides(v)
	return v, nil
}

// hides keeps a text out of errors.
func (c *call) hides(secrets ...string) {
	for _, s := range secrets {
		if s != "" {
			c.secrets = append(c.secrets, s)
			if q := url.QueryEscape(s); q != s {
				c.secrets = append(c.secrets, q)
			}
		}
	}
}

// hide takes the secrets out of an error, and adds the provider to errors of other packages.
func (c *call) hide(err error) error {
	f, ok := errors.AsType[*fault.Error](err)
	switch {
	case ok:
	case errors.Is(err, context.DeadlineExceeded):
		f = fault.New(fault.Timeout, "%s returned no browser in time", c.title).
			WithHint("Give the command more time: --timeout 60000.")
	case errors.Is(err, context.Canceled):
		f = fault.New(fault.Canceled, "the request to %s was canceled", c.title)
	default:
		f = fault.New(fault.ProviderFailed, "%s: %s", c.title, err.Error())
	}
	f.Message, f.Hint, f.Subject, f.Err = c.clean(f.Message), c.clean(f.Hint), c.clean(f.Subject), nil
	return f.With("provider", c.name)
}

func (c *call) clean(text string) string {
	for _, s := range c.secrets {
		text = strings.ReplaceAll(text, s, "***")
	}
	return text
}

// firstOf returns the value of the first of the variables that is set, else fallback.
func (c *call) firstOf(fallback string, names ...string) string {
	for _, name := range names {
		if v := strings.TrimSpace(c.Getenv(name)); v != "" {
			return v
		}
	}
	return fallback
}

// baseURL returns the address of an API without its user, which is a secret, and without a slash at the end.
func (c *call) baseURL(fallback string, names ...string) (*url.URL, error) {
	given := c.firstOf(fallback, names...)
	u, err := url.Parse(given)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fault.New(fault.Usage, "%s is not an http address", strings.Join(names, " or ")).About(names[0]).
			WithHint("It looks like https://host:port.")
	}
	u.Path = strings.TrimSuffix(u.Path, "/")
	u.RawQuery, u.Fragment = "", ""
	return u, nil
}

// boolean reads a variable that is true or false.
func (c *call) boolean(name string, fallback bool) (bool, error) {
	switch v := strings.ToLower(strings.TrimSpace(c.Getenv(name))); v {
	case "":
		return fallback, nil
	case "1", "true", "yes", "on":
		return true, nil
	case "0", "false", "no", "off":
		return false, nil
	default:
		return false, fault.New(fault.Usage, "%s must be true or false, not %s", name, strconv.Quote(v)).About(name)
	}
}

// number reads a variable that is a whole number from lowest to highest; 0 when it is not set.
func (c *call) number(name, unit string, lowest, highest int) (int, error) {
	v := strings.TrimSpace(c.Getenv(name))
	if v == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < lowest || n > highest {
		return 0, fault.New(fault.Usage, "%s is a number of %s from %d to %d, not %s", name, unit, lowest, highest,
			strconv.Quote(v)).About(name)
	}
	return n, nil
}

// failed is an answer of the provider that is of no use.
func (c *call) failed(format string, args ...any) *fault.Error {
	return fault.New(fault.ProviderFailed, c.title+" "+format, args...).About(c.name)
}
