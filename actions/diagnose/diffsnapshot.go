package diagnose

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/files"
	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/actions/navigate"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/userfile"
	"github.com/skua-browser/skua/snapshot"
	"github.com/skua-browser/skua/snapshot/phrase"
)

func diffCommands() []actions.Command {
	exit := actions.Flag{
		Name: "exit-code",
		Kind: actions.Bool,
		Help: "Exit with 1 when there is a difference, as `git diff` does",
	}
	compact := actions.Flag{
		Name:  "compact",
		Short: "c",
		Kind:  actions.Bool,
		Help:  "Leave out lines without name, text or value",
	}
	depth := actions.Flag{
		Name:  "depth",
		Short: "d",
		Kind:  actions.Int,
		Value: "n",
		Help:  "Compare at most this depth; 0 is the top level",
	}
	selector := actions.Flag{Name: "selector", Short: "s", Value: "sel", Help: "Only this element"}
	threshold := actions.Flag{
		Name:    "threshold",
		Short:   "t",
		Kind:    actions.Number,
		Value:   "0-1",
		Default: "0.1",
		Help:    "How different two colors may be and still count as equal",
	}
	output := actions.Flag{
		Name:  "output",
		Short: "o",
		Kind:  actions.Path,
		Value: "path",
		Help:  "Save a PNG that marks the differences",
	}
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "diff snapshot",
				Group:   actions.GroupDiagnosis,
				Summary: "Compare the page with an earlier snapshot",
				Help: "Prints a unified diff of the snapshots' text without refs. With --baseline it compares with a file that " +
					"has the output of `snapshot` (text or JSON), otherwise with the tab's last snapshot, which may be that of a " +
					"`diff snapshot`. If there is none, the reply says so, and the next `diff snapshot` compares with this one. The " +
					"exit code is 0 either way; with --exit-code it is 1 when there is a difference.",
				Flags: []actions.Flag{
					{
						Name:  "baseline",
						Short: "b",
						Kind:  actions.Path,
						Value: "path",
						Help:  "The file to compare with",
					},
					selector, compact, depth, exit,
				},
				Examples: []actions.Example{{Line: "diff snapshot", Note: "what changed since the last snapshot"}, {
					Line: "diff snapshot -b before.txt -s main",
				}},
				Upstream: []string{"diff snapshot", "diff snapshot [options]", "diff snapshot -b, --baseline <file>"},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Does(), Further: actions.IfGiven(policy.ReadsFiles, "baseline")},
			Bindings: actions.Bindings{Data: []any{TextDiff{}}},
			Run:      runDiffSnapshot,
		},
		{
			Spec: actions.Spec{
				Name:    "diff screenshot",
				Group:   actions.GroupDiagnosis,
				Summary: "Compare a screenshot of the page with an earlier one",
				Help: "Anti-aliasing differences do not count. The exit code is 0 either way; with --exit-code it is 1 when " +
					"there is a difference.",
				Flags: []actions.Flag{
					{
						Name:  "baseline",
						Short: "b",
						Kind:  actions.Path,
						Value: "path",
						Help:  "The picture to compare with: png, jpeg or webp",
					},
					output, threshold, selector,
					{Name: "full", Short: "f", Kind: actions.Bool, Help: "The whole page instead of the viewport"},
					exit,
				},
				Examples: []actions.Example{{Line: "diff screenshot --baseline before.png -o where.png"}},
				Upstream: []string{
					"diff screenshot --baseline <f>", "diff screenshot --baseline <file> [options]",
					"diff screenshot --baseline <file> [--output <file>]",
					"diff screenshot -b, --baseline <file> -o, --output <file>",
				},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety: actions.Safety{
				Families: policy.Does(policy.ReadsFiles),
				Further:  actions.IfGiven(policy.WritesFiles, "output"),
			},
			Showing: actions.Showing{
				Writes: &trait.Output{
					Kind:       trait.Image,
					Flag:       "output",
					If:         "output",
					Saved:      "Saved diff image",
					Unverified: "Diff image reported; file not verified",
				},
			},
			Bindings: actions.Bindings{Data: []any{PictureDiff{}}},
			Run:      runDiffScreenshot,
		},
		{
			Spec: actions.Spec{
				Name:    "diff url",
				Group:   actions.GroupDiagnosis,
				Summary: "Compare the pages at two addresses",
				Help: "Opens both in new tabs of this session, with its cookies, and closes these again. Other tabs do not " +
					"change. The exit code is 0 either way; with --exit-code it is 1 when there is a difference.",
				Args: []actions.Arg{{Name: "url1", Kind: actions.URL, Help: "The first address"}, {
					Name: "url2",
					Kind: actions.URL,
					Help: "The second address",
				}},
				Flags: []actions.Flag{
					{Name: "screenshot", Kind: actions.Bool, Help: "Compare pictures, too"},
					{Name: "full", Short: "f", Kind: actions.Bool, Help: "Pictures of the whole pages"},
					output, threshold, navigate.UntilFlag(), selector, compact, depth, exit,
				},
				Examples: []actions.Example{{Line: "diff url localhost:3000 localhost:4000 --screenshot"}},
				Upstream: []string{
					"diff url <u1> <u2>", "diff url <url1> <url2> [options]",
					"diff url <url1> <url2> [--wait-until <strategy>]",
				},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety: actions.Safety{
				Families: policy.Does(), Further: actions.IfGiven(policy.WritesFiles, "output"),
				Opens: true,
			},
			Showing: actions.Showing{
				Writes: &trait.Output{
					Kind:       trait.Image,
					Flag:       "output",
					Saved:      "Saved diff image",
					Unverified: "Diff image reported; file not verified",
				},
			},
			Bindings: actions.Bindings{Data: []any{AddressDiff{}}},
			Run:      runDiffURL,
		},
	}
}

