package storage_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

func TestWebStorage(t *testing.T) {
	t.Parallel()
	for _, area := range []string{"local", "session"} {
		t.Run(area, func(t *testing.T) {
			t.Parallel()
			c := host.ShowingFresh(t, "<p>page")
			js := area + "Storage"
			require.Equal(t, "No storage entries", c.Do("storage", area).Result.Text)
			require.Equal(t, object{"set": true, "origin": site.URL("")}, c.Data("storage", area, "set", "b", "two words"))
			require.Equal(t, "✓ Done", c.Do("storage", area, "set", "a", `{"x":1}`).Result.Text)
			require.Equal(t, `{"x":1} two words`, c.Page(js+".a + ' ' + "+js+".b"))
			require.Equal(t, "a: {\"x\":1}\nb: two words", c.Do("storage", area).Result.Text)
			data := c.Data("storage", area, "get")
			require.Equal(t, object{"a": `{"x":1}`, "b": "two words"}, data["data"])
			require.Equal(t, 2.0, data["count"])
			require.Equal(t, "b: two words", c.Do("storage", area, "b").Result.Text)
			require.Equal(t, "b: two words", c.Do("storage", area, "get", "b").Result.Text)
			require.Equal(t, "nope: null", c.Do("storage", area, "nope").Result.Text)
			missing := c.Data("storage", area, "nope")
			require.Equal(t, object{"key": "nope", "value": nil, "origin": site.URL("")}, missing)
			require.Equal(t, true, c.Data("storage", area, "remove", "b")["removed"])
			require.Nil(t, c.Page(js+".getItem('b')"))
			require.Contains(t, sessiontest.Notes(c.Do("storage", area, "delete", "b")), `no key "b"`)
			c.Do("storage", area, "set", "empty", "")
			require.Equal(t, "", c.Data("storage", area, "empty")["value"])
			reply := c.Do("storage", area, "clear")
			require.Equal(t, "✓ Storage cleared", reply.Result.Text)
			require.Equal(t, 2.0, sessiontest.Decode[object](t, reply.Result.Data)["count"])
			require.Equal(t, 0.0, c.Page(js+".length"))
			for _, args := range [][]string{
				{"set", "a"},
				{"set"},
				{"set", "a", "b", "c"},
				{"remove"},
				{"clear", "x"},
				{"get", "a", "b"},
			} {
				c.Fails(fault.Usage, append([]string{"storage", area}, args...)...)
			}
		})
	}
}

// A page that redefines what it can changes nothing.
func TestWebStorageHostilePage(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t, `<iframe name=localStorage></iframe><script>
		localStorage.real = "1"
		Storage.prototype.getItem = () => "fake"; Storage.prototype.setItem = () => { throw "no" }
		Object.defineProperty(window, "localStorage", {get: () => ({})}); Array.prototype.push = () => { throw "no" }</script>`)
	require.Equal(t, "real: 1", c.Do("storage", "local").Result.Text)
	c.Do("storage", "local", "set", "more", "2")
	c.Do("reload")
	require.Equal(t, "more: 2\nreal: 1", c.Do("storage", "local").Result.Text)
}

func TestWebStorageBounds(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t, "<p>page")
	c.Page(`for (let i = 0; i < 20; i++) localStorage["k" + String(i).padStart(2, "0")] = "x".repeat(1000)`)
	lines := strings.Split(c.Do("storage", "local").Result.Text, "\n")
	require.Len(t, lines, 20)
	require.Equal(t, "k00: "+strings.Repeat("x", 300)+"… (1000 characters)", lines[0])
	require.Len(t, c.Data("storage", "local")["data"].(object)["k00"], 1000, "JSON has all of it")
	require.Equal(t, "k00: "+strings.Repeat("x", 1000), c.Do("storage", "local", "k00").Result.Text)
	c.Env["SKUA_STORAGE_ENTRIES"] = "5"
	reply := c.Do("storage", "local")
	require.Equal(t, 15.0, sessiontest.Decode[object](t, reply.Result.Data)["dropped"])
	require.Equal(t, 20.0, sessiontest.Decode[object](t, reply.Result.Data)["count"])
	require.Contains(t, sessiontest.Notes(reply), "15 more of 20")
	delete(c.Env, "SKUA_STORAGE_ENTRIES")
	c.Env["SKUA_STORAGE_BYTES"] = "3500"
	require.Equal(t, 17.0, c.Data("storage", "local")["dropped"])
	require.Contains(t, c.Fails(fault.ValueNotKept, "storage", "local", "set", "big", strings.Repeat("x", 6<<20)).Error(),
		"QuotaExceededError")
}

