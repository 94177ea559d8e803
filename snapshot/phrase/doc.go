// Package phrase writes the parts that lines of a snapshot are made of: quoted names, plain values, counts, and how
// lines became others. It knows no nodes.
package phrase
