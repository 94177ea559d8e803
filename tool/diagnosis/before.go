package diagnosis

import (
	"context"
	"reflect"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/judging"
)

// Watch is what was noted before a command.
type Watch struct {
	positions *positions            // where the page stood before a scroll
	target    *contract.ClickTarget // of a click whose events the page counts
}

// Before notes what a diagnostic has to compare with later. Natively the answer itself tells before and after. A
// session that may not have a browser yet is not asked: the question would start one without the call's options.
func Before(ctx context.Context, c Command) (w Watch) {
	if c.Can().TellsEffects || c.State.Target.URL == "" {
		return w
	}
	switch {
	case judging.MovesPage(c.Line):
		w.positions = ask[positions](ctx, &c, positionsScript)
	case c.Line.Does(trait.Clicks) && c.App == nil: // apps handle events in ways of their own
		w.target = c.watchClick(ctx)
	}
	return w
}

// positionsScript yields where the page and what scrolls in it stand. No ids and classes are part of it.
const positionsScript = `(() => {
  const root = document.scrollingElement || document.documentElement;
  const containers = [];
  for (const el of document.querySelectorAll('*')) {
    if (containers.length === 10) break;
    if (el === root || el.scrollHeight <= el.clientHeight + 1 && el.scrollWidth <= el.clientWidth + 1) continue;
    const s = getComputedStyle(el);
    if (!/auto|scroll|overlay/.test(s.overflowX + s.overflowY)) continue;
    containers.push({ index: containers.length, tagName: el.tagName.toLowerCase(), role: el.getAttribute('role') || '', x: el.scrollLeft, y: el.scrollTop });
  }
  return { x: scrollX, y: scrollY, innerWidth, innerHeight, scrollWidth: root.scrollWidth, scrollHeight: root.scrollHeight, containers };
})()`

// samePositions compares two accounts of positionsScript. That a page has grown is not a movement.
func samePositions(a, b positions) bool {
	a.ScrollWidth, a.ScrollHeight = b.ScrollWidth, b.ScrollHeight
	return reflect.DeepEqual(a, b)
}

// positions is what positionsScript yields.
type positions struct {
	X            float64     `json:"x"`
	Y            float64     `json:"y"`
	InnerWidth   float64     `json:"innerWidth"`
	InnerHeight  float64     `json:"innerHeight"`
	ScrollWidth  float64     `json:"scrollWidth"`
	ScrollHeight float64     `json:"scrollHeight"`
	Containers   []container `json:"containers"`
}

// container is an element that scrolls.
type container struct {
	Index   int     `json:"index"`
	TagName string  `json:"tagName"`
	Role    string  `json:"role"`
	X       float64 `json:"x"`
	Y       float64 `json:"y"`
}

// comboboxScript yields what has the focus, and how many lists and options can be seen.
const comboboxScript = `(() => {
  const seen = (el) => {
    const s = getComputedStyle(el);
    return s.display !== 'none' && s.visibility === 'visible' && Array.from(el.getClientRects()).some((r) => r.width > 0 && r.height > 0);
  };
  const count = (selector) => Array.from(document.querySelectorAll(selector)).filter(seen).length;
  let el = document.activeElement;
  while (el && el.shadowRoot && el.shadowRoot.activeElement) el = el.shadowRoot.activeElement;
  const attr = (name) => (el && el.getAttribute(name)) || '';
  return {
    activeElement: el && {
      combobox: attr('role') === 'combobox' || el.tagName === 'SELECT' || attr('aria-haspopup') === 'listbox' || el.hasAttribute('list'),
      tagName: el.tagName.toLowerCase(), role: attr('role'), expanded: attr('aria-expanded'), hasPopup: attr('aria-haspopup'),
      name: (attr('aria-label') || attr('name') || attr('placeholder')).slice(0, 80),
    },
    visibleListboxCount: count('[role=listbox]'), visibleOptionCount: count('[role=option], [role=menuitem], [role=menuitemradio], [role=menuitemcheckbox]'),
  };
})()`

// editableScript yields the text of the editable element that has the focus, and whether its text must not be read.
const editableScript = `(() => {
  const el = document.activeElement;
  return { editable: !!el && el.isContentEditable, secret: !!el && el.type === 'password', text: el && el.isContentEditable ? el.innerText.slice(0, 20000) : '' };
})()`

// clickRoles are the roles of refs whose clicks are watched.
var clickRoles = map[string]bool{
	"button": true, "checkbox": true, "menuitem": true, "radio": true, "switch": true,
	"tab": true,
}

// watchClick lets the page count the events that the target of a click gets. Which element a ref means is only known by
// its role and name, so that only those are watched that can be found by them.
func (c *Command) watchClick(ctx context.Context) (target *contract.ClickTarget) {
	script, target := judging.ClickWatch(c.Line.Positional(0), c.State.Refs.Known(), clickRoles)
	if script == "" {
		return nil
	}
	if seen := ask[struct{ Watching bool }](ctx, c, script); seen == nil || !seen.Watching {
		return nil
	}
	return target
}

// missedByProbe takes the watch of a click away, and makes a failure of a click that reached nothing. It is taken away
// after failures, too.
func (x *examination) missedByProbe(ctx context.Context) bool {
	target := x.Watch.target
	if target == nil {
		return false
	}
	x.Watch.target = nil
	seen := ask[struct{ Count *int }](ctx, &x.Command, judging.ClickUnwatch)
	if seen == nil || seen.Count == nil || *seen.Count > 0 || !x.Answer.Success {
		// a page that is another one now has taken the watch with it
		return false
	}
	d, after := judging.MissedByWatch(x.Line, target)
	x.found.ClickDispatch = d
	x.fail(contract.UpstreamError, judging.MissedText(d))
	x.tell(judging.MissedText(d), after)
	return true
}