// textDiff is the difference between two texts.
type textDiff struct {
	unified                        string
	additions, removals, unchanged int
}

func (d *textDiff) changed() bool { return d.additions+d.removals > 0 }

// text is what is printed of it.
func (d *textDiff) text() string {
	if !d.changed() {
		return "✓ No changes detected"
	}
	return d.unified + "\n" + strconv.Itoa(d.additions) + " additions, " + strconv.Itoa(d.removals) + " removals, " +
		strconv.Itoa(d.unchanged) + " unchanged"
}

// diffTexts compares two snapshots line by line. How they end makes no difference.
func diffTexts(before, after string) (*textDiff, error) {
	lines := func(s string) string {
		s = strings.TrimRight(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
		if s != "" {
			s += "\n"
		}
		return s
	}
	before, after = lines(before), lines(after)
	u, err := udiff.ToUnifiedDiff("before", "after", before, udiff.Lines(before, after), udiff.DefaultContextLines)
	if err != nil {
		return nil, fault.New(fault.Internal, "comparing two snapshots: %w", err)
	}
	d := &textDiff{unified: u.String(), unchanged: strings.Count(before, "\n")}
	for _, h := range u.Hunks {
		for _, l := range h.Lines {
			switch l.Kind {
			case udiff.Insert:
				d.additions++
			case udiff.Delete:
				d.removals++
				d.unchanged--
			}
		}
	}
	return d, nil
}

func runDiffSnapshot(ctx context.Context, c *actions.Call) (actions.Result, error) {
	o, err := diffOptions(c)
	if err != nil {
		return actions.Result{}, err
	}
	before, known := "", c.Has("baseline")
	if known {
		if before, err = baselineText(ctx, c, c.String("baseline")); err != nil {
			return actions.Result{}, err
		}
	}
	tab, err := run.Tab(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	t, o, err := look.ScopeSnapshot(watched, c, tab, o)
	if err != nil {
		return actions.Result{}, err
	}
	if last, ok := c.Session.Refs().Last(tab.ID, o); ok && !known && look.SameScope(last.Scope, o.Scope) &&
		last.Until == o.Until {
		o.Interactive, o.Source = last.Interactive, last.Source
		before, known = c.Session.Refs().Before(tab.ID, o)
	}
	snap, err := look.TakeSnapshot(watched, c, tab, t.Frame, o)
	if err != nil {
		return actions.Result{}, look.SnapshotError(ctx, c, t, err)
	}
	data := TextDiff{}
	if !known {
		return actions.Result{
			Data: data,
			Text: "✓ There was no earlier snapshot to compare with; the next one is compared with this one",
		}, nil
	}
	baseline := "last"
	if c.Has("baseline") {
		baseline = c.Path(c.String("baseline"))
	}
	data.Baseline = &baseline
	d, err := diffTexts(phrase.WithoutRefs(before), phrase.WithoutRefs(snap.Text()))
	if err != nil {
		return actions.Result{}, err
	}
	data.Additions, data.Removals, data.Unchanged, data.Changed = d.additions, d.removals, d.unchanged, d.changed()
	if d.changed() {
		data.Diff = d.unified
	}
	return actions.Result{Data: data, Text: d.text(), Failed: c.Bool("exit-code") && d.changed()}, nil
}

// diffOptions returns the options of snapshots to compare: complete ones.
func diffOptions(c *actions.Call) (snapshot.Options, error) {
	o := snapshot.Options{Compact: c.Bool("compact"), Depth: -1}
	if c.Has("depth") {
		if o.Depth = c.Int("depth"); o.Depth < 0 {
			return o, c.Invalid("--depth takes 0 or more, got " + strconv.Itoa(o.Depth))
		}
	}
	return o, nil
}

// baselineText reads a snapshot from a file: what `snapshot` printed, as text or as JSON.
func baselineText(ctx context.Context, c *actions.Call, named string) (string, error) {
	raw, err := readBaseline(ctx, c, named)
	if err != nil {
		return "", err
	}
	var reply struct {
		Snapshot *string `json:"snapshot"`
		Data     struct {
			Snapshot *string `json:"snapshot"`
		} `json:"data"`
	}
	if json.Unmarshal(raw, &reply) == nil {
		for _, text := range []*string{reply.Data.Snapshot, reply.Snapshot} {
			if text != nil {
				return *text, nil
			}
		}
	}
	_, tree, _ := snapshot.CutHeader(string(raw))
	return tree, nil
}

// mostBaseline is the largest file that a page is compared with.
const mostBaseline = 256 << 20

func readBaseline(ctx context.Context, c *actions.Call, named string) ([]byte, error) {
	path, err := files.Readable(c, named)
	if err != nil {
		return nil, err
	}
	raw, err := userfile.Read(ctx, path, mostBaseline)
	if err == nil {
		return raw, nil
	}
	return nil, fault.New(fault.File, "Failed to read baseline %s: %w", named, err).About(path).
		WithHint("Give a file that was saved before: `snapshot > before.txt`, or `screenshot before.png`.")
}
