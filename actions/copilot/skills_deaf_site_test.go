package copilot_test

import (
	"fmt"
	"strings"
)

// deafPages offer everything that a skill looks for, and nothing on them works. Each has what may be taken for a
// reaction: rows that are like each other, empty columns, a request that typing sends, a draft that saves itself, a
// list that ticks.
var deafPages = map[string]string{
	"/deaf-list": deafList(""),
	"/deaf-ticking": deafList(
		`setInterval(() => { for (const p of document.querySelectorAll('.stock')) p.textContent = +p.textContent + 1; clock.textContent = Date.now() }, 40)`),
	"/deaf-live": deafList(liveFeeds),
	// without rows and sums that come
	"/deaf-banner": deafList(strings.NewReplacer("rows.prepend(row)", "0", "rows.append(row)", "0", "' $'", "' '").
		Replace(liveFeeds)),
	"/deaf-polling":        deafList(`setInterval(() => fetch('/api/cart/poll', {method: 'POST', body: 'x'}), 100)`),
	"/deaf-polling-sorted": sortedByPrice.Replace(deafList(`setInterval(() => fetch('/api/news'), 100)`)),
	// Polls that begin late and end before the page is looked at again, as in a busy browser.
	"/deaf-polling-burst": sortedByPrice.Replace(deafList(
		`addEventListener('change', () => { for (let i = 0; i < 6; i++) fetch('/api/news') })`)),
	"/live": deafList(liveFeeds + `
	onclick = (event) => {
		const row = event.target.closest('tbody tr')
		const says = (text) => main.insertAdjacentHTML('beforeend', '<p>' + text)
		const main = document.querySelector('main')
		switch (event.target.textContent) {
		case 'Add to cart': return says(row.cells[0].textContent + ' was added to your cart')
		case 'Log out': event.target.remove(); return says('You are logged out. See you!')
		case 'Next': return rows.replaceChildren(...['Iota', 'Kappa', 'Lambda'].map((name) => {
			const next = rows.rows[0].cloneNode(true)
			next.cells[0].textContent = name + ' lamp'
			return next
		}))
		case 'Search': return says('3 results for lamp')
		}
	}`),

	"/deaf-login": `<title>Log in</title><main><h1>Welcome back</h1><form onsubmit="return false"><label>User name <input name=user autocomplete=username></label>
		<label>Password <input type=password name=password></label><button>Log in</button></form></main>`,
	// The dialog closes, and no user is logged in.
	"/deaf-login-closes": `<title>Home</title><main><h1>Home</h1><p>Read on.</p><div role=dialog aria-label="Log in"><form onsubmit="this.parentNode.remove(); return false"><label>User name <input name=user autocomplete=username></label>
		<label>Password <input type=password name=password></label><button>Log in</button></form></div></main>`,
	// A menu that closes behind the click; the foot offers another login all the time.
	"/deaf-logout": `<title>Desk</title><header><button aria-haspopup=menu aria-expanded=false aria-label="Account menu" onclick="m.hidden = !m.hidden; this.ariaExpanded = !m.hidden">Ann</button>
		<div id=m role=menu hidden><button role=menuitem onclick="m.hidden = true">Log out</button></div></header><main><h1>Desk</h1></main><footer><a href="/partners">Log in</a></footer>`,
	"/deaf-goodbye": `<title>Goodbye, Lenin</title><header><button>Log out</button></header><main><h1>Goodbye, Lenin</h1><p>A film of 2003</p></main>`,

	// What typing shows and sends does not answer the search.
	"/deaf-search": `<title>Find</title><main><h1>Find</h1><form role=search onsubmit="return false"><input type=search name=q aria-label=Search oninput="fetch('/api?q=' + this.value); s.textContent = 'Suggestion: ' + this.value">
		<button>Search</button><p id=s></p></form></main>`,
	// The field's own list of what was looked for before goes when it gets the focus.
	"/deaf-search-recent": `<title>Lamps</title><main><h1>A lamp for you</h1><form role=search onsubmit="return false"><input type=search name=q aria-label=Search onfocus="r.remove()">
		<button>Search</button></form><p id=r>Popular: sofas</p></main>`,
	"/deaf-draft": `<title>Contact</title><main><h1>Contact</h1><form onsubmit="return false" oninput="fetch('/draft', {method: 'POST', body: new URLSearchParams(new FormData(this))}); d.textContent = 'Draft saved'">
		<label>Name <input name=name></label><label>Message <textarea name=message></textarea></label><button>Send</button><p id=d></p></form></main>`,
	"/deaf-menu": `<title>Home</title><nav><a href="/tickets" onclick="return false">Tickets</a> <a href="#">Reports</a> <button>Archive</button></nav><main><h1>Home</h1></main>`,

	"/deaf-empty-column": `<title>Shirts</title><aside><fieldset><legend>Color</legend><label><input type=checkbox> Red</label><label><input type=checkbox> Blue</label></fieldset></aside>
		<main><h1>Shirts</h1><table><caption>Shirts</caption><tr><th>Name<th>Color<th>Price</tr><tr><td>Alpha<td><td>$30.00</tr><tr><td>Beta<td><td>$12.50</tr><tr><td>Gamma<td><td>$8.00</tr></table></main>`,
	// Every row would pass the filter as it is.
	"/deaf-all-red": `<title>Shirts</title><aside><fieldset><legend>Color</legend><label><input type=checkbox> Red</label><label><input type=checkbox> Blue</label></fieldset></aside>
		<main><h1>Shirts</h1><table><caption>Shirts</caption><tr><th>Name<th>Color<th>Price</tr><tr><td>Alpha<td>Red<td>$30.00</tr><tr><td>Beta<td>Red<td>$12.50</tr><tr><td>Gamma<td>Red<td>$8.00</tr></table></main>`,
	"/deaf-sort-equal": `<title>Lamps</title><main><h1>Lamps</h1><label>Sort by <select><option>Featured<option>Price: low to high</select></label>
		<table><caption>Lamps</caption><tr><th>Name<th>Price</tr><tr><td>Gamma<td>$30.00</tr><tr><td>Alpha<td>$30.00</tr><tr><td>Beta<td>$30.00</tr></table></main>`,
	"/deaf-sort-few": `<title>Lamps</title><main><h1>Lamps</h1><label>Sort by <select><option>Featured<option>Price: low to high</select></label>
		<table><caption>Lamps</caption><tr><th>Name<th>Price</tr><tr><td>Gamma<td>$10.00</tr><tr><td>Alpha<td></tr><tr><td>Beta<td></tr><tr><td>Delta<td>$30.00</tr><tr><td>Eta<td></tr></table></main>`,

	"/deaf-cart-pair":  `<title>Lamps</title><main><h1>Lamps</h1><ul><li><h3>Alpha lamp</h3> $12.50 <button>Add to cart</button><li><h3>Beta lamp</h3> $30.00 <button>Add to cart</button></ul></main>`,
	"/deaf-cart-price": `<title>Lamp</title><header><a href=/cart>Cart (0)</a></header><main><h1>Lamp</h1><p>$<span id=p>12</span> <button>Add to cart</button></p></main><script>setInterval(() => { p.textContent = +p.textContent + 1 }, 40)</script>`,
	"/deaf-cart-many": `<title>Lamps</title><header><a href=/cart>Cart (0)</a></header><main><h1>Lamps</h1><ul><li><h3>Alpha lamp</h3> <span>Basket of 6</span> <button>Add to cart</button>
		<li><h3>Beta lamp</h3> <span>Basket of 12</span> <button onclick="fetch('/collect?page=/cart', {method: 'POST'})">Add to cart</button></ul></main>`,

	"/deaf-papers": `<title>Invoices</title><main><h1>Invoices</h1><a id=older href="/paper/older.txt" download>Terms</a><table><caption>Invoices</caption><tr><th>Number<th>Date<th>File</tr>
		<tr><td>I-1<td>2026-01-01<td><button>Download</button></tr><tr><td>I-2<td>2026-02-01<td><button>Download</button></tr></table></main>`,
	"/deaf-upload": `<title>Upload</title><main><h1>Photo</h1><form onsubmit="return false"><label>Photo <input type=file name=photo onchange="fetch('/peek', {method: 'POST', body: this.files[0].name}); m.textContent = 'photo.txt received'"></label><button>Upload</button><p id=m></p></form></main>`,
	"/deaf-basket": `<title>Cart</title><main><h1>Your cart</h1><p>Lamp, $ 10</p><button>Checkout</button></main>`,
	"/deaf-address": `<title>Address</title><main><h1>Delivery address</h1><form onsubmit="return false"><label>Full name <input name=name required></label><label>Street <input name=street required></label>
		<label>City <input name=city required></label><button>Continue</button></form></main>`,
	"/deaf-order":   `<title>Review</title><main><h1>Review your order</h1><p>Lamp, $ 10</p><form onsubmit="return false"><button>Place order</button></form></main>`,
	"/deaf-tickets": `<title>Tickets</title><main><h1>Tickets</h1><ul><li>Ticket 7: leak <button>Delete</button><li>Ticket 17: noise <button>Delete</button></ul></main>`,
	// The list folds, and the ticket with it.
	"/deaf-tickets-fold": `<title>Tickets</title><main><h1>Tickets</h1><p>All of them are here</p><ul id=l><li>Ticket 7: leak <button onclick="l.hidden = true">Delete</button><li>Ticket 17: noise <button onclick="l.hidden = true">Delete</button></ul></main>`,
}

