// Package product says what the product is called and which build of it this is, for all packages that put it into what
// they write.
package product

// Name is what files say that they were made by.
const Name = "skua"