// Storage is that of the frame that was chosen, in another process as well; a document without an origin has none.
func TestWebStorageFrames(t *testing.T) {
	t.Parallel()
	inner := site.Write(`<script>localStorage.where = "inner"</script>`)
	c := host.Showing(t, fmt.Sprintf(`<script>localStorage.clear(); localStorage.where = "outer"</script>
		<iframe name=inner src="%s"></iframe><iframe name=boxed sandbox="allow-scripts" srcdoc="<p>x"></iframe>`,
		site.Elsewhere(inner)))
	require.Equal(t, "where: outer", c.Do("storage", "local", "where").Result.Text)
	c.Do("frame", "inner")
	require.Equal(t, "where: inner", c.Do("storage", "local", "where").Result.Text)
	require.Equal(t, site.Elsewhere(""), c.Data("storage", "local")["origin"])
	c.Do("frame", "main")
	c.Do("frame", "boxed")
	e := c.Fails(fault.TargetUnsuitable, "storage", "local")
	require.Contains(t, e.Error(), "Storage error:")
	require.Contains(t, e.Error(), "sandboxed")
	c.Do("frame", "main")
	for _, address := range []string{"about:blank", "data:text/html,x"} {
		c.Do("open", address)
		for _, args := range [][]string{{"local"}, {"session", "set", "a", "b"}, {"indexeddb"}, {"cache"}, {"usage"}} {
			require.Contains(t, c.Fails(fault.TargetUnsuitable, append([]string{"storage"}, args...)...).Error(),
				"Storage error:", "%s %q", address, args)
		}
	}
}

const shopScript = `new Promise((done, fail) => {
	const r = indexedDB.open("shop", 3)
	r.onupgradeneeded = () => {
		const orders = r.result.createObjectStore("orders", {keyPath: "id", autoIncrement: true})
		orders.createIndex("by-date", "date"); orders.createIndex("by-tag", "tags", {multiEntry: true}); orders.createIndex("both", ["a", "b"], {unique: true})
		r.result.createObjectStore("plain")
	}
	r.onerror = () => fail(r.error)
	r.onsuccess = () => {
		const t = r.result.transaction(["orders", "plain"], "readwrite")
		for (let i = 1; i <= 60; i++) t.objectStore("orders").add({date: new Date(i * 1e12), n: i, a: i, b: i, tags: ["x"]})
		const cyclic = {name: "loop"}; cyclic.self = cyclic
		t.objectStore("plain").put({u: undefined, nan: NaN, big: 10n, m: new Map([["k", new Set([1])]]), bytes: new Uint8Array([1, 2, 255]), text: "ä\"\n",
			blob: new Blob(["abc"], {type: "text/x"}), re: /a/g, cyclic, "__proto__x": 1}, "all")
		t.objectStore("plain").put(7, 5)
		t.oncomplete = () => done(window.kept = r.result && true)
	}
})`

func TestIndexedDB(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, "<p>page")
	require.Equal(t, "No databases", c.Do("storage", "indexeddb").Result.Text)
	c.Page(shopScript)
	require.Equal(t, strings.Join([]string{
		"shop (version 3)",
		"  orders: 60 entries, key id, counts up; indexes: both ([a, b], unique), by-date (date), by-tag (tags, " +
			"of each item)",
		"  plain: 2 entries",
	}, "\n"), c.Do("storage", "indexeddb", "list").Result.Text)
	data := c.Data("storage", "indexeddb", "list", "shop")
	require.Equal(t, "orders", data["databases"].([]any)[0].(object)["stores"].([]any)[0].(object)["name"])

	reply := c.Do("storage", "indexeddb", "get", "shop", "orders", "--limit", "2", "--offset", "1")
	require.Equal(t, strings.Join([]string{
		`2: {"date":{"$date":"2033-05-18T03:33:20.000Z"},"n":2,"a":2,"b":2,"tags":["x"],"id":2}`,
		`3: {"date":{"$date":"2065-01-24T05:20:00.000Z"},"n":3,"a":3,"b":3,"tags":["x"],"id":3}`,
		"… 57 more of 60; --offset 3 goes on",
	}, "\n"), reply.Result.Text)
	require.Equal(t, 57.0, sessiontest.Decode[object](t, reply.Result.Data)["dropped"])
	require.Len(t, c.Data("storage", "indexeddb", "get", "shop", "orders")["entries"], 50)

	all := c.Data("storage", "indexeddb", "get", "shop", "plain", "all")["entries"].([]any)
	require.Len(t, all, 1)
	require.Equal(t, object{
		"u": object{"$undefined": true}, "nan": object{"$number": "NaN"}, "big": object{"$bigint": "10"},
		"m":     object{"$map": []any{[]any{"k", object{"$set": []any{1.0}}}}},
		"bytes": object{"$binary": "AQL/", "type": "Uint8Array", "size": 3.0}, "text": "ä\"\n",
		"blob": object{"$blob": "text/x", "size": 3.0}, "re": object{"$regexp": "/a/g"},
		"cyclic": object{"name": "loop", "self": object{"$cycle": true}}, "__proto__x": 1.0,
	}, all[0].(object)["value"])
	require.Equal(t, "5: 7", c.Do("storage", "indexeddb", "get", "shop", "plain", "5").Result.Text)
	require.Contains(t, sessiontest.Notes(c.Do("storage", "indexeddb", "get", "shop", "plain", "nope")),
		`no entry has the key "nope"`)

	require.Contains(t, c.Fails(fault.TargetUnsuitable, "storage", "indexeddb", "get", "nope").Error(), `It has: "shop"`)
	require.Contains(t, c.Fails(fault.TargetUnsuitable, "storage", "indexeddb", "get", "shop").Error(),
		`"orders", "plain"`)
	require.Contains(t, c.Fails(fault.TargetUnsuitable, "storage", "indexeddb", "get", "shop", "nope").Error(),
		`no object store "nope"`)
	require.Contains(t, c.Fails(fault.TargetUnsuitable, "storage", "indexeddb", "clear", "nope").Error(), "no database")
	c.Fails(fault.Usage, "storage", "indexeddb", "get", "shop", "orders", "--limit", "0")
	c.Fails(fault.Usage, "storage", "indexeddb", "get")
	require.Equal(t, 1.0, c.Page("indexedDB.databases().then(all => all.length)"), "looking makes no database")

	require.Equal(t, 60.0, c.Data("storage", "indexeddb", "clear", "shop", "orders")["count"],
		"while the page has it open")
	require.Contains(t, c.Do("storage", "indexeddb").Result.Text, "orders: 0 entries")
	require.Contains(t, c.Do("storage", "indexeddb").Result.Text, "plain: 2 entries")
	require.Equal(t, []any{"shop"}, c.Data("storage", "indexeddb", "clear")["databases"])
	require.Equal(t, "No entries", c.Do("storage", "indexeddb", "get", "shop", "plain").Result.Text)
}

