package engine_test

import (
	"context"
	"fmt"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/chrome"
)

// A browser is launched, driven and ended; nothing else runs.
func Example() {
	ctx := context.Background()
	browser, err := engine.Launch(ctx, chrome.Options{Headless: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer browser.Close(ctx)
	alone, err := browser.NewContext(ctx, engine.ContextOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	page, err := alone.NewPage(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := page.Navigate(ctx, "data:text/html,<title>Hello</title><p>One <b>two</b>", engine.WaitLoad); err != nil {
		fmt.Println(err)
		return
	}
	value, err := page.Evaluate(ctx, "[document.title, document.body.innerText]")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(value.JSON))
	// Output: ["Hello","One two"]
}