// liveFeeds changes a page all the time: a row comes each 200 ms, a banner rotates, a clock and a ticker run. Some of
// what the banner says is what a page says that has done something.
const liveFeeds = `
	const head = document.querySelector('header'), rows = document.querySelector('tbody')
	const says = ['Added to your cart: a free bag', 'Message sent? See our guide', 'Thank you for your order, Ann from Bern', 'You are now logged out of the old shop', 'Results for lamp seekers',
		'Successfully saved 20 % of your energy', 'Tickets for the lamp fair', 'Gamma lamp was deleted from the catalog', 'New: the lamp of the year']
	head.insertAdjacentHTML('beforeend', '<p id=banner></p><p id=quote></p>')
	let n = 0
	setInterval(() => {
		n++
		banner.textContent = says[n % says.length]
		quote.textContent = ['ACME', 'BETA', 'GAMM'][n % 3] + ' $' + (100 + n) + ' ' + 'abcdefgh'[n % 8]
		clock.textContent = new Date().toString()
		const row = rows.rows[n % 4].cloneNode(true)
		row.cells[0].innerHTML = '<a href="/thing?' + (10 + n) + '" onclick="return false">' + ['Epsilon', 'Zeta', 'Eta'][n % 3] + ' lamp ' + 'abcdefghij'[n % 10] + n + '</a>'
		n % 2 ? rows.append(row) : rows.prepend(row)
	}, 200)`

