package demoshop

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// buyer is a visitor with a cookie jar.
type buyer struct {
	*testing.T
	client *http.Client
	base   string
}

func newBuyer(t *testing.T) *buyer {
	server := httptest.NewServer(New())
	t.Cleanup(server.Close)
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	return &buyer{t, &http.Client{Jar: jar}, server.URL}
}

// post sends a form, or asks for a page when there is none, and returns the status, the address that it led to and the
// text.
func (b *buyer) ask(path string, form url.Values) (status int, at, text string) {
	b.Helper()
	var reply *http.Response
	var err error
	if form == nil {
		reply, err = b.client.Get(b.base + path)
	} else {
		reply, err = b.client.PostForm(b.base+path, form)
	}
	require.NoError(b, err)
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	require.NoError(b, err)
	return reply.StatusCode, strings.TrimPrefix(reply.Request.URL.String(), b.base), string(body)
}

func (b *buyer) signIn() {
	b.Helper()
	_, at, _ := b.ask("/login", url.Values{"email": {Email}, "password": {Password}, "next": {"/cart"}})
	require.Equal(b, "/cart", at)
}

func TestSearch(t *testing.T) {
	t.Parallel()
	names := func(list []product) (names []string) {
		for _, p := range list {
			names = append(names, p.ID)
		}
		return names
	}
	require.Equal(t, []string{"anchor", "binoculars", "logbook", "compass", "lantern", "blanket"}, names(search("", "")))
	require.Equal(t, []string{"logbook", "anchor"}, names(search("", "price"))[:2])
	require.Equal(t, []string{"binoculars"}, names(search(" FIELD ", "price-down")))
	require.Empty(t, search("no such thing", ""))
}

func TestOrder(t *testing.T) {
	t.Parallel()
	b := newBuyer(t)
	_, _, text := b.ask("/cart/anchor", url.Values{})
	require.JSONEq(t, `{"message":"Brass anchor is in your cart","count":1}`, text)
	status, _, text := b.ask("/cart/logbook", url.Values{})
	require.Equal(t, http.StatusConflict, status)
	require.Contains(t, text, "Logbook is sold out")
	_, at, _ := b.ask("/checkout", nil)
	require.Equal(t, "/login?next=/checkout", at)
	b.signIn()
	status, _, text = b.ask("/checkout", url.Values{"name": {"<Ada>"}, "street": {"Harbour Road 1"}})
	require.Equal(t, http.StatusUnprocessableEntity, status)
	require.Contains(t, text, "Please accept the terms.")
	require.Contains(t, text, `value="&lt;Ada&gt;"`)
	_, at, text = b.ask("/checkout",
		url.Values{"name": {"Ada"}, "street": {"Harbour Road 1"}, "delivery": {"Ferry"}, "terms": {"on"}})
	require.Equal(t, "/orders/1001", at)
	require.Contains(t, text, "Thank you, Ada.")
	require.Contains(t, text, "Being packed")
	_, _, text = b.ask("/orders.csv", nil)
	require.Equal(t, "order,product,count,price\n1001,Brass anchor,1,€ 24.50\n", text)
	status, _, text = b.ask("/orders/7", nil)
	require.Equal(t, http.StatusNotFound, status)
	require.Contains(t, text, "There is no order 7.")
}

// A login leads back to this shop, and nowhere else.
func TestNextStaysHere(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"/cart": "/cart", "": "/", "https://elsewhere.test/": "/", "//elsewhere.test/": "/", `/\elsewhere.test`: "/",
	} {
		r := httptest.NewRequest(http.MethodGet, "/login?next="+url.QueryEscape(given), nil)
		require.Equal(t, want, next(r), given)
	}
}

func TestVisitorsAreForgotten(t *testing.T) {
	t.Parallel()
	vs := &visitors{all: map[string]*visitor{}}
	for range mostVisitors + 3 {
		vs.of(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
	}
	require.Len(t, vs.all, mostVisitors)
	require.Len(t, vs.came, mostVisitors)
}
