// Package types has what is a mistake in a program. It is compiled by a test and never run: each line with a mark has to be refused, and no other is.
package types

import (
	"context"

	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/contract"
)

func right(ctx context.Context) string {
	browser, err := tool.Open(tool.Options{SessionID: "shop"})
	if err != nil {
		return ""
	}
	defer browser.Close(ctx)
	limit := 5000.0
	result := browser.Call(ctx, tool.Request{Params: contract.Params{Args: []string{"click", "@e2"}, TimeoutMs: &limit, Observe: true}})
	if result.IsError {
		return result.Details.Code
	}
	return result.Details.Error
}

func wrong(ctx context.Context, browser *tool.Tool) {
	tool.Open(tool.Options{SessionId: "shop"})                           // refused: unknown field SessionId
	tool.Open(tool.Options{SessionID: 5})                                // refused: cannot use 5
	tool.Open("shop")                                                    // refused: cannot use "shop"
	_ = contract.Params{Args: "open"}                                    // refused: cannot use "open"
	_ = contract.Params{Args: []any{"set", "viewport", 700}}             // refused: cannot use []any
	_ = contract.Params{Argument: []string{"open"}}                      // refused: unknown field Argument
	browser.Call(ctx, contract.Params{})                                 // refused: cannot use contract.Params{}
	browser.Clack("@e2")                                                 // refused: browser.Clack undefined
	_ = browser.Call(ctx, tool.Request{}).Details.Depth                  // refused: Details.Depth undefined
	var _ string = browser.Call(ctx, tool.Request{}).Details.NextActions // refused: cannot use
}
