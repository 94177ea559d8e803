package look

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/plainjson"
)

func locatorCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "get locator",
			Group:   actions.GroupReading,
			Summary: "Print selectors that find just this element, for scripts and tests",
			Help: "Prints selectors of skua by test id, role and name, label, placeholder, alternative text, title, " +
				"text, CSS and XPath, the most lasting first, and the first of them as a locator of Playwright. Each " +
				"is tried in the page: it finds this element and no other. What others have, too, is left out, or " +
				"told apart by a landmark or by its place among the matches.",
			Args:     []actions.Arg{actions.SelectorArg()},
			Examples: []actions.Example{{Line: "get locator @e3"}},
		},
		Schedule: actions.Schedule{Effect: actions.InTab | actions.Reads},
		Safety:   actions.Safety{Families: policy.Does()},
		Showing:  actions.Showing{Traits: trait.ReadsElement},
		Bindings: actions.Bindings{Data: []any{LocatorsResult{}}},
		Run:      runGetLocator,
	}
}

// LocatorsResult is that of `get locator`: at least one, the most lasting first.
type LocatorsResult struct {
	Locators []Locator `json:"locators"`
	Origin   string    `json:"origin"`
}

// Locator finds one element of a page, in the words of skua and of Playwright.
type Locator struct {
	By         string `json:"by"` // testid, role, label, placeholder, alt, title, text, css or xpath
	Playwright string `json:"playwright"`
	Selector   string `json:"selector"`
}

// locators is the answer of the in-page op of that name.
type locators struct {
	element.Located
	Locators []locator `json:"locators"`
}

// locator is a way to find an element, as the page names it.
type locator struct {
	By       string `json:"by"`
	Value    string `json:"value"`              // what it looks for: a role, a text, a selector
	Name     string `json:"name,omitempty"`     // of a role
	Landmark string `json:"landmark,omitempty"` // in which it is the only match
	Nth      *int   `json:"nth,omitempty"`      // among the matches, from 0
}

// locatorsArg is its argument.
type locatorsArg struct{ element.Targeted }

var opLocators = inpage.Define[locatorsArg, locators]("locators")

// lasting are the ways to find an element, the one first that pages change least.
var lasting = []string{"testid", "role", "label", "placeholder", "alt", "title", "text", "css", "xpath"}

