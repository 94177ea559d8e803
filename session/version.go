package session

// Version is the version of the product.
const Version = "0.1.0"
