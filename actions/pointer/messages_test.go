package pointer_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/sessiontest"
)

// refusing is a site whose forms are refused, each with its message.
func refusing(t *testing.T) string {
	t.Helper()
	const prose = `<p>Some text of the page which is so long that a snapshot counts it and does not show what it says to its readers.</p>`
	page := func(w http.ResponseWriter, body string) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, `<!doctype html><title>Account</title><main><h1>Account</h1>%[1]s%[1]s%[1]s%[2]s</main>`, prose,
			body)
	}
	form := func(action, before, after string) string {
		return fmt.Sprintf(
			`%s<form method=post action="%s"><label>User <input name=user></label>%s<button>Send</button></form>`, before,
			action, after)
	}
	refusals := map[string]string{
		"/class": form("/class",
			`<div class="flash flash-error">The password is not right; check that caps lock is off, or ask for another one on the first page</div>`, ""),
		"/list":  form("/list", `<ul class=errorlist><li>User is taken</li><li>Name is missing</li></ul>`, ""),
		"/alert": form("/alert", `<div role=alert><ul><li>User is too short</li></ul></div>`, ""),
		"/field": form("/field", "",
			`<p id=why>Use four letters or more</p><script>document.querySelector('[name=user]').setAttribute('aria-invalid', true);document.querySelector('[name=user]').setAttribute('aria-errormessage', 'why')</script>`),
		"/silent":  form("/silent", "", ""),
		"/success": form("/success", `<div class="notice notice-success">Changes were kept</div>`, ""),
	}
	mux := http.NewServeMux()
	for path, refusal := range refusals {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodPost {
				page(w, form(path, "", ""))
				return
			}
			page(w, refusal)
		})
	}
	// One that leads back to where the form is, and one that is refused under another address.
	mux.HandleFunc("/back", func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPost:
			http.Redirect(w, r, "/back?failed=1", http.StatusSeeOther)
		case r.URL.RawQuery != "":
			page(w, form("/back", `<p class="text-red-600">No such user</p>`, ""))
		default:
			page(w, form("/back", "", ""))
		}
	})
	mux.HandleFunc("/users/new", func(w http.ResponseWriter, _ *http.Request) { page(w, form("/users", "", "")) })
	mux.HandleFunc("/users", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnprocessableEntity)
		page(w,
			form("/users",
				`<div id="error_explanation" class="alert alert-danger">1 error prohibited this user from being saved</div>`, ""))
	})
	mux.HandleFunc("/unseen", func(w http.ResponseWriter, _ *http.Request) {
		page(w,
			`<form method=post action="/unseen"><label>Find <input name=user></label><button>Send</button></form><span role=status style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0)">Type 1 or more characters for results.</span>`)
	})
	mux.HandleFunc("/docs", func(w http.ResponseWriter, _ *http.Request) {
		page(w, `<div class=notice>This page is a draft</div>`)
	})
	mux.HandleFunc("/start", func(w http.ResponseWriter, _ *http.Request) { page(w, `<a href="/docs">Docs</a>`) })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// What the server says of a form is in the reply, and comes first in what is shown of the page.
func TestMessageOfRefusedForm(t *testing.T) {
	t.Parallel()
	site := refusing(t)
	const classed = "The password is not right; check that caps lock is off, or ask for another one on the first page"
	for _, tt := range []struct{ path, says, shows string }{
		{"/class", `the page was reloaded; the form is still there: "` + classed + `"`, "- error: " + classed},
		{
			"/list", `the form is still there: "User is taken Name is missing"`,
			"- error: User is taken\n- error: Name is missing",
		},
		{"/alert", `the form is still there: "User is too short"`, "- error: User is too short"},
		{"/field", `the form is still there: "Use four letters or more"`, "- error: Use four letters or more"},
		{"/silent", `the page was reloaded; the form is there again`, `- h1 "Account"`},
		{"/success", `the page was reloaded; the page says: "Changes were kept"`, "- success: Changes were kept"},
		{"/back", `the form is still there: "No such user"`, "- error: No such user"},
		{
			"/users/new", `the form is still there: "1 error prohibited this user from being saved"`,
			"- error: 1 error prohibited this user from being saved",
		},
	} {
		t.Run(tt.path, func(t *testing.T) {
			t.Parallel()
			c := host.NewClient(t)
			c.Do("open", site+tt.path)
			c.Do("snapshot", "-i")
			require.Contains(t, c.Do("click", "button").Result.Text, tt.says)
			require.Contains(t, c.Do("snapshot", "-i").Result.Text, tt.shows)
			c.Do("focus", "[name=user]")
			require.Contains(t, c.Do("press", "Enter", "--observe").Result.Text, tt.says)
		})
	}
	t.Run("a notice for screen readers", func(t *testing.T) {
		t.Parallel()
		c := host.NewClient(t)
		c.Do("open", site+"/unseen")
		require.NotContains(t, c.Do("click", "button").Result.Text, "Type 1", "it is how the field is used")
	})
	t.Run("a notice for everybody", func(t *testing.T) {
		t.Parallel()
		c := host.NewClient(t)
		c.Do("open", site+"/start")
		require.NotContains(t, c.Do("click", "a").Result.Text, "draft", "the page does not answer the click with it")
		require.Contains(t, c.Do("snapshot", "-i").Result.Text, "- notice: This page is a draft")
	})
}