func runGetLocator(ctx context.Context, c *actions.Call) (actions.Result, error) {
	tab, t, err := reading(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	res, err := element.RunOp(watched, c, t, opLocators, locatorsArg{})
	if err != nil {
		return actions.Result{}, err
	}
	slices.SortStableFunc(res.Locators, func(a, b locator) int {
		if placed := placedOf(&a) - placedOf(&b); placed != 0 {
			return placed
		}
		return slices.Index(lasting, a.By) - slices.Index(lasting, b.By)
	})
	data := LocatorsResult{Locators: []Locator{}, Origin: tab.Page.URL()}
	for _, one := range res.Locators {
		selector := one.selector()
		only, err := onlyMatch(watched, c, t, selector, res.Token)
		if err != nil {
			return actions.Result{}, err
		}
		if only {
			data.Locators = append(data.Locators, Locator{By: one.By, Selector: selector, Playwright: one.playwright()})
		}
	}
	if t.Frame.Parent() != nil {
		c.Note("the element is in a frame: choose that with `frame` first; Playwright's `page` stands for its frameLocator")
	}
	var lines []string
	for _, l := range data.Locators {
		lines = append(lines, fmt.Sprintf("%-11s %s", l.By, l.Selector))
	}
	if len(data.Locators) > 0 {
		lines = append(lines, fmt.Sprintf("%-11s %s", "playwright", data.Locators[0].Playwright))
	} else {
		c.Note("no selector finds this element and no other")
	}
	return actions.Result{Data: data, Text: strings.Join(lines, "\n")}, nil
}

// placedOf is 1 for a locator that depends on a place among others, which changes when these do.
func placedOf(l *locator) int {
	if l.Nth != nil || l.By == "xpath" {
		return 1
	}
	return 0
}

// onlyMatch reports whether a selector, read as commands read it, finds the element with this token and no other.
func onlyMatch(ctx context.Context, c *actions.Call, t *element.Target, selector string, token int64) (bool, error) {
	want, _, err := element.ParseSelector(selector)
	if err != nil {
		return false, nil //nolint:nilerr // what commands cannot read is not handed out
	}
	found, err := element.FindNow(ctx, c, &element.Target{Label: selector, Tab: t.Tab, Frame: t.Frame, Want: want})
	switch {
	case fault.Is(err, fault.SelectorNotFound), fault.Is(err, fault.SelectorInvalid):
		return false, nil
	case err != nil:
		return false, err
	}
	return found.Token == token && (found.Count == 1 || want.Index != nil), nil
}

// selector is the locator as commands take it.
func (l *locator) selector() string {
	switch l.By {
	case "css":
		return "css=" + l.Value
	case "xpath":
		return "xpath=" + l.Value
	case "role":
		return l.role()
	case "text":
		if l.Landmark == "" && l.Nth == nil {
			return "text=" + l.Value
		}
		return l.structured(structured{Kind: "text", Text: l.Value})
	case "label", "placeholder":
		return l.By + `="` + l.Value + `"`
	}
	return l.By + "=" + l.Value
}

func (l *locator) role() string {
	if strings.ContainsAny(l.Name, "\"\\\n[]") {
		return l.structured(structured{Role: l.Value, Name: &exactName{l.Name}})
	}
	s := "role=" + l.Value
	if l.Name != "" {
		s += `[name="` + l.Name + `"]`
	}
	if l.Landmark != "" {
		s += "[landmark=" + l.Landmark + "]"
	}
	if l.Nth != nil {
		s += "[nth=" + strconv.Itoa(*l.Nth) + "]"
	}
	return s
}

// structured is a selector in JSON.
type structured struct {
	Kind     string     `json:"kind,omitempty"`
	Role     string     `json:"role,omitempty"`
	Name     *exactName `json:"name,omitempty"`
	Text     string     `json:"text,omitempty"`
	Landmark string     `json:"landmark,omitempty"`
	Nth      *int       `json:"nth,omitempty"`
}

type exactName struct {
	Exact string `json:"exact"`
}

// structured is the locator as a selector in JSON.
func (l *locator) structured(s structured) string {
	s.Landmark, s.Nth = l.Landmark, l.Nth
	b, err := plainjson.Marshal(s)
	if err != nil { // of strings and numbers it cannot fail
		return ""
	}
	return string(b)
}

// methods are Playwright's for ways to find an element.
var methods = map[string]string{
	"testid": "getByTestId", "label": "getByLabel", "placeholder": "getByPlaceholder", "alt": "getByAltText",
	"title": "getByTitle", "text": "getByText",
}

// landmarkRoles are ARIA's names for landmarks that selectors name by element.
var landmarkRoles = map[string]string{
	"nav": "navigation", "header": "banner", "footer": "contentinfo", "aside": "complementary",
}

// ariaRoles are ARIA's names for roles that Chrome names otherwise.
var ariaRoles = map[string]string{"image": "img"}

// playwright is the locator as a script for Playwright has it.
func (l *locator) playwright() string {
	s := "page"
	if l.Landmark != "" {
		role := l.Landmark
		if aria, ok := landmarkRoles[role]; ok {
			role = aria
		}
		s += ".getByRole(" + plainjson.Quote(role) + ")"
	}
	switch l.By {
	case "css":
		s += ".locator(" + plainjson.Quote(l.Value) + ")"
	case "xpath":
		s += ".locator(" + plainjson.Quote("xpath="+l.Value) + ")"
	case "role":
		role := l.Value
		if aria, ok := ariaRoles[role]; ok {
			role = aria
		}
		s += ".getByRole(" + plainjson.Quote(role)
		if l.Name != "" {
			s += ", { name: " + plainjson.Quote(l.Name) + ", exact: true }"
		}
		s += ")"
	case "testid", "text":
		s += "." + methods[l.By] + "(" + plainjson.Quote(l.Value) + ")"
	default:
		s += "." + methods[l.By] + "(" + plainjson.Quote(l.Value) + ", { exact: true })"
	}
	if l.Nth != nil {
		s += ".nth(" + strconv.Itoa(*l.Nth) + ")"
	}
	return s
}
