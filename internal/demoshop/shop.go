package demoshop

import (
	"bytes"
	"embed"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"text/template"
	"time"
)

//go:embed pages
var pages embed.FS

// templates are parsed when the first page is asked for: every program starts with this package.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"euros": euros}).ParseFS(pages, "pages/*.html"))
})

// firstOrder is the number of a visitor's first order.
const firstOrder = 1001

// mostForm is how many bytes of a form are read.
const mostForm = 64 << 10

type shop struct{ visitors visitors }

// New returns a shop without visitors.
func New() http.Handler {
	s := &shop{visitors{all: map[string]*visitor{}}}
	mux := http.NewServeMux()
	for pattern, handle := range map[string]func(http.ResponseWriter, *http.Request, *visitor){
		"GET /{$}":                    s.home,
		"GET /api/products":           s.list,
		"POST /cart/{product}":        s.add,
		"GET /cart":                   s.cart,
		"POST /cart/{product}/remove": s.remove,
		"GET /login":                  s.login,
		"POST /login":                 s.signIn,
		"POST /logout":                s.signOut,
		"GET /checkout":               signedIn(s.checkout),
		"POST /checkout":              signedIn(s.buy),
		"GET /orders":                 signedIn(s.orders),
		"GET /orders.csv":             signedIn(s.export),
		"GET /orders/{number}":        signedIn(s.order),
		"GET /orders/{number}/state":  signedIn(s.state),
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			r.Body = http.MaxBytesReader(w, r.Body, mostForm)
			v := s.visitors.of(w, r)
			v.mu.Lock()
			defer v.mu.Unlock()
			handle(w, r, v)
		})
	}
	return mux
}

// signedIn sends visitors who are not signed in to the login, which leads back.
func signedIn(
	handle func(http.ResponseWriter, *http.Request, *visitor),
) func(http.ResponseWriter, *http.Request, *visitor) {
	return func(w http.ResponseWriter, r *http.Request, v *visitor) {
		if !v.signed {
			http.Redirect(w, r, "/login?next="+r.URL.Path, http.StatusSeeOther)
			return
		}
		handle(w, r, v)
	}
}

// view is what every page shows beside its own part.
type view struct {
	Title  string
	Signed bool
	Count  int
	Own    any
}

func show(w http.ResponseWriter, status int, v *visitor, page, title string, own any) {
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, page, view{title, v.signed, v.count(), own}); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
}

func answer(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value)
}

func (s *shop) home(w http.ResponseWriter, r *http.Request, v *visitor) {
	q, order := r.FormValue("q"), r.FormValue("sort")
	show(w, http.StatusOK, v, "home.html", "Skua Shop",
		map[string]any{"Products": search(q, order), "Search": q, "Sort": order})
}

func (s *shop) list(w http.ResponseWriter, r *http.Request, _ *visitor) {
	answer(w, search(r.FormValue("q"), r.FormValue("sort")))
}

func (s *shop) add(w http.ResponseWriter, r *http.Request, v *visitor) {
	p := findProduct(r.PathValue("product"))
	switch {
	case p == nil:
		http.NotFound(w, r)
		return
	case p.Stock == 0:
		w.WriteHeader(http.StatusConflict)
		answer(w, map[string]any{"message": p.Name + " is sold out"})
		return
	}
	v.add(p)
	answer(w, map[string]any{"message": p.Name + " is in your cart", "count": v.count()})
}

func (s *shop) cart(w http.ResponseWriter, _ *http.Request, v *visitor) {
	show(w, http.StatusOK, v, "cart.html", "Your cart", map[string]any{"Lines": v.cart, "Total": total(v.cart)})
}

func (s *shop) remove(w http.ResponseWriter, r *http.Request, v *visitor) {
	v.remove(r.PathValue("product"))
	http.Redirect(w, r, "/cart", http.StatusSeeOther)
}

