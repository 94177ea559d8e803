package tool_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/contract"
)

// A tool works on browsers of its own in this process, as an agent's host would use it.
func ExampleOpen() {
	ctx := context.Background()
	browser, err := tool.Open(tool.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer browser.Close(ctx)
	page := "data:text/html,<title>Shop</title><button onclick=\"document.title='Sold',textContent='Bought'\">Buy</button>"
	for _, params := range []contract.Params{
		{Args: []string{"open", page}},
		{SemanticAction: json.RawMessage(`{"action":"click","locator":"role","value":"button","name":"Buy"}`)},
		{Args: []string{"get", "title"}},
		{Args: []string{"click", "#nothing"}},
	} {
		result := browser.Call(ctx, tool.Request{Params: params})
		if result.IsError {
			fmt.Println(result.Details.FailureCategory, result.Details.NextActions[0].ID)
			continue
		}
		fmt.Println(result.Details.Summary)
	}
	// Output:
	// Opened Shop
	// Clicked: @e1 · title: "Shop" → "Sold"; appeared: text "Bought"
	// Title: Sold
	// selector-not-found refresh-interactive-refs
}
