package storage_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/internal/testengine"
)

// everything is all kinds of storage.
var everything = storage.Kinds{Cookies: true, Local: true, Session: true, Databases: true, Workers: true, Caches: true}

// fillStorage puts one of each value that a database can hold into it.
const fillStorage = `(async () => {
	localStorage.setItem("l", "1")
	localStorage.setItem("half", "a\ud83d")
	sessionStorage.setItem("s", "2")
	const settled = (r) => new Promise((done, fail) => { r.onsuccess = () => done(r.result); r.onerror = () => fail(r.error) })
	const open = indexedDB.open("all", 7)
	open.onupgradeneeded = () => {
		const a = open.result.createObjectStore("plain")
		const b = open.result.createObjectStore("inline", { keyPath: ["a", "b"] })
		b.createIndex("by c", "c", { unique: true, multiEntry: false })
		open.result.createObjectStore("auto", { autoIncrement: true, keyPath: "id" })
	}
	const db = await settled(open)
	const shared = { x: 1 }
	const cycle = { name: "c" }
	cycle.self = cycle
	const buffer = new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]).buffer
	const sparse = [1, , 3]
	sparse.extra = "e"
	const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, true, ["encrypt", "decrypt"])
	const secret = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt"])
	const values = {
		"undefined": undefined, "null": null, "-0": -0, "nan": NaN, "inf": -Infinity, "bigint": 12345678901234567890n, "text": "a\u0000\ud800b",
		"date": new Date(1234567890123), "bad date": new Date(NaN), "regexp": /a\/b/giu, "map": new Map([[shared, [shared, new Map()]], [1, cycle]]),
		"set": new Set([1, "1", shared]), "buffer": buffer, "views": [new Uint8Array(buffer, 2, 3), new Float64Array(buffer), new DataView(buffer, 1, 4)],
		"big": new BigInt64Array([-5n]), "blob": new Blob(["blob text"], { type: "text/x" }), "file": new File(["file"], "n.txt", { type: "text/y", lastModified: 5 }),
		"boxed": [Object(true), Object(1), Object("s"), Object(2n)], "error": new TypeError("bad"), "cycle": cycle, "sparse": sparse,
		"dollar": { $: "x", "\ud800": 1 }, "nested": { a: [{ b: { c: [] } }] }, "key": key, "image": new ImageData(new Uint8ClampedArray([1, 2, 3, 4]), 1, 1),
		"rect": new DOMRect(1, 2, 3, 4), "secret": secret,
	}
	const tx = db.transaction(["plain", "inline", "auto"], "readwrite")
	for (const [k, v] of Object.entries(values)) tx.objectStore("plain").put(v, k)
	tx.objectStore("plain").put("dated", [new Date(5), -Infinity, new Uint8Array([9]).buffer])
	for (let i = 0; i < 450; i++) tx.objectStore("inline").put({ a: i, b: "b" + i, c: i * 2 })
	tx.objectStore("auto").put({ t: "first" })
	tx.objectStore("auto").put({ t: "second" })
	await new Promise((done, fail) => { tx.oncomplete = done; tx.onerror = () => fail(tx.error) })
	db.close()
	const cache = await caches.open("v1")
	await cache.put("/cached", new Response("cached text", { headers: { "x-a": "b" } }))
	return "filled"
})()`

