package showing

import (
	"reflect"
	"slices"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/admin"
	"github.com/skua-browser/skua/actions/diagnose"
	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/actions/navigate"
	"github.com/skua-browser/skua/actions/network"
	"github.com/skua-browser/skua/actions/pointer"
	"github.com/skua-browser/skua/actions/read"
	"github.com/skua-browser/skua/actions/states"
	"github.com/skua-browser/skua/actions/storage"
	"github.com/skua-browser/skua/actions/tabs"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/browsers/doctor"
	"github.com/skua-browser/skua/snapshot"
	"github.com/skua-browser/skua/tool/argv"
)

// family shows results of a kind. It returns false when the data is not what it knows.
type family func(c *Command, v *View) bool

// values are the results of commands that read one value of a page or element.
var values = []any{
	look.TextResult{},
	look.HTMLResult{},
	look.ValueResult{},
	look.AttributeResult{},
	look.TitleResult{},
	look.URLResult{},
	look.CountResult{},
	look.BoxResult{},
	look.StylesResult{},
	look.DatasetResult{},
	diagnose.CDPURL{},
}

// families are the results that agents see in another form than people, by their types.
var families = []struct {
	show family
	of   []any
}{
	{getter, values},
	{showSnapshot, []any{snapshot.Data{}}},
	{evaluated, []any{look.EvalResult{}}},
	{question, []any{look.VisibleResult{}, look.EnabledResult{}, look.CheckedResult{}}},
	{opened, []any{navigate.LaunchResult{}}},
	{clicked, []any{pointer.ClickedResult{}, pointer.TappedResult{}}},
	{moved, []any{navigate.AddressResult{}}},
	{showTabs, []any{tabs.TabsResult{}, tabs.TabResult{}, tabs.NewTabResult{}, tabs.ClosedTabResult{}}},
	{scrolled, []any{pointer.ScrolledResult{}}},
	{article, []any{read.DocumentResult{}}},
	{cookies, []any{storage.Cookies{}, storage.CookiesSet{}, storage.CookiesCleared{}}},
	{showStorage, []any{
		storage.Entries{},
		storage.EntrySet{},
		storage.EntryRemoved{},
		storage.Cleared{},
		storage.Databases{},
		storage.DatabaseEntries{},
		storage.Caches{},
		storage.CacheEntries{},
		storage.Usage{},
	}},
	{requests, []any{network.Requests{}}},
	{console, []any{diagnose.Console{}}},
	{pageErrors, []any{diagnose.Errors{}}},
	{sessions, []any{tabs.SessionsResult{}}},
	{showStates, []any{states.ListResult{}}},
	{showDiagnosis, []any{doctor.Report{}}},
	{skills, []any{[]admin.GuideSummary{}, []admin.Guide{}, admin.GuideFolders{}}},
}

// familyOf returns the function that shows the result of a command. It returns nil if the command's own text is shown,
// or text made of its data. The type of the result comes from the command's definition, since the data of another
// program has no Go type.
func familyOf(w *argv.Words) family {
	if w.Entry == nil {
		return nil
	}
	for _, f := range families {
		if yieldsOneOf(w.Entry, f.of) {
			return f.show
		}
	}
	return nil
}

// yieldsOneOf reports whether the result of a command is of one of some types. That of one that finds an element is
// told by what it then does.
func yieldsOneOf(c *actions.Command, types []any) bool {
	return len(c.Data) > 0 && !c.Is(trait.Finds) && slices.ContainsFunc(types, func(one any) bool {
		return reflect.TypeOf(one) == reflect.TypeOf(c.Data[0])
	})
}
