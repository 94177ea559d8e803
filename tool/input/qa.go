package input

import (
	"encoding/json"
	"strings"

	"github.com/skua-browser/skua/tool/contract"
)

// The fields of generated rows of a check of a page.
const (
	FromErrorBaseline    = "qa.errorBaselineAfterClear"
	FromDiagnosticReset  = "qa.diagnosticReset"
	fromDiagnosticSettle = "qa.diagnosticSettle"
)

// Actions of the rows of a check of a page.
const (
	QAExpectedText     = "assertText"
	QAExpectedSelector = "assertSelector"
	QANetwork          = "checkNetwork"
	QAConsole          = "checkConsole"
	QAErrors           = "checkErrors"
)

const (
	settleMs       = "150"  // what a page that has loaded may still log
	textPatienceMs = "5000" // how long a text or an element is waited for
)

var qaFields = []string{
	"attached", "checkConsole", "checkErrors", "checkNetwork", "expectedSelector", "expectedText", "loadState",
	"screenshotPath", "url",
}

// qa reads a check of a page.
func qa(raw json.RawMessage) (*contract.CompiledQAPreset, error) {
	o := read("qa", raw, qaFields)
	attached := o.bool("attached", false)
	switch {
	case attached && o.has("url"):
		o.fail("qa.url must be omitted when qa.attached is true.")
	case !attached && !o.has("url"):
		o.fail("qa.url is required unless qa.attached is true.")
	}
	c := contract.QAChecks{
		Attached:                attached,
		DiagnosticsResetAtStart: !attached,
		URL:                     strings.TrimSpace(o.word("url")),
		ExpectedText:            o.texts("expectedText"),
		ExpectedSelector:        o.word("expectedSelector"),
		ScreenshotPath:          o.word("screenshotPath"),
		CheckConsole:            o.bool("checkConsole", !attached),
		CheckErrors: o.bool("checkErrors",
			!attached),
		CheckNetwork: o.bool("checkNetwork", !attached),
		LoadState:    o.oneOf("loadState", "domcontentloaded", loadStates...),
	}
	if o.err != nil {
		return nil, o.err
	}
	p := &plan{}
	if !attached {
		p.reset(&c)
	}
	p.check(&c)
	return &contract.CompiledQAPreset{CompiledJob: p.job(true), Checks: c}, nil
}

// texts reads one text or several.
func (o *object) texts(name string) []string {
	if raw := o.fields[name]; len(raw) > 0 && raw[0] == '"' {
		return []string{o.word(name)}
	}
	if !o.has(name) {
		return []string{}
	}
	var list []string
	o.decode(name, &list, "a string or an array of non-empty strings")
	for _, s := range list {
		if strings.TrimSpace(s) == "" {
			o.fail("%s.%s must be a string or an array of non-empty strings.", o.path, name)
		}
	}
	return list
}

// reset empties what the browser has collected, so that only what the page does is judged, and opens the page.
func (p *plan) reset(c *contract.QAChecks) {
	if c.CheckNetwork {
		p.addFrom(QANetwork, FromDiagnosticReset, "network", "requests", "--clear")
	}
	if c.CheckConsole {
		p.addFrom(QAConsole, FromDiagnosticReset, "console", "--clear")
	}
	if c.CheckErrors {
		p.addFrom(QAErrors, FromDiagnosticReset, "errors", "--clear")
		p.addFrom(QAErrors, FromErrorBaseline, "errors")
	}
	p.add("open", "open", c.URL)
}

func (p *plan) check(c *contract.QAChecks) {
	p.add("wait", "wait", "--load", c.LoadState)
	if c.CheckConsole || c.CheckErrors {
		p.addFrom("wait", fromDiagnosticSettle, "wait", settleMs)
	}
	for _, text := range c.ExpectedText {
		p.add(QAExpectedText, "wait", "--fn", VisibleText(text), "--timeout", textPatienceMs)
	}
	if c.ExpectedSelector != "" {
		p.add(QAExpectedSelector, "wait", c.ExpectedSelector, "--timeout", textPatienceMs)
	}
	if c.CheckNetwork {
		p.add(QANetwork, "network", "requests")
	}
	if c.CheckConsole {
		p.add(QAConsole, "console")
	}
	if c.CheckErrors {
		p.add(QAErrors, "errors")
	}
	if c.ScreenshotPath != "" {
		p.add("screenshot", "screenshot", c.ScreenshotPath)
	}
}

// visibleText is true when a text can be seen on the page, in a text node or as the value of a control. It is bounded,
// so that a page of any size answers at once.
const visibleText = `(() => {
const want = TEXT.replace(/\s+/g, " ").trim();
const flat = (s) => (s || "").replace(/\s+/g, " ");
const seen = (el) => {
  for (let e = el; e; e = e.parentElement || (e.getRootNode().host || null)) {
    if (/^(script|style|noscript|svg|template)$/i.test(e.tagName) || e.hidden || e.getAttribute("aria-hidden") === "true") return false;
    const s = getComputedStyle(e);
    if (s.display === "none" || e === el && s.visibility !== "visible") return false;
  }
  return true;
};
const root = document.body || document.documentElement;
if (!root) return false;
const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
const groups = new Map();
for (let n = 0, t = walk.nextNode(); t && n < 6000; n++, t = walk.nextNode()) {
  const el = t.parentElement;
  if (!el || !t.data.trim() && !groups.has(el)) continue;
  const list = el.closest("select");
  if (list && !list.multiple && list.size < 2) continue;
  let block = el;
  while (block !== root && block.parentElement && getComputedStyle(block).display.startsWith("inline")) block = block.parentElement;
  if (!seen(el)) continue;
  const all = (groups.get(block) || "") + t.data;
  groups.set(block, all);
  if (flat(all).includes(want)) return true;
}
let n = 0;
for (const el of root.querySelectorAll("input,textarea,select,button")) {
  if (++n > 3000) break;
  if (el.type === "password" || el.type === "hidden") continue;
  const value = el.tagName === "SELECT" ? Array.from(el.selectedOptions, (o) => o.text).join(" ") : el.value || el.placeholder;
  if (value && flat(value).includes(want) && seen(el)) return true;
}
return false;
})()`

// VisibleText is the expression that is true when the text can be seen on the page.
func VisibleText(text string) string {
	quoted, _ := json.Marshal(text) // strings can always be encoded
	return strings.Replace(visibleText, "TEXT", string(quoted), 1)
}
