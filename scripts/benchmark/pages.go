//go:build linux

package main

import (
	"fmt"
	"html"
	"strings"
)

// page is a generated document. The counts are what the generator knows about it, so that a snapshot of it can be
// checked.
type page struct {
	body     strings.Builder
	elements int // below body
	shown    int // elements that each program shows with a ref: headings, and what can be acted on
}

const (
	rowsPerTable  = 20
	tableElements = 8  // table, thead, its row, four headers, tbody
	rowElements   = 7  // row, four cells, a link, a button
	formElements  = 10 // form, label, input, select, three options, label, checkbox, button
)

// tablePage makes a page with exactly n elements below body: tables of orders with links and buttons, each followed by
// a form, the kind of page that an agent works on. n is at least 30.
func tablePage(heading string, n int) *page {
	p := &page{}
	p.heading(heading)
	p.form(0, "main")
	section := 1
	full := tableElements + rowsPerTable*rowElements + formElements
	for ; p.elements+full <= n; section++ {
		p.table(section, rowsPerTable)
		p.form(section, fmt.Sprintf("section %d", section))
	}
	if rows := (n - p.elements - tableElements) / rowElements; rows > 0 {
		p.table(section, rows)
	}
	for i := 1; p.elements < n; i++ {
		p.write(1, 0, "<p>Paragraph %d has some words that are only read.</p>\n", i)
	}
	return p
}

// write appends markup that adds the given numbers of elements, and of those that are shown.
func (p *page) write(elements, shown int, format string, args ...any) {
	fmt.Fprintf(&p.body, format, args...)
	p.elements += elements
	p.shown += shown
}

func (p *page) heading(text string) {
	p.write(1, 1, "<h1>%s</h1>\n", html.EscapeString(text))
}

func (p *page) table(section, rows int) {
	p.write(tableElements, 0,
		"<table><thead><tr><th>Order</th><th>Customer</th><th>Amount</th><th>Action</th></tr></thead><tbody>\n")
	for i := 1; i <= rows; i++ {
		id := fmt.Sprintf("%d-%d", section, i)
		p.write(rowElements, 2,
			`<tr><td>No. %s</td><td><a href="/orders/%s">Customer %s</a></td><td>%d.50</td><td><button type="button">Open %s</button></td></tr>`+"\n",
			id, id, id, 10+i, id)
	}
	p.write(0, 0, "</tbody></table>\n")
}

// form appends a form. The control ids of section 0 are note, size, done and save; the page's script watches those.
func (p *page) form(section int, label string) {
	id := ""
	if section > 0 {
		id = fmt.Sprintf("-%d", section)
	}
	p.write(formElements, 4, `<form><label>Note for %[1]s <input id="note%[2]s"></label>`+
		`<select id="size%[2]s" aria-label="Size for %[1]s"><option>Small</option><option>Medium</option><option>Large</option></select>`+
		`<label><input id="done%[2]s" type="checkbox"> Done with %[1]s</label>`+
		`<button id="save%[2]s" type="button">Save %[1]s</button></form>`+"\n", label, id)
}

// orderForm is the page of the form flow.
func orderForm() string {
	return `<h1>Order</h1>
<form id="order">
<p><label>Name <input id="name" name="name" required></label></p>
<p><label>Email <input id="email" name="email" type="email" required></label></p>
<p><label>City <input id="city" name="city"></label></p>
<p><label>Country <select id="country" name="country"><option value="">Choose</option><option value="de">Germany</option><option value="fr">France</option><option value="jp">Japan</option></select></label></p>
<p><label><input id="express" type="radio" name="shipping" value="express"> Express</label> <label><input id="standard" type="radio" name="shipping" value="standard"> Standard</label></p>
<p><label>Message <textarea id="message" name="message"></textarea></label></p>
<p><label><input id="terms" type="checkbox" name="terms" value="yes"> I accept the terms</label></p>
<p><button id="send">Send order</button></p>
</form>
<p id="result"></p>
`
}

// document wraps a body into a whole page. Its script tells the server what happens in the page; the server answers in
// turn when a test of waiting wants a text to appear.
func document(title, token, body string) string {
	return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>` + html.EscapeString(title) + `</title>
<link rel="icon" href="data:,">
<script>
const say = (kind, value) => fetch('/event', {method: 'POST', keepalive: true, body: JSON.stringify(
	{token: '` + token + `', kind, value: String(value), at: performance.timeOrigin + performance.now()})});
addEventListener('load', () => say('loaded', document.title));
addEventListener('DOMContentLoaded', () => {
	const on = (id, event, fn) => document.getElementById(id)?.addEventListener(event, fn);
	let clicks = 0;
	on('save', 'click', () => say('click', ++clicks));
	on('note', 'input', (event) => say('note', event.target.value));
	on('order', 'submit', (event) => {
		event.preventDefault();
		const values = new URLSearchParams(new FormData(event.target));
		values.sort();
		document.getElementById('result').textContent = 'Thank you, order ` + token + ` is in.';
		say('order', values);
	});
});
const showWhenTold = async () => {
	const text = await (await fetch('/signal?token=` + token + `')).text();
	const line = document.createElement('p');
	line.textContent = text;
	document.body.append(line);
	say('shown', text);
};
</script></head>
<body>
` + body + `</body></html>
`
}