func (s *shop) login(w http.ResponseWriter, r *http.Request, v *visitor) {
	show(w, http.StatusOK, v, "login.html", "Sign in", map[string]any{"Next": next(r)})
}

// next is where a login leads: a page of this shop.
func next(r *http.Request) string {
	to := r.FormValue("next")
	if !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.Contains(to, `\`) {
		return "/"
	}
	return to
}

func (s *shop) signIn(w http.ResponseWriter, r *http.Request, v *visitor) {
	if r.FormValue("email") != Email || r.FormValue("password") != Password {
		show(w, http.StatusUnauthorized, v, "login.html", "Sign in", map[string]any{
			"Next": next(r), "Email": r.FormValue("email"), "Wrong": "The email or the password is wrong.",
		})
		return
	}
	v.signed = true
	http.Redirect(w, r, next(r), http.StatusSeeOther)
}

func (s *shop) signOut(w http.ResponseWriter, r *http.Request, v *visitor) {
	v.signed = false
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func (s *shop) checkout(w http.ResponseWriter, _ *http.Request, v *visitor) {
	show(w, http.StatusOK, v, "checkout.html", "Checkout",
		map[string]any{"Total": total(v.cart), "Empty": len(v.cart) == 0})
}

func (s *shop) buy(w http.ResponseWriter, r *http.Request, v *visitor) {
	o := &order{
		Number:   firstOrder + len(v.orders),
		Name:     strings.TrimSpace(r.FormValue("name")),
		Street:   strings.TrimSpace(r.FormValue("street")),
		Delivery: r.FormValue("delivery"),
		Lines:    v.cart,
		placed:   time.Now(),
	}
	wrong := ""
	switch {
	case len(v.cart) == 0:
		wrong = "Your cart is empty."
	case o.Name == "" || o.Street == "":
		wrong = "We need your name and street."
	case r.FormValue("terms") == "":
		wrong = "Please accept the terms."
	}
	if wrong != "" {
		show(w, http.StatusUnprocessableEntity, v, "checkout.html", "Checkout", map[string]any{
			"Total": total(v.cart), "Empty": len(v.cart) == 0, "Wrong": wrong, "Name": o.Name, "Street": o.Street,
			"Delivery": o.Delivery,
		})
		return
	}
	v.orders, v.cart = append(v.orders, o), nil
	http.Redirect(w, r, fmt.Sprintf("/orders/%d", o.Number), http.StatusSeeOther)
}

func (s *shop) orders(w http.ResponseWriter, _ *http.Request, v *visitor) {
	show(w, http.StatusOK, v, "orders.html", "Your orders", v.orders)
}

func (s *shop) order(w http.ResponseWriter, r *http.Request, v *visitor) {
	if o := asked(w, r, v); o != nil {
		show(w, http.StatusOK, v, "order.html", fmt.Sprintf("Order %d", o.Number), o)
	}
}

func (s *shop) state(w http.ResponseWriter, r *http.Request, v *visitor) {
	if o := asked(w, r, v); o != nil {
		answer(w, map[string]any{"state": o.State()})
	}
}

// asked returns the order that a request names, or answers that there is none.
func asked(w http.ResponseWriter, r *http.Request, v *visitor) *order {
	number, err := strconv.Atoi(r.PathValue("number"))
	if o := v.order(number); err == nil && o != nil {
		return o
	}
	show(w, http.StatusNotFound, v, "missing.html", "No such order", r.PathValue("number"))
	return nil
}

func (s *shop) export(w http.ResponseWriter, _ *http.Request, v *visitor) {
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="orders.csv"`)
	rows := csv.NewWriter(w)
	_ = rows.Write([]string{"order", "product", "count", "price"})
	for _, o := range v.orders {
		for _, l := range o.Lines {
			_ = rows.Write([]string{strconv.Itoa(o.Number), l.Product.Name, strconv.Itoa(l.Count), l.Price()})
		}
	}
	rows.Flush()
}
