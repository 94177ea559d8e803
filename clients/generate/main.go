package main

import (
	"fmt"
	"os"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/clients"
)

func main() {
	if err := generate(); err != nil {
		fmt.Fprintln(os.Stderr, "scripts/clients: "+err.Error())
		os.Exit(1)
	}
}

func generate() error {
	m, err := clients.New(catalog.Registry(), ".")
	if err != nil {
		return err
	}
	if err := clients.WriteGo(m, "."); err != nil {
		return err
	}
	return m.Write("clients")
}
