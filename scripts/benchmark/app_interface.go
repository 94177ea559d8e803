//go:build linux

package main

import (
	"context"
	"fmt"

	"github.com/skua-browser/skua/scripts/benchmark/apps"
)

// interfaceFlows returns the flows in Swagger UI, which tries out the interface of an orders book.
func interfaceFlows() []flow {
	return []flow{
		{
			name:    "order",
			title:   "Swagger UI: send an order",
			app:     "swagger-ui",
			prepare: nothing,
			run:     sendOrder,
			check:   ordersAre(0),
		},
		{
			name:    "lookup",
			title:   "Swagger UI: look up an order",
			app:     "swagger-ui",
			prepare: haveOrder,
			run:     lookUpOrder,
			check:   ordersAre(1),
		},
	}
}

func haveOrder(ctx context.Context, a *agent) error { return a.app.AddOrder(ctx, a.token, "lamp") }

// tryOut opens an operation in Swagger UI and presses "Try it out", so that its fields can be filled in.
func (a *agent) tryOut(ctx context.Context, operation string) error {
	return inTurn(
		func() error { return a.openApp(ctx, a.app.Base, "Add an order") },
		func() error { return a.seeOnWish(ctx, "click", wish{roles: "button", name: operation}) },
		func() error { return a.seeOnWish(ctx, "click", wish{roles: "button", name: "^Try it out ?$"}) },
	)
}

func sendOrder(ctx context.Context, a *agent) error {
	return inTurn(
		func() error { return a.tryOut(ctx, "(?i)^post .*orders") },
		func() error {
			return a.onWish(ctx, "fill", wish{
				roles: "textbox",
				name:  "^$|body|Request",
				rest:  `customer|: \{$`,
			}, fmt.Sprintf(`{"customer": %q, "item": "lamp"}`, a.token))
		},
		func() error { return a.seeOnWish(ctx, "click", wish{roles: "button", name: "^Execute$"}) },
		func() error { return a.reads(ctx, "201", "get", "text", ".live-responses-table") },
	)
}

func lookUpOrder(ctx context.Context, a *agent) error {
	return inTurn(
		func() error { return a.tryOut(ctx, "(?i)^get .*orders.*customer") },
		func() error { return a.onWish(ctx, "fill", wish{roles: "textbox", name: "customer"}, a.token) },
		func() error { return a.seeOnWish(ctx, "click", wish{roles: "button", name: "^Execute$"}) },
		func() error { return a.reads(ctx, "lamp", "get", "text", ".live-responses-table") },
	)
}

// ordersAre checks that the book has one order of the workflow, that was looked up so often.
func ordersAre(seen int) func(context.Context, *agent) error {
	return func(ctx context.Context, a *agent) error {
		found, err := a.app.Orders(ctx, a.token)
		if err == nil && (len(found) != 1 || found[0] != apps.Order{Customer: a.token, Item: "lamp", Seen: seen}) {
			err = fmt.Errorf("the orders are %v", found)
		}
		return err
	}
}