// readStorage looks at what fillStorage left, as the page sees it.
const readStorage = `(async () => {
	const settled = (r) => new Promise((done, fail) => { r.onsuccess = () => done(r.result); r.onerror = () => fail(r.error) })
	const db = await settled(indexedDB.open("all"))
	const out = { version: db.version, stores: [...db.objectStoreNames], local: { ...localStorage }, session: { ...sessionStorage } }
	const get = (s, k) => settled(db.transaction(s).objectStore(s).get(k))
	const plain = (k) => get("plain", k)
	const keys = await settled(db.transaction("plain").objectStore("plain").getAllKeys())
	out.keys = keys.length
	out.has = { undefined: keys.includes("undefined") && await plain("undefined") === undefined, null: await plain("null") === null }
	out.numbers = [Object.is(await plain("-0"), -0), Number.isNaN(await plain("nan")), await plain("inf") === -Infinity, String(await plain("bigint"))]
	out.text = await plain("text") === "a\u0000\ud800b"
	out.date = (await plain("date")).getTime()
	out.badDate = Number.isNaN((await plain("bad date")).getTime())
	out.regexp = String(await plain("regexp"))
	const map = await plain("map")
	const [[first, [again, inner]], [one, cycle]] = [...map]
	out.map = [first === again, first.x, inner instanceof Map, one, cycle.self === cycle]
	out.set = [...await plain("set")].map((v) => typeof v)
	out.buffer = [...new Uint8Array(await plain("buffer"))]
	const views = await plain("views")
	out.views = [views[0].constructor.name, [...views[0]], views[1].length, views[2].constructor.name, views[2].byteOffset, views[0].buffer === views[2].buffer]
	out.big = String((await plain("big"))[0])
	const blob = await plain("blob"), file = await plain("file")
	out.blob = [await blob.text(), blob.type, blob instanceof File, await file.text(), file.name, file.type, file.lastModified]
	out.boxed = (await plain("boxed")).map((v) => typeof v + ":" + String(v))
	const error = await plain("error")
	out.error = [error instanceof TypeError, error.message]
	const self = await plain("cycle")
	out.cycle = self.self === self
	const sparse = await plain("sparse")
	out.sparse = [sparse.length, 1 in sparse, sparse.extra]
	out.dollar = [(await plain("dollar")).$, (await plain("dollar"))["\ud800"], localStorage.half === "a\ud83d", delete out.local.half]
	out.nested = JSON.stringify(await plain("nested"))
	const key = await plain("key")
	out.key = [key.constructor.name, key.extractable, key.algorithm.name, key.usages.join()]
	out.image = [...(await plain("image")).data]
	out.rect = (await plain("rect")).width
	out.secret = keys.includes("secret")
	out.dated = await plain([new Date(5), -Infinity, new Uint8Array([9]).buffer])
	const inline = db.transaction("inline").objectStore("inline")
	const index = inline.index("by c")
	out.inline = [JSON.stringify(inline.keyPath), index.unique, index.multiEntry, index.keyPath, await settled(inline.count()), (await settled(index.get(898))).a]
	out.auto = [db.transaction("auto").objectStore("auto").autoIncrement, await settled(db.transaction("auto", "readwrite").objectStore("auto").put({ t: "third" }))]
	const cached = await (await caches.open("v1")).match("/cached")
	out.cache = cached ? [await cached.text(), cached.headers.get("x-a")] : null
	out.workers = (await navigator.serviceWorker.getRegistrations()).map((r) => r.scope)
	out.cookies = document.cookie
	db.close()
	return out
})()`

