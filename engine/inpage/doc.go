// Package inpage holds the script that runs inside pages, in an isolated world of every document: [Bring] and [Install]
// put it there, [Call] calls one of its ops. It sees the page's DOM, and the page's own scripts can neither see it nor
// change what it uses.
//
// The script is JavaScript: ES modules with types in their comments, one module a concern, in folders below js. Package
// internal/pagescript bundles them, from main.js, into bundle/main.js, which is what the program carries; go generate
// refreshes it. A module that has ops adds them to the table in dom/ops.js. The folders, each of which imports only
// from those before it:
//
//   - dom reads the document safely: nodes, styles, boxes, texts, and waiting for them to change.
//   - ax says which role, name and states an element has, and what counts as clickable.
//   - find leads from a selector or ref to an element.
//   - act checks that input would reach an element, changes what input cannot change, and watches what comes of it.
//   - walk writes the whole document down: walk.js, and skim.js where only what can be acted on counts.
//   - offer says what can be done on the page: its forms, lists and their fields.
//
// Within a folder, modules may import each other in circles: names, roles and states are defined by each other. A
// module may therefore use, while it is evaluated, only what does not import it in turn.
//
// The package knows no CDP: how a script gets into a page and which calls are made is the engine's business.
//
// # The walk
//
// The op walk takes {interactive, scope} and returns the document as text, or a failure where scope matches nothing. A
// line is a node, in the order of the flat tree (shadow roots and slots in their places, closed ones once the engine
// has registered them), with TAB between its fields:
//
//	depth role token name key=value...
//
// Depth is 0 for roots. Roles are spelled as in Chrome's accessibility tree, with which the lines agree in role, name
// and states. The token, a number, is the element's identity for the life of the document; only nodes that an agent may
// refer to have one. White space in names is collapsed. Keys, in this order and only where they say something: level,
// checked, expanded, selected, disabled, required, pressed, readonly, invalid, focused, url, value, placeholder,
// description, current, haspopup, orientation, valuemin, valuemax, valuetext (where it says something else than the
// value), busy, multiselectable, modal, active (the token of the active descendant), nth (how many nodes of the same
// role and name came before), hints (why an element without a role that says so seems to react to clicks), secret. In
// values, backslash, TAB, LF and CR are written \\ \t \n \r.
//
// Left out on purpose, though Chrome has nodes for it: list markers, line breaks, the popup between a select and its
// options, layout tables, the parts inside of native controls but those of dates and players, MathML below its root,
// containers without meaning (one that mixes text and elements is kept as generic), and text that only repeats the name
// of its parent or the value of a field. Added: elements that react to clicks without a role, named by their text; a
// label in place of the check box that CSS hides.
//
// With interactive, only nodes with a token are written, and depth counts these alone. With scope, only what is in the
// first match is written, and nth still counts the whole document.
package inpage
