package judging

import (
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
)

// The words by which callers know a click that reached nothing.
const (
	noEventObserved = "no-native-event-observed"
	noTargetEvent   = "native-click-produced-no-target-dom-event"
)

// presses reports whether the command presses a pointer's button on an element.
func presses(line *argv.Words) bool {
	return line.Does(trait.Presses) || line.Found().Is(trait.Presses)
}

// Missed returns the account of a press that did not reach its target, from the facts of the engine's error, or nil if
// the error is about something else.
func Missed(line *argv.Words, code fault.Code, facts *FailureFacts) (*contract.ClickDispatch, []contract.NextAction) {
	if code != fault.TargetMissed && code != fault.TargetCovered || !presses(line) {
		return nil, nil
	}
	d := &contract.ClickDispatch{Status: noEventObserved, Reason: noTargetEvent, Target: contract.ClickTarget{
		Kind:  "selector",
		RefID: facts.Ref,
		Role:  facts.Role,
		Name:  facts.Name,
		Tag:   facts.Tag,
	}}
	if !line.Akin(trait.Finds) {
		d.Target.Selector = line.Positional(0)
	}
	if d.Target.RefID != "" {
		d.Target.Kind = "accessible"
	}
	d.NativeEventCount = len(facts.Received)
	for _, by := range [...]contract.ShownElement{facts.covering.element(), facts.on.element()} {
		if by != (contract.ShownElement{}) {
			d.CoveredBy = &by
			break
		}
	}
	return d, afterMiss(line, d.Target.RefID)
}

// afterMiss is what to do about a press that reached nothing. Target is the element's ref, if it is known.
func afterMiss(line *argv.Words, target string) []contract.NextAction {
	list := []contract.NextAction{
		look("inspect-click-dispatch-miss", "See what covers the element, or replaced it."),
		caution(Act("retry-click-after-dispatch-miss", "Click again once nothing is in the way.", line.Rest()...),
			"Nothing was clicked; first remove what is in the way."),
	}
	if target == "" && !line.Akin(trait.Finds) {
		target = line.Positional(0)
	}
	if target != "" {
		list = append(list,
			Act("scroll-target-into-view-after-dispatch-miss", "Bring the element to where it can be clicked.", "scrollintoview",
				target))
	}
	return list
}

// MissedText is what the model reads of it.
func MissedText(d *contract.ClickDispatch) string {
	text := "Click dispatch diagnostic: no click reached the element"
	if by := d.CoveredBy; by != nil {
		text += "; it would have gone to " + named(by)
	}
	return text + ". Nothing was clicked in its place."
}

func named(el *contract.ShownElement) string {
	role := el.Role
	if role == "" || role == "generic" {
		role = el.Element
	}
	if el.Name != "" {
		role += ` "` + el.Name + `"`
	}
	if el.Ref != "" {
		role += " (" + el.Ref + ")"
	}
	return role
}

// ClickWatch returns the script that counts the trusted events which the target of a click gets, and what the target is
// called; no script when the target cannot be found by a script: only XPath and refs of some roles can.
func ClickWatch(
	target string, refs map[string]contract.Ref, roles map[string]bool,
) (script string, descriptor *contract.ClickTarget) {
	var find string
	if path, ok := strings.CutPrefix(target, "xpath="); ok {
		find = `document.evaluate(` + jsString(path) +
			`, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE, null).singleNodeValue`
		descriptor = &contract.ClickTarget{Kind: "xpath", Selector: target}
	} else {
		id, isRef := strings.CutPrefix(target, "@")
		ref, known := refs[id]
		if !isRef || !known || !roles[ref.Role] || ref.Name == "" {
			return "", nil
		}
		nth := 0
		for other, r := range refs {
			if r == ref && number(other) < number(id) {
				nth++
			}
		}
		find = `named(` + jsString(ref.Role) + `, ` + jsString(ref.Name) + `)[` + strconv.Itoa(nth) + `]`
		descriptor = &contract.ClickTarget{
			Kind:           "accessible",
			RefID:          target,
			Role:           ref.Role,
			Name:           ref.Name,
			DuplicateIndex: nth,
		}
	}
	return `(() => {
  const plain = (s) => (s || '').replace(/\s+/g, ' ').trim();
  const implied = { button: 'button, input[type=button], input[type=submit], input[type=reset], summary', checkbox: 'input[type=checkbox]', radio: 'input[type=radio]' };
  const label = (el) => plain(el.getAttribute('aria-label') || (el.labels && el.labels[0] && el.labels[0].innerText) || el.innerText || el.value || el.title);
  const named = (role, name) => Array.from(document.querySelectorAll('[role=' + role + ']' + (implied[role] ? ', ' + implied[role] : '')))
    .filter((el) => (el.getAttribute('role') || role) === role && el.getClientRects().length > 0 && label(el) === plain(name));
  const el = ` + find + `;
  if (!el) return { watching: false };
  const watch = { count: 0, target: el, kinds: ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'] };
  watch.listen = (e) => { if (e.isTrusted && e.composedPath().includes(el)) watch.count++; };
  for (const kind of watch.kinds) addEventListener(kind, watch.listen, true);
  window[Symbol.for('skua.click')] = watch;
  return { watching: true };
})()`, descriptor
}

// ClickUnwatch is the script that ends the watch and says what it counted.
const ClickUnwatch = `(() => {
  const key = Symbol.for('skua.click');
  const watch = window[key];
  if (!watch) return {};
  for (const kind of watch.kinds) removeEventListener(kind, watch.listen, true);
  delete window[key];
  return { count: watch.count };
})()`

func number(id string) int { n, _ := strconv.Atoi(strings.TrimPrefix(id, "e")); return n }

// MissedByWatch makes the account of a click of which the page saw nothing.
func MissedByWatch(line *argv.Words, target *contract.ClickTarget) (*contract.ClickDispatch, []contract.NextAction) {
	return &contract.ClickDispatch{Status: noEventObserved, Reason: noTargetEvent, Target: *target}, afterMiss(line, "")
}
