package inpage

import (
	"bytes"
	_ "embed" // the bundle
	"strconv"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// World is the name of the isolated world in which the script is installed.
const World = "skua"

// global is the script's one name in its world; js/main.js defines it.
const global = "__skua"

// The modules in js, bundled (internal/pagescript).
//
//go:generate go run ../../internal/pagescript/bundle -tools ../../scripts/packaging/go.mod .
//go:embed bundle/main.js
var bundle string

// installer is the name of the function that installs the script.
const installer = "__skuaInstall"

// Bring is an expression that brings the script into a document's world, where it does nothing before [Install]. It is
// short, since it goes over the pipe and is converted twice on the way: a document was ready in 8 ms instead of 12 with
// the bundle minified. It is the same for every document, so that V8 compiles it once in a process, and has the
// functions that were used before at hand. The parentheses around the function have it compiled at once.
var Bring = sync.OnceValue(func() string {
	return "Object.defineProperty(globalThis,'" + installer + "',{configurable:true,value:(docID=>{'use strict';if(" +
		own(global) + ")return globalThis." + global + ".doc;\n" +
		withoutHeader(bundle) + "return docID})}),0"
})

// own is an expression for whether the world has a global. An element with its name as an id is a property of the
// window too, but not one of its own.
func own(name string) string {
	return "Object.prototype.hasOwnProperty.call(globalThis,'" + name + "')"
}

// withoutHeader leaves out the comments that a generated file begins with.
func withoutHeader(script string) string {
	for strings.HasPrefix(script, "//") {
		_, script, _ = strings.Cut(script, "\n")
	}
	return script
}

// Install returns the expression that installs the script in a document, unless it is installed there, and yields the
// document's id: docID, or the one that the document was given before. It yields null where nothing has brought the
// script.
func Install(docID string) string {
	return own(installer) + "?globalThis." + installer + "(" + quote(docID) + "):null"
}

// leaving is the beginning of the names of the functions by which documents tell what they leave.
const leaving = "__skuaLeft"

// Leaving is the name of the function that a document calls with what it leaves of its elements when it goes, see
// js/find/leaving.js. The engine puts it into the script's world.
func Leaving(docID string) string { return leaving + docID }

// LeftBy returns the document that calls the function.
func LeftBy(function string) (docID string, ok bool) { return strings.CutPrefix(function, leaving) }

// Call returns the expression that calls an op with arg, which is JSON. An empty arg stands for {}.
func Call(op string, arg []byte) string {
	return "globalThis." + global + ".ops." + op + "(" + literal(arg) + ")"
}

// changing are the ops that change the page, unless they answer why they do not. To scroll and to give the focus does
// not count, since every action may.
var changing = map[string]bool{"fill": true, "select": true, "choose": true, "paste": true, "catchClip": true}

// Changes reports whether an op changes the page.
func Changes(op string) bool { return changing[op] }

// CallWalking is Call for an op that walks, whose result comes in an array when the op suspects has elements to be
// asked about.
func CallWalking(op string, arg []byte) string {
	return "globalThis." + global + ".ops.walking({op:" + quote(op) + ",arg:" + literal(arg) + "})"
}

// CallQuietly is Call for an op that shall not ask for what may be hidden in closed trees, but go on with what is
// known.
func CallQuietly(op string, arg []byte) string {
	return "globalThis." + global + ".ops.quietly({op:" + quote(op) + ",arg:" + literal(arg) + "})"
}

// PierceFunction is a function declaration that registers the shadow roots which it is called with, and yields how many
// of them are new.
const PierceFunction = "function(...roots){return globalThis." + global + ".ops.pierce(roots)}"

// InternalsFunction is a function declaration that registers what the browser says of custom elements. It takes the
// list of that and the elements, and yields of how many it is news.
const InternalsFunction = "function(told,...els){return globalThis." + global + ".ops.internals({told,els})}"

// IdentifyFunction is a function declaration that yields what function identify of the script says of the elements
// which are its arguments.
const IdentifyFunction = "function(...nodes){return globalThis." + global + ".identify(nodes)}"

// Element returns the expression that yields the element with the token, or null.
func Element(token int64) string {
	return "globalThis." + global + ".elementOf(" + strconv.FormatInt(token, 10) + ")"
}

// ListenFunction is a function declaration that tells the in-page script which elements have event listeners. It takes
// the numbers of the elements that no longer have any, the numbers of those that do, and the latter elements; it
// returns how many are new.
const ListenFunction = "function(gone,ids,...els){return globalThis." + global + ".ops.listen({gone,ids,els})}"

// literal returns JavaScript for a JSON text. JSON is JavaScript except for the key __proto__, which would set a
// prototype.
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
