package session

import "github.com/skua-browser/skua/internal/product"

// Version is the version of the product.
const Version = product.Version
