package copilot_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// skillSite has pages of several shapes for the same thing, as sites build them. Its log has what came.
type skillSite struct {
	*httptest.Server
	visits
}

func newSkillSite(t testing.TB) *skillSite {
	t.Helper()
	s := &skillSite{}
	s.Server = httptest.NewServer(http.HandlerFunc(s.answer))
	t.Cleanup(s.Close)
	return s
}

// goods are rows of lists: a name, a color and a price.
const goods = `[["Alpha lamp","Red",30],["Beta lamp","Blue",12.5],["Gamma lamp","Red",8],["Delta lamp","Blue",99],["Eta lamp","Green",5],["Zeta lamp","Green",45]]`

// cards draw the goods as cards with what controls say: sort, filter and page.
const cards = `<ul id=list></ul><script>
const goods = ` + goods + `; let by = '', up = 1, color = [], page = 0, size = 3;
function draw() {
	let rows = goods.filter(g => !color.length || color.includes(g[1]));
	if (by) rows.sort((a, b) => up * (by === 'price' ? a[2] - b[2] : a[0].localeCompare(b[0])));
	list.innerHTML = rows.slice(page * size, page * size + size).map(g => '<li class=card><h3><a href="/thing?' + g[0] + '">' + g[0] + '</a></h3><span class=color>' + g[1] +
		'</span> <span class=price>$' + g[2].toFixed(2) + '</span> <button onclick="put(this)">Add to cart</button></li>').join('');
}
function put(button) { const n = document.getElementById('count'); if (n) n.textContent = +n.textContent + 1; else { const p = document.createElement('p');
	p.setAttribute('role', 'status'); p.textContent = button.closest('li').querySelector('h3').textContent + ' was added to your cart'; document.body.append(p) } fetch('/cart/add', {method: 'POST'}) }
draw();</script>`

// table draws the goods as a table whose heads sort it.
const table = `<table id=t><thead><tr><th>Name</th><th>Color</th><th>Price</th></tr></thead><tbody></tbody></table><script>
const goods = ` + goods + `; const order = [0, 0, 0];
function draw(i) { const d = i === undefined ? 0 : order[i] = order[i] === 1 ? -1 : 1;
	const rows = d ? [...goods].sort((a, b) => d * (i === 2 ? a[2] - b[2] : a[i].localeCompare(b[i]))) : goods;
	t.tBodies[0].innerHTML = rows.map(g => '<tr><td>' + g[0] + '</td><td>' + g[1] + '</td><td>$' + g[2].toFixed(2) + '</td></tr>').join('') }
draw();</script>`

// manyLinks are links to as many places.
func manyLinks(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `<li><a href="/part%d/page">Part %d</a>`, i, i)
	}
	return b.String()
}

