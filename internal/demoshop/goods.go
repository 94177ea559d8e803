package demoshop

import (
	"fmt"
	"slices"
	"strings"
)

// product is what the shop sells. Prices are in cents.
type product struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Text  string `json:"text"`
	Price int    `json:"price"`
	Stock int    `json:"stock"`
}

var products = []product{
	{"anchor", "Brass anchor", "Holds down papers in a breeze.", 2450, 8},
	{"binoculars", "Field binoculars", "Eight times closer, and dry in the rain.", 12900, 3},
	{"blanket", "Wool blanket", "Warm on a ferry in November.", 6900, 12},
	{"compass", "Pocket compass", "Points north, also without a network.", 3200, 20},
	{"lantern", "Storm lantern", "Burns on when the wind does not stop.", 4800, 5},
	{"logbook", "Logbook", "200 numbered pages for what was seen.", 1450, 0},
}

func findProduct(id string) *product {
	if i := slices.IndexFunc(products, func(p product) bool { return p.ID == id }); i >= 0 {
		return &products[i]
	}
	return nil
}

// search returns the products with a text in their name or description, in an order: name, price, or price-down.
func search(text, order string) []product {
	text = strings.ToLower(strings.TrimSpace(text))
	found := slices.DeleteFunc(slices.Clone(products), func(p product) bool {
		return !strings.Contains(strings.ToLower(p.Name+" "+p.Text), text)
	})
	slices.SortStableFunc(found, func(a, b product) int {
		switch order {
		case "price":
			return a.Price - b.Price
		case "price-down":
			return b.Price - a.Price
		}
		return strings.Compare(a.Name, b.Name)
	})
	return found
}

// euros writes an amount of cents.
func euros(cents int) string { return fmt.Sprintf("€ %d.%02d", cents/100, cents%100) }
