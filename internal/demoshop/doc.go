// Package demoshop is a small shop to learn on: products that can be searched and sorted, a cart, a login, a checkout
// with a form that can be refused, an order whose state changes by itself, and downloads behind the login. `skua demo`
// serves it, and the tutorial and the cookbook use it.
//
// The shop is kept in memory, one for each visitor. The package must not know the product.
package demoshop