// A page can change its database while and after we looked at it.
func TestIndexedDBDoesNotBlock(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, "<p>page")
	c.Page(
		`new Promise(done => { const r = indexedDB.open("db", 1); r.onupgradeneeded = () => r.result.createObjectStore("s"); r.onsuccess = () => { r.result.close(); done(1) } })`)
	c.Do("storage", "indexeddb")
	c.Do("storage", "indexeddb", "get", "db")
	require.Equal(t, "upgraded",
		c.Page(
			`new Promise(done => { const r = indexedDB.open("db", 2); r.onblocked = () => done("blocked"); r.onsuccess = () => done("upgraded") })`))
}

func TestCacheStorage(t *testing.T) {
	t.Parallel()
	server := site.Listening(map[string]string{"app.js": "let app", "data.json": "{}"})
	c := host.Opened(t, server.Folder+"page.html")
	require.Equal(t, "No caches", c.Do("storage", "cache").Result.Text)
	c.Page(`caches.open("v1").then(async k => {
		await k.addAll(["app.js", "data.json"])
		await k.put("/made", new Response("x".repeat(2500), {status: 201, headers: {"Content-Type": "text/plain", "X-Made": "1"}}))
	})`)
	c.Page(`caches.open("v2")`)
	require.Equal(t, "v1: 3 entries\nv2: 0 entries", c.Do("storage", "cache", "list").Result.Text)
	at := site.URL(server.Folder)
	require.Equal(t, strings.Join([]string{
		"GET " + at + "app.js 200 text/javascript, 7 bytes",
		"GET " + at + "data.json 200 text/plain, 2 bytes",
		"GET " + site.URL("/made") + " 201 text/plain, 2.5 kB",
	}, "\n"), c.Do("storage", "cache", "get", "v1").Result.Text)
	require.Contains(t, c.Do("storage", "cache", "get", "v1", "--limit", "1").Result.Text, "… 2 more of 3")
	one := c.Data("storage", "cache", "get", "v1", "app.js")["entries"].([]any)
	require.Len(t, one, 1)
	require.Equal(t, "let app", one[0].(object)["body"])
	require.Equal(t, "text/javascript", one[0].(object)["headers"].(object)["content-type"])
	require.Contains(t, c.Fails(fault.TargetUnsuitable, "storage", "cache", "get", "v9").Error(), `"v1", "v2"`)
	require.Equal(t, 1.0, c.Data("storage", "cache", "clear", "v1")["count"])
	require.Equal(t, []any{"v2"}, c.Page("caches.keys()"))
	c.Do("storage", "cache", "clear")
	require.Equal(t, []any{}, c.Page("caches.keys()"))
}

func TestStorageUsage(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, "<p>page")
	c.Page(shopScript)
	data := c.Data("storage", "usage")
	require.Equal(t, site.URL(""), data["origin"])
	require.Greater(t, data["quota"], 1e6)
	require.Contains(t, c.Do("storage", "usage").Result.Text, " of ")
}
