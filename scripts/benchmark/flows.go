//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// flow is a piece of work. run is what the agent does, check how the server or the disk knows that it was done, and
// done once.
type flow struct {
	name, title string
	app         string                              // the application that it works in; empty means the office
	prepare     func(context.Context, *agent) error // the application's data; nil means that there is nothing to prepare
	run         func(context.Context, *agent) error
	check       func(context.Context, *agent) error
}

// flows returns all workflows in the order in which they are run.
func flows() []flow {
	return []flow{
		{
			name:  "login",
			title: "sign in",
			run:   signInThere,
			check: all(happened("session", user), happened("page", "account")),
		},
		{
			name:  "search",
			title: "search, open the right result, read it",
			run:   searchAndRead,
			check: all(happened("search", "blue heron"), happened("page", "heron")),
		},
		{name: "table", title: "edit a row of a table", run: editTable, check: happened("price", "Mill Lane 77.50")},
		{
			name:  "checkout",
			title: "check out in four pages",
			run:   checkOut,
			check: all(
				happened("address", "city=London&country=fr&name=Ada+Lovelace&street=St+James+Square+12"),
				happened("delivery", "by=courier&gift=yes"), happened("review", "sure=yes"),
			),
		},
		{name: "dashboard", title: "choose a region, read a figure", run: readDashboard, check: happened("figures", "North")},
		{name: "download", title: "download a report", run: downloadReport, check: all(happened("report", ""), isOnDisk)},
		{
			name:  "tabs",
			title: "reply in a new tab, come back",
			run:   workInTwoTabs,
			check: all(happened("reply", "message=Friday+is+fine"), happened("archive", "message 1")),
		},
		{name: "dialog", title: "confirm a dialog", run: confirmDialog, check: happened("delete", "project 1")},
		{name: "frame", title: "pay in a frame", run: payInFrame, check: happened("card", "card=4111+1111+1111+1111")},
		{
			name:  "rerendered",
			title: "click what the page rendered again",
			run:   reserve("seats-rerendered"),
			check: happened("seat", "12"),
		},
		{name: "stale", title: "recover when the element is gone", run: reserve("seats"), check: happened("seat", "13")},
	}
}

// happened checks that an event came, and once.
func happened(kind, value string) func(context.Context, *agent) error {
	return func(ctx context.Context, a *agent) error {
		if _, err := a.site.await(ctx, a.token, kind, value); err != nil {
			return err
		}
		if n := a.site.count(a.token, kind); kind != "page" && n != 1 {
			return fmt.Errorf("%s happened %d times", kind, n)
		}
		return nil
	}
}

func all(checks ...func(context.Context, *agent) error) func(context.Context, *agent) error {
	return func(ctx context.Context, a *agent) error {
		var failed error
		for _, check := range checks {
			failed = errors.Join(failed, check(ctx, a))
		}
		return failed
	}
}

func signInThere(ctx context.Context, a *agent) error {
	return inTurn(
		func() error { return a.open(ctx, "login") },
		func() error { return a.write(ctx, "User name", user) },
		func() error { return a.write(ctx, "Password", password) },
		func() error { return a.seeOn(ctx, "click", "button", "Sign in") },
		func() error { return a.reads(ctx, "Welcome back, Ada", "snapshot", "-i") },
	)
}

func searchAndRead(ctx context.Context, a *agent) error {
	return inTurn(
		func() error { return a.open(ctx, "library") },
		func() error { return a.on(ctx, "fill", "searchbox", "Search the library", "blue heron") },
		func() error { return a.seeOn(ctx, "click", "button", "Search") },
		func() error { return a.follow(ctx, "The great blue heron") },
		func() error { return a.find(ctx, "167 to 201 cm", "get", "text", "main") },
	)
}

func editTable(ctx context.Context, a *agent) error {
	return inTurn(
		func() error { return a.open(ctx, "prices") },
		func() error { return a.seeOn(ctx, "click", "button", "Edit Mill Lane") },
		func() error { return a.write(ctx, "Price of Mill Lane", "77.50") },
		func() error { return a.press(ctx, "Save Mill Lane") },
		func() error { return a.find(ctx, "77.50", "snapshot") },
	)
}

func checkOut(ctx context.Context, a *agent) error {
	return inTurn(
		func() error { return a.open(ctx, "cart") },
		func() error { return a.seeOn(ctx, "click", "link", "Check out") },
		func() error { return a.write(ctx, "Name", "Ada Lovelace") },
		func() error { return a.write(ctx, "Street", "St James Square 12") },
		func() error { return a.write(ctx, "City", "London") },
		func() error { return a.on(ctx, "select", "combobox", "Country", "fr") },
		func() error { return a.seeOn(ctx, "click", "button", "Continue") },
		func() error { return a.on(ctx, "click", "radio", "By courier") },
		func() error { return a.on(ctx, "click", "checkbox", "Wrap it as a gift") },
		func() error { return a.seeOn(ctx, "click", "button", "Continue") },
		func() error { return a.press(ctx, "Place order") },
		func() error { return a.find(ctx, "20417", "get", "text", "body") },
	)
}