// A page without roles says in a reply what it says of what was done.
func TestMessageOnThePage(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ html, says string }{
		"that is put in": {
			`<div class="error">Old</div><button id=b>Save</button><div id=stack></div><script>b.onclick = () => {
				stack.innerHTML = '<div class="Toast__body Toast--error"><div>The disk is full</div><button>×</button></div>' }</script>`,
			`the page says: "The disk is full"`,
		},
		"that is shown": {
			`<button id=b>Save</button><p id=p hidden class="invalid-feedback">Enter a number</p><script>b.onclick = () => { p.hidden = false }</script>`,
			`the page says: "Enter a number"`,
		},
		"whose text comes": {
			`<input id=i aria-describedby=h><p id=h></p><button id=b>Save</button><script>b.onclick = () => {
				i.setAttribute('aria-invalid', true); h.textContent = 'Enter an address' }</script>`,
			`the page says: "Enter an address"`,
		},
		"in a label": {
			`<form id=f novalidate><label for=i>Name</label><input id=i><button id=b>Save</button></form><script>f.onsubmit = e => { e.preventDefault()
				i.insertAdjacentHTML('afterend', '<label class="error" for=i>This field is required.</label>') }</script>`,
			`the page says: "This field is required."`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, tt.html)
			reply := c.Do("click", "#b")
			require.Contains(t, reply.Result.Text, "✓ Done · "+tt.says)
			require.NotContains(t, reply.Result.Text, "Old")
			effect := sessiontest.Decode[object](t, reply.Result.Data)["effect"].(object)
			require.NotEmpty(t, effect["messages"], "%v", effect)
		})
	}
	t.Run("for another purpose", func(t *testing.T) {
		t.Parallel()
		c := host.Showing(t, `<button id=b>Add</button><table><tr><td id=c></table><script>b.onclick = () => {
			c.innerHTML = '<span class="badge badge-success">Paid</span> <a class="text-danger" href="#">Remove</a> <div class="field has-error"><input></div>' }</script>`)
		require.NotContains(t, c.Do("click", "#b").Result.Text, "the page says")
	})
}

