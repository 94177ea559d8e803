package sessiontest

import (
	"fmt"
	"strings"
)

// ShopPage is a page of about n elements such as a shop's back office has: a menu, a form and a long table.
func ShopPage(n int) string {
	var b strings.Builder
	b.WriteString(
		`<!doctype html><title>Orders</title><style>body{font:14px sans-serif;color:#222}td{padding:2px}.act{cursor:pointer}.card{overflow:hidden}.tag::before{content:"#"}.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)}tr:nth-child(even){background:#eee}</style>
<header><h1>Orders</h1><nav aria-label="Main"><a href="/a">Home</a><a href="/b">Orders</a></nav></header>
<form><label>Search <input name=q placeholder="Order"></label><select><option>All<option>Open</select><button>Find</button></form><main><table><thead><tr><th>No<th>Customer<th>State<th>Act</thead><tbody>`)
	for i, made := 0, 26; made < n; i++ {
		fmt.Fprintf(&b,
			`<tr class=card><td>%d</td><td class=name><a href="/order/%d">Customer %d</a></td><td><span class=tag>open</span></td><td><button type=button class=act data-id=%d>Edit</button><input type=checkbox aria-label="Pick %d"></td></tr>`, i, i, i, i, i)
		made += 9
	}
	b.WriteString(`</table></main><footer>End</footer>`)
	return b.String()
}