func storageSite(t *testing.T) (url string, hits *atomic.Int64) {
	hits = &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		switch r.URL.Path {
		case "/worker.js":
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write([]byte("self.addEventListener('fetch', () => {})"))
		default:
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<title>site</title>"))
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, hits
}

func TestStorageComesBack(t *testing.T) {
	t.Parallel()
	site, hits := storageSite(t)
	page := testengine.NewPage(t)
	from := page.Context()
	testengine.Open(t, page, site+"/")
	require.Equal(t, "filled", evalJSON(t, page, fillStorage))
	evalJSON(t, page, `navigator.serviceWorker.register("/worker.js").then((r) => r.scope)`)
	refused, err := storage.SetCookies(t.Context(), from, []storage.NewCookie{
		{Name: "h", Value: "1", URL: site, HTTPOnly: true, SameSite: "Strict", Priority: "High"},
		{
			Name: "p", Value: "2", URL: "https://a.test/", Secure: true, SameSite: "None",
			Expires:      float64(time.Now().Add(time.Hour).Unix()),
			PartitionKey: &storage.CookiePartition{TopLevelSite: "https://top.test"},
		},
		{Name: "d", Value: "3", URL: "http://b.test/", Domain: ".b.test", Path: "/x"},
	})
	require.NoError(t, err)
	for _, err := range refused {
		require.NoError(t, err)
	}
	want := evalJSON(t, page, readStorage).(map[string]any)
	want["secret"], want["keys"] = false, want["keys"].(float64)-1
	want["auto"] = []any{true, 4.0}

	state, err := storage.Capture(t.Context(), from, storage.CaptureOptions{Kinds: everything, Active: page})
	require.NoError(t, err)
	require.Len(t, state.Origins, 1)
	require.Len(t, state.Skipped, 1, "the key that must not leave the browser: %v", state.Skipped)
	require.Contains(t, state.Skipped[0].String(), "CryptoKey")
	require.Len(t, state.Cookies, 3)

	text, err := json.Marshal(state) // as a file has it
	require.NoError(t, err)
	var read storage.State
	require.NoError(t, json.Unmarshal(text, &read))
	other := testengine.NewPage(t)
	before := hits.Load()
	restored, err := storage.Restore(t.Context(), other.Context(), &read, other)
	require.NoError(t, err)
	require.Empty(t, restored.Skipped)
	require.Equal(t, before+1, hits.Load(), "only the worker's script is asked for")
	require.Equal(t, "about:blank", other.URL())
	require.Equal(t, 3, restored.Cookies)
	testengine.Open(t, other, site+"/")
	require.Equal(t, want, evalJSON(t, other, readStorage))
	var history struct {
		Entries []struct {
			URL string `json:"url"`
		} `json:"entries"`
	}
	require.NoError(t, other.Session().Call(t.Context(), "Page.getNavigationHistory", nil, &history))
	require.Len(t, history.Entries, 2, "the visits are in the tab's history: %v", history.Entries)
	cookies, err := storage.Cookies(t.Context(), other.Context())
	require.NoError(t, err)
	require.Equal(t, state.Cookies, cookies)
	require.Len(t, other.Context().Pages(), 1, "the hidden page is not a tab")
}

func TestStorageOfOtherOrigins(t *testing.T) {
	t.Parallel()
	site, hits := storageSite(t)
	second := strings.Replace(site, "127.0.0.1", "localhost", 1)
	page := testengine.NewPage(t)
	for _, url := range []string{second, site} {
		testengine.Open(t, page, url+"/")
		evalJSON(t, page, `localStorage.setItem("at", location.origin)`)
	}
	before := hits.Load()
	capture := func(origins ...string) *storage.State {
		state, err := storage.Capture(t.Context(), page.Context(),
			storage.CaptureOptions{Kinds: everything, Origins: origins})
		require.NoError(t, err)
		return state
	}
	state := capture()
	require.Len(t, state.Origins, 2)
	require.Equal(t, []storage.Item{{Name: "at", Value: site}}, state.Origins[0].Local)
	require.Equal(t, []storage.Item{{Name: "at", Value: second}}, state.Origins[1].Local)
	require.Equal(t, state, capture(), "what no page has changed is the same again")
	require.Len(t, capture(second).Origins, 1)
	require.Equal(t, before, hits.Load(), "no server is asked")
	require.Len(t, page.Context().Pages(), 1)
}

// A frame of a third party keeps what it keeps with the page around it.
func TestStorageOfThirdParties(t *testing.T) {
	t.Parallel()
	site, _ := storageSite(t)
	third := strings.Replace(site, "127.0.0.1", "localhost", 1)
	page := testengine.NewPage(t)
	testengine.Open(t, page, site+"/")
	evalJSON(t, page,
		`new Promise((done) => { const f = document.createElement("iframe"); f.src = "`+third+
			`/"; f.onload = () => done(1); document.body.append(f) })`)
	frames := page.Frames().All(t.Context())
	require.Len(t, frames, 2)
	require.NoError(t, frames[1].RunScript(t.Context(), `() => { localStorage.setItem("in", "frame") }`, nil, nil))
	state, err := storage.Capture(t.Context(), page.Context(), storage.CaptureOptions{Kinds: everything})
	require.NoError(t, err)
	require.Empty(t, state.Origins)
	require.Len(t, state.Skipped, 1)
	require.Contains(t, state.Skipped[0].String(), third+": what it keeps as a frame of "+site)
}

func evalJSON(t *testing.T, p *engine.Page, script string) (value any) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(testengine.Eval(t, p, script)), &value))
	return value
}
