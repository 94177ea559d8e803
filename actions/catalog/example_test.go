package catalog_test

import (
	"fmt"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
)

// The registry reads command lines without running them, and knows what each command does.
func ExampleCommands() {
	registry := catalog.Registry()
	in, err := registry.Parse([]string{"goto", "example.org", "--timeout", "5s"}, actions.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(in.Command().Name, in.String("url"), in.Duration("timeout"), in.Command().Effect.Has(actions.Navigates))
	_, err = registry.Parse([]string{"clik", "@e1"}, actions.ParseOptions{})
	fmt.Println(err)
	// Output:
	// open example.org 5s true
	// Unknown command: clik
	// Did you mean `click`?
}