// skillPages are the pages that are always the same.
var skillPages = map[string]string{
	"/sort-select": `<title>Lamps</title><main><h1>Lamps</h1><label>Sort by <select onchange="by = this.value.includes('Price') ? 'price' : ''; up = this.value.includes('low to') ? 1 : -1; draw()">
		<option>Featured<option>Price: low to high<option>Price: high to low</select></label>` + cards + `</main>`,
	"/sort-menu": `<title>Lamps</title><main><h1>Lamps</h1><button aria-haspopup=menu aria-expanded=false onclick="m.hidden = !m.hidden; this.ariaExpanded = !m.hidden">Sort</button>
		<div id=m role=menu hidden><button role=menuitem onclick="by = 'price'; up = 1; draw(); m.hidden = true">Price, low to high</button>
		<button role=menuitem onclick="by = 'price'; up = -1; draw(); m.hidden = true">Price, high to low</button></div>` +
		cards + `</main>`,
	"/sort-heads": `<title>Lamps</title><main><h1>Lamps</h1>` +
		strings.ReplaceAll(table, "<th>Price</th>", "<th><button onclick=draw(2)>Price</button></th>") + `</main>`,
	"/sort-named": `<title>Lamps</title><main><h1>Lamps</h1>` +
		strings.ReplaceAll(table, "<th>Price</th>",
			`<th><button onclick=draw(2) aria-label="Price: activate to sort column ascending">Price</button></th>`) + `</main>`,
	"/sort-deaf": `<title>Lamps</title><main><h1>Lamps</h1><label>Sort by <select><option>Featured<option>Price: low to high</select></label>` + cards + `</main>`,

	"/filter-boxes": `<title>Lamps</title><aside><fieldset><legend>Color</legend><label><input type=checkbox onchange="pick('Red', this.checked)"> Red (2)</label>
		<label><input type=checkbox onchange="pick('Blue', this.checked)"> Blue (2)</label></fieldset></aside><main><h1>Lamps</h1>` + cards +
		`</main><script>function pick(c, on) { color = on ? [...color, c] : color.filter(x => x !== c); draw() }</script>`,
	"/filter-select": `<title>Lamps</title><main><h1>Lamps</h1><form onsubmit="color = [c.value]; draw(); return false"><label>Color <select id=c><option>Any<option>Red<option>Blue</select></label>
		<button>Apply filters</button></form>` + cards + `</main>`,
	"/filter-links": `<title>Lamps</title><aside><h2>Color</h2><ul><li><a href="#red" onclick="color = ['Red']; draw()">Red (2)</a><li><a href="#blue" onclick="color = ['Blue']; draw()">Blue (2)</a></ul></aside>
		<main><h1>Lamps</h1>` + cards + `</main>`,
	"/filter-heads": `<title>Lamps</title><main><h1>Lamps</h1><table id=t><thead><tr><th>Name<br><input type=search aria-label=Name></th><th>Color<br><input type=search aria-label=Color oninput="draw(this.value)"></th><th>Price</th></tr></thead>
		<tbody></tbody></table></main><script>const goods = ` + goods +
		`; function draw(c) { t.tBodies[0].innerHTML = goods.filter(g => g[1].includes(c)).map(g => '<tr><td>' + g.join('<td>') + '</tr>').join('') } draw('')</script>`,
	"/filter-panel": `<title>Lamps</title><main><h1>Lamps</h1><button aria-expanded=false onclick="p.hidden = !p.hidden; this.ariaExpanded = !p.hidden">Filters</button>
		<div id=p hidden><label><input type=checkbox onchange="color = this.checked ? ['Blue'] : []; draw()"> Blue</label></div>` + cards + `</main>`,

	"/pages-next": `<title>Lamps</title><main><h1>Lamps</h1>` + cards +
		`<nav aria-label=Pages><a href="#p1" onclick="page = 0; draw()">Previous</a> <a href="#p2" onclick="page = 1; draw()">Next</a></nav></main>`,
	"/pages-numbers": `<title>Lamps</title><main><h1>Lamps</h1>` + cards +
		`<nav aria-label=Pages><ul><li><a href="#p1" onclick="page = 0; draw()">1</a><li><a href="#p2" onclick="page = 1; draw()">2</a></ul></nav></main>`,
	"/pages-said": `<title>Lamps</title><main><h1>Lamps</h1>` + cards +
		`<div><button onclick="page = 0; draw()">Show Page 1</button> <button onclick="page = 1; draw()">Show Page 2</button> <button disabled>Last Page</button></div></main>`,
	"/pages-more": `<title>Lamps</title><main><h1>Lamps</h1>` + cards +
		`<button onclick="size = 6; draw(); this.remove()">Load more</button></main>`,
	"/pages-scroll": `<title>Lamps</title><main><h1>Lamps</h1><div style="height:1500px"></div>` +
		strings.ReplaceAll(cards, "size = 3", "size = 4") +
		`<div id=end>&nbsp;</div></main><script>new IntersectionObserver(e => { if (e[0].isIntersecting) { size = 6; draw() } }).observe(end)</script>`,
	"/pages-deaf": `<title>Lamps</title><main><h1>Lamps</h1>` + cards +
		`<nav aria-label=Pages><button>Next</button></nav></main>`,

	"/cart-badge": `<title>Lamps</title><header><a href=/cart>Cart (<span id=count>0</span>)</a></header><main><h1>Lamps</h1>` + cards + `</main>`,
	"/cart-said":  `<title>Lamps</title><main><h1>Lamps</h1>` + cards + `</main>`,
	"/cart-single": `<title>Shirt</title><header><a href=/cart>Cart (<span id=n>0</span>)</a></header><main><h1>Shirt</h1><form onsubmit="n.textContent = +n.textContent + +q.value; document.title = size.value; return false">
		<label>Size <select id=size><option>S<option>M<option>L</select></label><label>Quantity <input id=q type=number value=1></label><button>Add to cart</button></form></main>`,
	"/cart-deaf": `<title>Shirt</title><header><a href=/cart>Cart (0)</a></header><main><h1>Shirt</h1><button>Add to cart</button></main>`,

	"/menu-click": `<title>Home</title><header><nav><button aria-haspopup=true aria-expanded=false onclick="s.hidden = !s.hidden; this.ariaExpanded = !s.hidden">Products</button>
		<ul id=s hidden><li><a href=/menu-end>Chairs</a></ul></nav></header><main><h1>Home</h1></main>`,
	"/menu-hover": `<title>Home</title><style>.sub { display: none } .top:hover .sub { display: block }</style><header><nav><ul><li class=top><a href=/menu-other>Products</a>
		<ul class=sub><li><a href=/menu-end>Chairs</a></ul></ul></nav></header><main><h1>Home</h1></main>`,
	"/menu-burger": `<title>Home</title><header><button aria-label="Open menu" aria-expanded=false onclick="s.hidden = !s.hidden">☰</button><nav id=s hidden><a href=/menu-end>Chairs</a></nav></header><main><h1>Home</h1></main>`,
	"/menu-rail": `<title>Home</title><nav><button aria-expanded=false onclick="this.ariaExpanded = this.ariaExpanded === 'false'">3+</button><ul>` + strings.Repeat("<li><a href='#' onclick='return false'>\uf0ad Charts</a>", 3) +
		`<li><a href="#" aria-expanded=false onclick="s.hidden = !s.hidden; this.ariaExpanded = !s.hidden; return false">Products</a><div id=s hidden><a href=/menu-end>Chairs</a></div></ul></nav><main><h1>Home</h1></main>`,
	// A menu of icons that shows its words while the pointer is on it.
	"/menu-icons": `<title>Home</title><style>nav { width: 40px; overflow: hidden } ul { margin: 0; padding: 0; list-style: none } nav span { visibility: hidden } nav:hover { width: 300px } nav:hover span { visibility: visible }</style>
		<header><div role=navigation><a href="#/alerts">&#xf0ae;</a></div></header><nav><ul><li><a href=/menu-other>&#xf0ad; <span>Dashboard</span></a><li><a href="#" onclick="s.hidden = !s.hidden; return false">&#xf0ce; <span>Products &#xf104;</span></a>
		<ul id=s hidden><li><a href=/menu-end>&#xf111; <span>Chairs</span></a></ul></ul></nav><main><h1>Home</h1></main>`,
	"/menu-alike": `<title>Home</title><nav><ul><li><a href=/menu-other>Office chairs</a><li><a href="#" onclick="s.hidden = !s.hidden; return false">Products</a>
		<ul id=s hidden><li><a href=/menu-end>Chairs</a></ul></ul></nav><main><h1>Home</h1></main>`,
	// A menu of which a summary leaves out a part, and a page with a form that is like one for a login.
	"/menu-long": `<title>Home</title><nav><ul>` + manyLinks(45) +
		`<li><a href="/menu-form">Validation</a></ul></nav><main><h1>Home</h1></main>`,
	"/menu-form":  `<title>Forms</title><main><h1>Forms</h1><form><label>Email address <input type=email name=email></label><label>Password <input type=password name=password></label><button>Submit</button></form></main>`,
	"/menu-end":   `<title>Chairs</title><main><h1>Chairs</h1></main>`,
	"/menu-other": `<title>Products</title><main><h1>Products</h1></main>`,

	"/login-one": `<title>Log in</title><main><form method=post action=/enter><label>User name <input name=user autocomplete=username></label>
		<label>Password <input type=password name=password></label><button>Log in</button></form></main>`,
	"/login-two": `<title>Log in</title><main><form onsubmit="step.innerHTML = '<label>Password <input type=password name=password></label>'; document.querySelector('button').textContent = 'Log in';
		if (this.password) this.onsubmit = null; return false" method=post action=/enter><div id=step><label>User name <input name=user autocomplete=username></label></div><button>Next</button></form></main>`,
	"/out": `<title>Desk</title><header><button aria-haspopup=menu aria-expanded=false aria-label="Account menu" onclick="m.hidden = !m.hidden; this.ariaExpanded = !m.hidden">Ann</button>
		<div id=m role=menu hidden><a role=menuitem href=/left>Log out</a></div></header><main><h1>Desk</h1></main>`,
	"/left": `<title>Goodbye</title><main><p>You are logged out.</p><a href=/login-one>Log in</a></main>`,

	"/find":        `<title>Find</title><header><form role=search action=/found><input type=search name=q aria-label=Search><button>Search</button></form></header><main><h1>Find</h1></main>`,
	"/find-hidden": `<title>Find</title><header><button aria-expanded=false onclick="f.hidden = false">Search</button><form id=f role=search action=/found hidden><input type=search name=q aria-label=Query></form></header><main><h1>Find</h1></main>`,
	"/find-two": `<title>Find</title><header><form role=search action=/found><input type=search name=q aria-label="Search the site"><button>Search</button></form></header>
		<main><h1>Find</h1><form role=search action=/elsewhere><input type=search name=part aria-label="Search the manual"><button>Search</button></form></main>`,
	// A field that filters a table of boxes, next to a button that does something else.
	"/find-grid": `<title>Lamps</title><style>[role=gridcell] { display: inline-block }</style><main><h1>Lamps</h1><div><input type=search aria-label="Filter rows" oninput="draw(this.value)">
		<button onclick="document.title = 'Exported'">Export CSV</button></div><div role=grid id=g></div></main><script>const goods = ` + goods + `;
		function draw(text) { g.innerHTML = goods.filter(x => x[0].toLowerCase().includes(text.toLowerCase())).map((x, i) => '<div role=row><div role=gridcell>' + (i + 1) + '</div><div role=gridcell>' + x[0] +
			'</div><div role=gridcell>' + x[1] + '</div></div>').join('') } draw('')</script>`,
	// The same search twice, so deep that only the whole way from the root tells one from the other.
	"/find-cards": `<title>Lamps</title><style>[role=gridcell] { display: inline-block }</style><main><h1>Lamps</h1>` +
		strings.Repeat(`<section><div><div><div><div><div><div class=group><input type=text placeholder=Search><button
		onclick="draw(this.previousElementSibling.value)"><i class="fa-search"></i></button></div></div></div></div></div></div></section>`, 2) + `<div role=grid id=g></div></main><script>const goods = ` + goods + `;
		function draw(text) { g.innerHTML = goods.filter(x => x[0].toLowerCase().includes(text.toLowerCase())).map((x, i) => '<div role=row><div role=gridcell>' + (i + 1) + '</div><div role=gridcell>' + x[0] +
			'</div><div role=gridcell>' + x[1] + '</div></div>').join('') } draw('')</script>`,
	"/icons": `<title>Icons</title><style>div { width: 20px; height: 20px }</style><main><h1>Icons</h1><button></button><div onclick="0"></div><a href="/left"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width=9 height=9></a></main>`,
	"/contact": `<title>Details</title><main><h1>Your details</h1><form method=post action=/saved><label>Name <input name=name></label><label>City <input name=city></label>
		<label><input type=checkbox name=news> Newsletter</label><button>Save</button></form></main>`,
	"/upload":        `<title>Upload</title><main><h1>Photo</h1><form method=post action=/uploaded enctype=multipart/form-data><label>Photo <input type=file name=photo></label><button>Upload</button></form></main>`,
	"/upload-button": `<title>Upload</title><main><h1>Photo</h1><input id=f type=file style="display:none" onchange="o.textContent = 'Chosen: ' + this.files[0].name"><button onclick="f.click()">Upload photo</button><p id=o></p></main>`,
	"/upload-two":    `<title>Upload</title><main><form><label>Photo <input type=file name=photo></label><label>Letter <input type=file name=letter></label><button>Save</button></form></main>`,
	"/tickets": `<title>Tickets</title><main><h1>Tickets</h1><ul><li>Ticket 7: leak <button onclick="if (this.dataset.sure) { this.closest('li').remove(); fetch('/drop', {method: 'DELETE'}) }
		else { d.showModal() }">Delete</button><li>Ticket 17: noise <button onclick="d.dataset.of = 1; d.showModal()">Delete</button><li>Ticket 18: noise <button>Delete</button></ul>
		<dialog id=d><h2>Delete the ticket?</h2><button onclick="d.close()">Keep</button><button onclick="d.close(); document.querySelectorAll('li')[d.dataset.of || 0].remove(); fetch('/drop', {method: 'DELETE'})">Yes, delete it</button></dialog></main>`,
	"/basket": `<title>Cart</title><main><h1>Your cart</h1><p>Lamp, $ 10</p><a href=/address>Checkout</a></main>`,
	"/address": `<title>Address</title><main><h1>Delivery address</h1><form method=post action=/review><label>Full name <input name=name required></label><label>Street <input name=street required></label>
		<label>City <input name=city required></label><button>Continue</button></form></main>`,
}