func readDashboard(ctx context.Context, a *agent) error {
	return inTurn(
		func() error { return a.open(ctx, "dashboard") },
		func() error { return a.on(ctx, "select", "combobox", "Region", "North") },
		func() error { return a.do(ctx, "wait", "--text", "North region") },
		func() error {
			return a.find(ctx, fmt.Sprintf("Errors today in Billing: %d", errorsToday("North", 1)), "snapshot")
		},
	)
}

func downloadReport(ctx context.Context, a *agent) error {
	return inTurn(
		func() error { return a.open(ctx, "reports") },
		func() error { return a.on(ctx, "download", "link", "Orders of this week, CSV", a.reportPath()) },
	)
}

func (a *agent) reportPath() string { return filepath.Join(a.dir, a.token+".csv") }

// isOnDisk checks the downloaded file.
func isOnDisk(_ context.Context, a *agent) error {
	text, err := os.ReadFile(a.reportPath())
	if err == nil && string(text) != reportText {
		err = fmt.Errorf("the file has %q", text)
	}
	return err
}

var tabID = regexp.MustCompile(`\bt\d+\b`)

// tab finds the id of the tab that shows an address in a list of tabs: the last one before the address.
func (a *agent) tab(address string) (string, error) {
	before, _, found := strings.Cut(a.said, address)
	ids := tabID.FindAllString(before, -1)
	if !found || len(ids) == 0 {
		return "", fmt.Errorf("%w: a tab at %s in %s", errNotThere, address, firstLines(a.said, 12))
	}
	return ids[len(ids)-1], nil
}

func workInTwoTabs(ctx context.Context, a *agent) error {
	var reply string
	return inTurn(
		func() error { return a.open(ctx, "inbox") },
		func() error { return a.follow(ctx, "Reply in a new tab") },
		func() (err error) { reply, err = a.findTab(ctx, a.token+"/reply"); return err },
		func() error { return a.do(ctx, "tab", reply) },
		func() error { return a.look(ctx) },
		func() error { return a.write(ctx, "Message", "Friday is fine") },
		func() error { return a.press(ctx, "Send reply") },
		func() error { return a.do(ctx, "tab", "close", reply) },
		func() error { return a.backIn(ctx, a.token+"/inbox") },
		func() error { return a.press(ctx, "Archive message") },
	)
}

// findTab finds the tab that shows an address: the last reply may name it, else the list has it.
func (a *agent) findTab(ctx context.Context, address string) (string, error) {
	if id, err := a.tab(address); err == nil {
		return id, nil
	}
	if err := a.do(ctx, "tab", "list"); err != nil {
		return "", err
	}
	return a.tab(address)
}

// backIn goes to the tab that shows an address, unless the last reply says that it is the one where things happen now,
// and looks at it where what was seen in it earlier does not serve any longer.
func (a *agent) backIn(ctx context.Context, address string) error {
	if a.sees(address) != nil {
		id, err := a.findTab(ctx, address)
		if err == nil {
			err = a.do(ctx, "tab", id)
		}
		if err != nil {
			return err
		}
	}
	if a.peer.refsStand {
		return nil
	}
	return a.look(ctx)
}

func confirmDialog(ctx context.Context, a *agent) error {
	return inTurn(
		func() error { return a.open(ctx, "project") },
		func() error { return a.press(ctx, "Delete project") },
		func() error { return a.do(ctx, "dialog", "accept") },
		func() error { return a.find(ctx, "The project is gone", "get", "text", "#state") },
	)
}

func payInFrame(ctx context.Context, a *agent) error {
	return inTurn(
		func() error { return a.open(ctx, "pay") },
		func() error { return a.write(ctx, "Card number", "4111 1111 1111 1111") },
		func() error { return a.seeOn(ctx, "click", "button", "Pay now") },
		func() error { return a.reads(ctx, "Payment received", "snapshot", "-i") },
	)
}

// reserve takes the first free seat. Between the snapshot and the click the page renders its seats again, as pages do
// when new data arrives.
func reserve(page string) func(context.Context, *agent) error {
	return func(ctx context.Context, a *agent) error {
		err := inTurn(
			func() error { return a.open(ctx, page) },
			func() error { a.site.signal(a.token, "news"); return nil },
			func() error { _, err := a.site.await(ctx, a.token, "drawn", "news"); return err },
			func() error { return a.press(ctx, "Reserve seat 12") },
		)
		if errors.Is(err, errNotThere) { // the new snapshot does not have it any longer: the next one will do
			if err = a.press(ctx, "Reserve seat 13"); err == nil {
				a.cost.Recovered++
			}
		}
		return err
	}
}
