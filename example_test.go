package skua_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"

	"github.com/skua-browser/skua"
)

const form = "data:text/html,<title>Form</title><label>Name <input></label>" +
	"<button onclick=\"document.title = 'Sent', textContent = 'Thanks'\">Send</button>"

// A program looks at a page, and acts on what it has seen.
func Example() {
	ctx := context.Background()
	host, err := skua.Open(skua.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer host.Close(ctx)
	page := host.Page("form", skua.SessionOptions{})
	if _, err := page.Open(ctx, form); err != nil {
		log.Fatal(err)
	}
	snap, err := page.Snapshot(ctx, skua.SnapshotOptions{Interactive: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(snap.Refs["e1"].Role, snap.Refs["e1"].Name)
	if _, err := page.Fill(ctx, "@e1", "Ada"); err != nil {
		log.Fatal(err)
	}
	name, err := page.Value(ctx, "@e1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(name)
	clicked, err := page.Click(ctx, "@e2", skua.ClickOptions{Observe: true})
	if err != nil {
		log.Fatal(err)
	}
	result, _, _ := strings.Cut(clicked.Text, "\n") // then what changed on the page
	fmt.Println(result)
	// Output:
	// textbox Name
	// Ada
	// ✓ Done · title: "Form" → "Sent"; appeared: text "Thanks"
}

// Errors have stable codes.
func ExampleError() {
	ctx := context.Background()
	host, err := skua.Open(skua.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer host.Close(ctx)
	page := host.Page("form", skua.SessionOptions{})
	if _, err := page.Open(ctx, form); err != nil {
		log.Fatal(err)
	}
	_, err = page.Click(ctx, "#buy")
	fmt.Println(errors.Is(err, skua.ErrSelectorNotFound), errors.Is(err, skua.ErrTimeout))
	if failed, ok := errors.AsType[*skua.Error](err); ok {
		fmt.Println(failed.Code, failed.Outcome)
	}
	// Output:
	// true false
	// selector-not-found none
}

// Sessions of one host have pages and cookies of their own.
func ExampleHost_Page() {
	ctx := context.Background()
	host, err := skua.Open(skua.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer host.Close(ctx)
	for _, name := range []string{"Ada", "Bo"} {
		if _, err := host.Page(name, skua.SessionOptions{}).Open(ctx, "data:text/html,<title>"+name+"</title>"); err != nil {
			log.Fatal(err)
		}
	}
	title, err := host.Page("Ada", skua.SessionOptions{}).Title(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(title)
	// Output:
	// Ada
}
