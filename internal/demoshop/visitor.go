package demoshop

import (
	"crypto/rand"
	"net/http"
	"slices"
	"sync"
	"time"
)

// The one account of the shop.
const (
	Email    = "ada@shop.test"
	Password = "lovelace"
)

// packing is how long an order is being packed before it is on its way.
const packing = 1500 * time.Millisecond

// mostVisitors bounds the memory: the oldest visitor is forgotten when one more comes.
const mostVisitors = 200

// line is a product in a cart or an order.
type line struct {
	Product *product
	Count   int
}

func (l line) Price() string { return euros(l.Product.Price * l.Count) }

type order struct {
	Number   int
	Name     string
	Street   string
	Delivery string
	Lines    []line
	placed   time.Time
}

// State is what the order's page shows, and changes by itself.
func (o *order) State() string {
	if time.Since(o.placed) < packing {
		return "Being packed"
	}
	return "On its way"
}

func (o *order) Total() string { return total(o.Lines) }

func total(lines []line) string {
	sum := 0
	for _, l := range lines {
		sum += l.Product.Price * l.Count
	}
	return euros(sum)
}

// visitor is one browser, known by its cookie.
type visitor struct {
	mu     sync.Mutex
	signed bool
	cart   []line
	orders []*order
}

func (v *visitor) add(p *product) {
	if i := slices.IndexFunc(v.cart, func(l line) bool { return l.Product == p }); i >= 0 {
		v.cart[i].Count++
		return
	}
	v.cart = append(v.cart, line{p, 1})
}

func (v *visitor) remove(id string) {
	v.cart = slices.DeleteFunc(v.cart, func(l line) bool { return l.Product.ID == id })
}

func (v *visitor) count() (n int) {
	for _, l := range v.cart {
		n += l.Count
	}
	return n
}

func (v *visitor) order(number int) *order {
	if i := slices.IndexFunc(v.orders, func(o *order) bool { return o.Number == number }); i >= 0 {
		return v.orders[i]
	}
	return nil
}

// visitors are known by the value of their cookie.
type visitors struct {
	mu   sync.Mutex
	all  map[string]*visitor
	came []string // in the order in which they came
}

const cookieName = "demoshop"

// of returns the visitor who sent a request. A new one gets a cookie.
func (vs *visitors) of(w http.ResponseWriter, r *http.Request) *visitor {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	if c, err := r.Cookie(cookieName); err == nil && vs.all[c.Value] != nil {
		return vs.all[c.Value]
	}
	if len(vs.came) >= mostVisitors {
		delete(vs.all, vs.came[0])
		vs.came = vs.came[1:]
	}
	id := rand.Text()
	v := &visitor{}
	vs.all[id], vs.came = v, append(vs.came, id)
	http.SetCookie(w, &http.Cookie{
		Name:     cookieName,
		Value:    id,
		Path:     "/",
		HttpOnly: true,
		SameSite: http.SameSiteLaxMode,
	})
	return v
}