// sortedByPrice makes a list with the prices of deafList one that is in their order.
var sortedByPrice = strings.NewReplacer("$30.50", "$1.50", "$8.50", "$20.50")

// deafList is a list with the controls of all skills. The script is noise.
func deafList(script string) string {
	var rows strings.Builder
	for i, name := range []string{"Alpha lamp", "Beta lamp", "Gamma lamp", "Delta lamp"} {
		_, _ = fmt.Fprintf(&rows,
			`<tr><td><a href="/thing?%d" onclick="return false">%s</a><td><td>$%d.50<td><span class=stock>%d</span><td><button>Add to cart</button> <button>Delete</button> <button>Download</button></tr>`,
			i, name, []int{30, 12, 8, 99}[i], i)
	}
	return `<title>Lamps</title><header><a href="/cart" onclick="return false">Cart (0)</a> <button>Checkout</button> <button>Log out</button> <nav><a href="/tickets" onclick="return false">Tickets</a></nav>
		<form role=search onsubmit="return false"><input type=search name=q aria-label=Search oninput="fetch('/api?q=' + this.value)"><button>Search</button></form></header>
		<aside><fieldset><legend>Color</legend><label><input type=checkbox> Red</label><label><input type=checkbox> Blue</label></fieldset></aside>
		<main><h1>Lamps</h1><p id=clock>0</p><label>Sort by <select><option>Featured<option>Price: low to high</select></label>
		<table><caption>Lamps</caption><thead><tr><th>Name<th>Color<th>Price<th>Stock<th>Actions</tr></thead><tbody>` +
		rows.String() + `</tbody></table>
		<nav aria-label=Pages><a href="#" onclick="return false">Previous</a> <a href="#" onclick="return false">2</a> <a href="#" onclick="return false">Next</a></nav>
		<form aria-label="Contact" onsubmit="return false"><label>Name <input name=name></label><label>Photo <input type=file name=photo></label><button>Send</button></form></main>
		<script>` + script + `</script>`
}