// What the browser itself says of a field, for which it does not send the form, is in no document.
func TestMessageOfTheBrowser(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ fields, says string }{
		"required": {
			`<label>Name <input required></label>`,
			`the form was not sent: "Name: Please fill out this field."`,
		},
		"email": {
			`<label>Mail <input type=email value=foo></label>`,
			`the form was not sent: "Mail: Please include an '@' in the email address. 'foo' is missing an '@'."`,
		},
		"pattern": {
			`<input aria-label=Code pattern="[0-9]{4}" title="Four digits" value=ab>`,
			`the form was not sent: "Code: Please match the requested format."`,
		},
		"number": {
			`<label>Age <input type=number min=18 value=7></label>`,
			`the form was not sent: "Age: Value must be greater than or equal to 18."`,
		},
		"select": {
			`<label>Size <select required><option value="">Choose</select></label>`,
			`the form was not sent: "Size: Please select an item in the list."`,
		},
		"box": {
			`<label><input type=checkbox required> Agreed</label>`,
			`the form was not sent: "Agreed: Please check this box if you want to proceed."`,
		},
		"radio": {
			`<label><input type=radio name=r required> One</label><label><input type=radio name=r> Two</label>`,
			`the form was not sent: "One: Please select one of these options."`,
		},
		"said by a script": {
			`<label>Nick <input id=n></label><script>n.setCustomValidity("Taken")</script>`,
			`the form was not sent: "Nick: Taken"`,
		},
		"two": {
			`<label>A <input required></label><label>B <textarea required></textarea></label>`,
			`"A: Please fill out this field.", "B: Please fill out this field."`,
		},
		"hidden": {
			`<input name=token required style="display:none"><label>A <input></label>`,
			`the form was not sent: "token: Please fill out this field."`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t,
				`<form onsubmit="return false">`+tt.fields+`<input id=last aria-label=Last><button>Send</button></form>`)
			require.Contains(t, c.Do("click", "button").Result.Text, tt.says)
			c.Do("focus", "#last")
			require.Contains(t, c.Do("press", "Enter").Result.Text, tt.says)
		})
	}
	for name, html := range map[string]string{
		"checked while typing": `<form><input id=i required oninput="this.form.checkValidity()"><input required><button type=button id=b onclick="i.value = ''">Clear</button></form>`,
		"said by the page":     `<form onsubmit="return false"><input id=i required oninvalid="event.preventDefault()"><button id=b>Send</button></form>`,
		"not validated":        `<form novalidate onsubmit="return false"><input id=i required><button id=b>Send</button></form>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, html)
			require.NotContains(t, c.Do("fill", "#i", "x").Result.Text, "not sent")
			require.NotContains(t, c.Do("fill", "#i", "").Result.Text, "not sent")
			require.NotContains(t, c.Do("click", "#b").Result.Text, "not sent")
		})
	}
}

// A refusal that comes after the first effect is in the reply of what sent the form.
func TestMessageAfterTheFirstEffect(t *testing.T) {
	t.Parallel()
	shown := make(chan struct{}, 10) // the page shows that it is at work
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/shown" {
			shown <- struct{}{}
			return
		}
		if r.Method == http.MethodPost {
			<-shown
			w.WriteHeader(http.StatusConflict)
			_, _ = fmt.Fprint(w, "Name is taken")
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w,
			`<!doctype html><form id=f><label>Name <input id=i></label><button id=b>Send</button><p id=p></p></form><script>
			const show = async (sent) => { b.disabled = true; b.textContent = 'Wait'; p.innerHTML = '<span role=status>Sending…</span>'; requestAnimationFrame(() => fetch('/shown'))
				const said = await sent; p.innerHTML = '<div>' + said + '</div>'; b.disabled = false; b.textContent = 'Send' }
			const ask = () => fetch('/', {method: 'POST'}).then((r) => r.text())
			const later = () => new Promise((done) => setTimeout(done, 400, 'Use a longer name'))
			f.onsubmit = (e) => { e.preventDefault(); if (location.hash === '#server') show(ask()); if (location.hash === '#script') show(later()) }
			if (location.hash === '#button') { b.type = 'button'; b.onclick = () => show(ask()) }</script>`)
	}))
	t.Cleanup(server.Close)
	for hash, says := range map[string]string{
		"#server": "Name is taken", "#button": "Name is taken",
		"#script": "Use a longer name",
	} {
		t.Run(hash, func(t *testing.T) {
			t.Parallel()
			c := host.NewClient(t)
			c.Do("open", server.URL+"/"+hash)
			require.Contains(t, c.Do("click", "#b").Result.Text, says)
			if hash == "#button" {
				return
			}
			c.Do("focus", "#i")
			require.Contains(t, c.Do("press", "Enter").Result.Text, says)
		})
	}
}

// What only looks different, as a dialog does that fades out, says nothing new.
func TestMessageThatWasThere(t *testing.T) {
	t.Parallel()
	for name, html := range map[string]string{
		"fades out": `<div id=d class=fade><h4 class="title alert-success">Allow reports?</h4><button id=b onclick="d.className = 'fade out'; d.style.opacity = 0.5">No</button></div>`,
		"moves":     `<div id=d class="alert alert-danger">Disk is nearly full</div><button id=b onclick="d.style.marginTop = '20px'">Down</button>`,
		"is marked": `<section id=d><p class=error>Old</p></section><button id=b onclick="d.dataset.open = 1">Open</button>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.NotContains(t, host.Showing(t, html).Do("click", "#b").Result.Text, "the page says")
		})
	}
	t.Run("is said again", func(t *testing.T) {
		t.Parallel()
		c := host.Showing(t,
			`<p id=p class=error>Wrong code</p><button id=b onclick="p.textContent = 'Wrong code'">Check</button>`)
		require.Contains(t, c.Do("click", "#b").Result.Text, `the page says: "Wrong code"`)
	})
}

// With --observe, a dialog that comes with the server's answer is in the reply.
func TestDialogBehindARequest(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/shown":
			asked <- struct{}{}
		case "/id":
			<-asked
			_, _ = fmt.Fprint(w, "lzaty")
		default:
			w.Header().Set("Content-Type", "text/html")
			_, _ = fmt.Fprint(w,
				`<!doctype html><button id=b>Add</button><div id=d hidden><input aria-label=Path><button>Save</button></div><script>b.onclick = async () => {
				requestAnimationFrame(() => requestAnimationFrame(() => fetch('/shown')))
				const id = await (await fetch('/id')).text(); d.hidden = false }</script>`)
		}
	}))
	t.Cleanup(server.Close)
	c := host.NewClient(t)
	c.Do("open", server.URL)
	c.Do("snapshot", "-i")
	require.Contains(t, c.Do("click", "#b", "--observe").Result.Text, `textbox "Path"`)
}

// What appeared is called by what can be read of it: the characters of icon fonts stand for pictures.
func TestIconsInWhatAppeared(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		"<button id=b onclick=\"d.innerHTML = '<button>\ue901 Undo</button><button>\ue902</button>'\">Do</button><div "+
			"id=d></div>")
	text := c.Do("click", "#b").Result.Text
	require.Contains(t, text, `appeared: button "Undo"`)
	require.NotContains(t, text, "\ue902")
}
