// Package testprogram writes programs that tests run. Only tests import it.
package testprogram
