package inpage

import (
	"bytes"
	"embed"
	"strconv"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// World is the name of the isolated world in which the script is installed.
const World = "skua"

// global is the script's one name in its world.
const global = "__skua"

//go:embed js/*.js
var files embed.FS

// order is the order of the files in the script. Functions are hoisted over the whole of it; constants and the registrations of ops run
// from top to bottom, so that a file's top level may use only what stands above it.
var order = []string{
	"older", "dom", "tokens", "facts", "pierce",
	"visibility", "styles", "generated",
	"role", "table",
	"name", "content", "native", "description",
	"state", "listening", "clickable", "states", "properties",
	"included", "order", "place", "walk",
	"access", "shadow", "until", "text",
	"area", "geometry", "unseen", "screen", "motion", "stable",
	"locate", "refs", "find", "conditions", "landed", "cover", "aim", "focus", "edit", "select", "read", "curtain", "wait", "effects", "framebox", "frame", "marks", "serialize", "loading",
	"editor", "typed", "clipboard",
	"files", "options", "choosing", "checking",
	"rest", "scroll", "view", "gesture", "drag",
	"identify",
	"capabilities", "capabilitieswatch", "capabilitiesforms", "capabilitieslists", "capabilitiesfields",
	"selectors", "submit",
}

// Source returns the script as a function expression that takes the id for the document and returns the id that the document has.
var Source = sync.OnceValue(func() string { return lean(build()) })

func build() string {
	var b strings.Builder
	// An element with the id "__skua" is a property of the window too, but not one of its own.
	b.WriteString("(docID=>{'use strict';if(Object.prototype.hasOwnProperty.call(globalThis,'" + global + "'))return globalThis." + global + ".doc;\n")
	for _, name := range order {
		src, err := files.ReadFile("js/" + name + ".js")
		if err != nil {
			src = []byte("throw new Error(" + quote(err.Error()) + ")")
		}
		b.Write(src)
		b.WriteByte('\n')
	}
	b.WriteString("Object.defineProperty(globalThis,'" + global + "',{value:{doc:docID,ops,tokenOf,elementOf,identify}});return docID})")
	return b.String()
}

// Install returns the expression that installs the script in a document, unless it is installed there, and yields the document's id:
// docID, or the one that the document was given before.
func Install(docID string) string { return Source() + "(" + quote(docID) + ")" }

// Call returns the expression that calls an op with arg, which is JSON. An empty arg stands for {}.
func Call(op string, arg []byte) string {
	return "globalThis." + global + ".ops." + op + "(" + literal(arg) + ")"
}

// CallQuietly is Call for an op that shall not ask for what may be hidden in closed trees, but go on with what is known.
func CallQuietly(op string, arg []byte) string {
	return "globalThis." + global + ".ops.quietly({op:" + quote(op) + ",arg:" + literal(arg) + "})"
}

// TokenFunction is a function declaration that yields the token of the element which it is called on.
const TokenFunction = "function(){return globalThis." + global + ".tokenOf(this)}"

// PierceFunction is a function declaration that registers the shadow roots which it is called with, and yields how many of them are new.
const PierceFunction = "function(...roots){return globalThis." + global + ".ops.pierce(roots)}"

// IdentifyFunction is a function declaration that yields what function identify of the script says of the elements which are its arguments.
const IdentifyFunction = "function(...nodes){return globalThis." + global + ".identify(nodes)}"

// Element returns the expression that yields the element with the token, or null.
func Element(token int64) string {
	return "globalThis." + global + ".elementOf(" + strconv.FormatInt(token, 10) + ")"
}

// ListenFunction is a function declaration that tells the page on which elements scripts listen. It takes two arrays of numbers, of the
// elements on which nobody listens any more and of the others, and the latter, and yields how much of it is news.
const ListenFunction = "function(gone,ids,...els){return globalThis." + global + ".ops.listen({gone,ids,els})}"

// literal returns JavaScript for a JSON text. JSON is JavaScript but for the key __proto__, which would set a prototype.
func literal(arg []byte) string {
	switch {
	case len(bytes.TrimSpace(arg)) == 0:
		return "{}"
	case !jsonv2.Value(arg).IsValid() || bytes.Contains(arg, []byte("__proto__")) || bytes.Contains(arg, []byte(`\u005f`)):
		return "JSON.parse(" + quote(string(arg)) + ")"
	}
	return string(arg)
}

// quote returns a JavaScript string literal.
func quote(s string) string {
	q, _ := jsonv2.Marshal(strings.ToValidUTF8(s, "\ufffd")) // a valid UTF-8 string always has a JSON form
	return string(q)
}
