package look

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/wording"
)

func datasetCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "get dataset",
			Group:   actions.GroupReading,
			Summary: "Print the data-* attributes of an element",
			Help:    "Names are those of the DOM property dataset: `userId` stands for data-user-id. Both forms are accepted.",
			Args: []actions.Arg{actions.SelectorArg(), {
				Name:     "name",
				Optional: true,
				Help:     "The attribute to print: userId, or data-user-id",
			}},
			Examples: []actions.Example{
				{Line: "get dataset @e2", Note: "all of them"},
				{Line: "get dataset @e2 userId", Note: "the value of data-user-id"},
			},
		},
		Schedule: actions.Schedule{Effect: actions.InTab | actions.Reads},
		Safety:   actions.Safety{Families: policy.Does()},
		Showing:  actions.Showing{Traits: trait.ReadsElement},
		Bindings: actions.Bindings{Data: []any{DatasetResult{}, actions.Given("name", AttributeResult{})}},
		Run:      runGetDataset,
	}
}

func runGetDataset(ctx context.Context, c *actions.Call) (actions.Result, error) {
	if c.Has("name") {
		return readAttribute(ctx, c, dataAttribute(c.String("name")))
	}
	tab, res, err := read(ctx, c, "dataset", element.ReadWords)
	if err != nil {
		return actions.Result{}, err
	}
	dataset := res.Value
	if len(dataset) == 0 {
		c.Note(c.String("selector") + " has no data-* attributes")
	}
	lines := make([]string, 0, len(dataset))
	for _, name := range slices.Sorted(maps.Keys(dataset)) {
		value := dataset[name]
		if strings.ContainsAny(value, "\r\n") { // which would read as further names
			value = wording.Quote(value)
		}
		lines = append(lines, strings.TrimSuffix(name+": "+value, " "))
	}
	return actions.Result{Data: DatasetResult{dataset, tab.Page.URL()}, Text: strings.Join(lines, "\n")}, nil
}

var capital = regexp.MustCompile("[A-Z]")

// dataAttribute returns the attribute that a name in the DOM property dataset stands for.
func dataAttribute(name string) string {
	if strings.HasPrefix(name, "data-") {
		return name
	}
	return "data-" + capital.ReplaceAllStringFunc(name, func(letter string) string {
		return "-" + strings.ToLower(letter)
	})
}
