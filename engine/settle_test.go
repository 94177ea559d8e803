package engine_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/fault"
)

func settle(t *testing.T, p *engine.Page, d time.Duration) bool {
	t.Helper()
	still, err := p.Loading().Settle(timed(t, limit), d)
	require.NoError(t, err)
	return still
}

// A navigation that the page began is waited for, and no longer than asked.
func TestSettle(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, script string }{
		{"location", `location.href = "/slow"; 0`},
		{"link", `const a = document.createElement("a"); a.href = "/slow"; document.body.append(a); a.click()`},
		{"form", `const f = document.createElement("form"); f.action = "/slow"; document.body.append(f); f.submit()`},
		{"timer", `new Promise(done => setTimeout(() => { location.href = "/slow"; done(0) }, 1))`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, map[string]string{"/": "<title>Main</title><body>"})
			asked, openIt := s.Gate(t, "/slow", "text/html", "<title>Slow</title>")
			p := newPage(t)
			open(t, p, s.URL+"/")
			require.True(t, settle(t, p, 0), "it is not navigating")
			require.Empty(t, p.Loading().To())
			eval(t, p, tc.script)
			receive(t, asked)
			require.False(t, settle(t, p, 10*time.Millisecond))
			require.Contains(t, p.Loading().To(), s.URL+"/slow")
			require.Equal(t, s.URL+"/", p.URL(), "the old page is there meanwhile")

			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
			defer cancel()
			_, err := p.Loading().Settle(ctx, limit)
			require.Equal(t, fault.Timeout, fault.CodeOf(err))

			openIt()
			require.True(t, settle(t, p, limit))
			require.Empty(t, p.Loading().To())
			require.Contains(t, p.URL(), s.URL+"/slow")
			require.Equal(t, `"Slow"`, eval(t, p, "document.title"))
		})
	}
}

// What begins like a navigation and brings no document ends as soon as that is known.
func TestSettleWithoutDocument(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"/": "<title>Main</title><body>"})
	s.Handle("/nothing", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	s.Handle("/file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment")
		_, _ = w.Write([]byte("bytes"))
	})
	s.Gate(t, "/never", "text/html", "")
	p := newPage(t)
	open(t, p, s.URL+"/")
	for _, script := range []string{
		`location.href = "/nothing"; 0`, `location.href = "/file"; 0`, `location.href = "#there"; 0`,
		`location.href = "javascript:void 0"; 0`,
		`location.href = "/never"; stop(); 0`, `location.href = "mailto:a@b.c"; 0`, `history.pushState(0, "", "/"); 0`,
	} {
		eval(t, p, script)
		require.True(t, settle(t, p, limit), script)
		require.Equal(t, `"Main"`, eval(t, p, "document.title"), script)
	}
}

// A new document is waited for until it is parsed, not until everything in it is there.
func TestSettleWaitsForTheDOM(t *testing.T) {
	t.Parallel()
	s := newSite(t,
		map[string]string{
			"/":     "<title>Main</title>",
			"/next": `<title>Next</title><script src="/script"></script><img src="/image">`,
		})
	asked, openIt := s.Gate(t, "/script", "text/javascript", "")
	s.Gate(t, "/image", "image/png", "")
	p := newPage(t)
	open(t, p, s.URL+"/")
	eval(t, p, `location.href = "/next"; 0`)
	receive(t, asked)
	require.False(t, settle(t, p, 10*time.Millisecond))
	openIt()
	require.True(t, settle(t, p, limit))
	require.Equal(t, `"interactive"`, eval(t, p, "document.readyState"))
}

// An open dialog blocks the page: Settle does not wait for it.
func TestSettleWithDialog(t *testing.T) {
	t.Parallel()
	p, _ := openHTML(t, "<title>Main</title>")
	value := blocked(t, p, `confirm("sure?")`)
	require.True(t, settle(t, p, limit))
	require.NoError(t, p.Dialogs().Answer(timed(t, limit), true, ""))
	require.Equal(t, "true", receive(t, value))
}

func TestAwaitURL(t *testing.T) {
	t.Parallel()
	p, s := openHTML(t, "<title>Main</title>")
	done := make(chan error, 1)
	go func() { // ends with the address
		done <- p.Loading().AwaitURL(timed(t, limit), func(url string) bool { return url == s.URL+"/pushed" })
	}()
	eval(t, p, `history.pushState(0, "", "/pushed")`)
	require.NoError(t, receive(t, done))
	err := p.Loading().AwaitURL(timed(t, 50*time.Millisecond), func(string) bool { return false })
	require.Equal(t, fault.Timeout, fault.CodeOf(err))
	require.EqualError(t, err, "timed out while waiting for the address")
}

func TestWatch(t *testing.T) {
	t.Parallel()
	p, _ := openHTML(t, "<title>Main</title>")
	all, stopAll := p.Watch(timed(t, limit), true)
	defer stopAll()
	patient, stopPatient := p.Watch(timed(t, limit), false)
	defer stopPatient()
	stopped, stop := p.Watch(timed(t, limit), true)
	stop()
	require.Equal(t, context.Canceled, context.Cause(stopped))

	value := blocked(t, p, `confirm("sure?")`)
	<-all.Done()
	require.Equal(t, fault.DialogOpen, fault.CodeOf(context.Cause(all)))
	require.ErrorContains(t, context.Cause(all), `A JavaScript confirm dialog is blocking the page: "sure?".`)
	require.NoError(t, patient.Err())
	late, stopLate := p.Watch(timed(t, limit), true)
	defer stopLate()
	require.Equal(t, fault.DialogOpen, fault.CodeOf(context.Cause(late)))

	require.NoError(t, p.Dialogs().Answer(timed(t, limit), false, ""))
	receive(t, value)
	free, stopFree := p.Watch(timed(t, limit), true)
	defer stopFree()
	require.NoError(t, free.Err())

	require.NoError(t, p.Close(timed(t, limit)))
	for _, ctx := range []context.Context{patient, free} {
		<-ctx.Done()
		require.Equal(t, fault.PageGone, fault.CodeOf(context.Cause(ctx)))
	}
}