func (s *skillSite) answer(w http.ResponseWriter, r *http.Request) {
	say := func(body string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<!doctype html><html lang=en>" + body))
	}
	if r.Method != http.MethodGet {
		_ = r.ParseMultipartForm(1 << 20)
		s.note(r.Method + " " + r.URL.Path + " " + r.Form.Encode())
	}
	switch r.URL.Path {
	case "/enter":
		if r.PostFormValue("password") != "pencil" {
			say(skillPages["/login-one"] + "<p role=alert>Wrong password</p>")
			return
		}
		say(`<title>Desk</title><header><a href=/left>Log out</a></header><main><h1>Welcome</h1></main>`)
	case "/found":
		say(`<title>Results</title><main><h1>Results for ` + r.FormValue("q") + `</h1><ul><li>A ` + r.FormValue("q") +
			`</ul></main>`)
	case "/saved":
		say(`<title>Saved</title><main><p>Your details were saved</p></main>`)
	case "/uploaded":
		file, header, err := r.FormFile("photo")
		if err != nil {
			say("<title>Upload</title><p>No file was sent")
			return
		}
		_ = file.Close()
		s.note("file " + header.Filename)
		say(`<title>Uploaded</title><main><p>Thank you, ` + header.Filename + ` was received</p></main>`)
	case "/review":
		say(`<title>Review</title><main><h1>Review your order</h1><p>Lamp, $ 10 for ` + r.PostFormValue("name") +
			`</p><form method=post action=/ordered><button>Place order</button></form></main>`)
	case "/ordered":
		say(`<title>Thank you</title><main><p>Thank you for your order</p></main>`)
	case "/papers":
		page := r.FormValue("page")
		rows, next := "", ""
		from := 1
		if page == "2" {
			from = 3
		} else {
			next = `<a href="/papers?page=2">Next</a>`
		}
		for i := from; i < from+2; i++ {
			rows += fmt.Sprintf(`<tr><td>I-%d<td>2026-0%d-01<td>€ %d<td><a href="/paper/%d.txt" download>Download</a></tr>`, i,
				i, 10*i, i)
		}
		say(`<title>Invoices</title><main><h1>Invoices</h1><table><tr><th>Number<th>Date<th>Amount<th>File</tr>` + rows +
			`</table>` + next + `</main>`)
	default:
		if name, ok := strings.CutPrefix(r.URL.Path, "/paper/"); ok {
			w.Header().Set("Content-Disposition", "attachment; filename="+name)
			_, _ = w.Write([]byte("paper " + name))
			return
		}
		if page, ok := skillPages[r.URL.Path]; ok {
			say(page)
		}
		if page, ok := deafPages[r.URL.Path]; ok {
			say(page)
		}
	}
}
