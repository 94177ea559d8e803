package desktop

import (
	"context"
	"os"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/files"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/electron/inspector"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// dialogHelp says what all commands about native dialogs have in common.
const dialogHelp = "Arm an answer before the app asks. A native dialog that is already open waits for a person at " +
	"the app's screen. Each answer is used once, for the next dialog of its kind. `electron dialogs` lists what the app " +
	"asked and what it got."

// dialogCommands are the commands about the native dialogs of an app.
func dialogCommands() []actions.Command {
	arms := func(kind, summary, help string, arg actions.Arg, example string, does ...policy.Family) actions.Command {
		return actions.Command{
			Spec: actions.Spec{
				Name: "electron dialog " +
					kind,
				Group:    actions.GroupDesktop,
				Summary:  summary,
				Help:     strings.TrimSpace(help + "\n\n" + dialogHelp),
				Args:     []actions.Arg{arg},
				Flags:    []actions.Flag{launchFlag},
				Examples: []actions.Example{{Line: example}},
			},
			Schedule: actions.Schedule{Effect: actions.NoBrowser, Logged: true},
			Safety:   actions.Safety{Families: policy.Does(does...)},
			Bindings: actions.Bindings{Data: []any{inspector.Dialogs{}}},
			Run:      runDialog(kind),
		}
	}
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "electron dialogs",
				Group:   actions.GroupDesktop,
				Summary: "List the native dialogs that the app asked for, and what it got",
				Help: "Dialogs are noted from the first command about them on. Each has its kind, title, text, buttons and " +
					"filters, and its answer, or that it is open. Answers that are armed stand below.",
				Flags:    []actions.Flag{launchFlag},
				Examples: []actions.Example{{Line: "electron dialogs"}},
			},
			Schedule: actions.Schedule{Effect: actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{inspector.Dialogs{}}},
			Run:      runDialogs,
		},
		arms(inspector.OpenDialog, "Choose files in the next dialog that opens files",
			"Folders are chosen the same way, where the app asks for folders.",
			actions.Arg{
				Name: "files",
				Kind: actions.List,
				Kept: true,
				Help: "Paths of the files",
			}, "electron dialog open ./a.txt ./b.txt", policy.ReadsFiles),
		arms(inspector.SaveDialog, "Choose a path in the next dialog that saves a file", "The app writes the file, not skua.",
			actions.Arg{
				Name: "path",
				Kind: actions.Path,
				Help: "Where the app is to save",
			}, "electron dialog save ./notes.txt", policy.WritesFiles),
		arms(inspector.MessageDialog, "Press a button of the next message",
			"If the message has no such button, it is shown, and the answer stays armed.",
			actions.Arg{
				Name: "button",
				Kind: actions.Text,
				Help: "The label of the button; case does not matter",
			}, `electron dialog message "Don't Save"`, policy.ActsByPointer),
		arms("policy", "Choose what happens to dialogs for which no answer is armed",
			"`native` shows them, which is the default. `cancel` answers them as if a person had canceled them, so that the "+
				"app never waits for one.",
			actions.Arg{
				Name:  "policy",
				OneOf: []string{inspector.ShowNative, inspector.CancelDialogs},
				Help:  "What happens",
			}, "electron dialog policy cancel", policy.ActsByPointer),
	}
}

// runDialog arms an answer, or sets what happens without one.
func runDialog(kind string) func(context.Context, *actions.Call) (actions.Result, error) {
	return func(ctx context.Context, c *actions.Call) (actions.Result, error) {
		wish, done := inspector.DialogWish{Arm: &inspector.DialogAnswer{Kind: kind}}, ""
		switch kind {
		case inspector.OpenDialog:
			for _, named := range c.Strings("files") {
				path, err := files.Readable(c, named)
				if err != nil {
					return actions.Result{}, err
				}
				if _, err := os.Stat(path); err != nil {
					return actions.Result{}, fault.New(fault.File, "%s cannot be opened: %w", named, err).About(path)
				}
				wish.Arm.Files = append(wish.Arm.Files, path)
			}
			done = "The next dialog that opens files gets " + strings.Join(wish.Arm.Files, ", ")
		case inspector.SaveDialog:
			path, err := files.Writable(c, c.String("path"))
			if err != nil {
				return actions.Result{}, err
			}
			wish.Arm.Path = path
			done = "The next dialog that saves a file gets " + path
		case inspector.MessageDialog:
			wish.Arm.Button = c.String("button")
			done = "The next message gets " + wording.Quote(wish.Arm.Button)
		default:
			wish = inspector.DialogWish{Policy: c.String("policy")}
			done = "Dialogs without an armed answer are " +
				map[string]string{inspector.ShowNative: "shown", inspector.CancelDialogs: "canceled"}[wish.Policy]
		}
		data, err := dialogsOf(ctx, c, wish)
		if err != nil {
			return actions.Result{}, err
		}
		return actions.Result{Data: data, Text: "✓ " + done}, nil
	}
}

func dialogsOf(ctx context.Context, c *actions.Call, wish inspector.DialogWish) (data inspector.Dialogs, err error) {
	err = inMain(ctx, c, func(_ *electron.Record, p *inspector.Process) error {
		data, err = p.Dialogs(ctx, wish)
		return err
	})
	return data, err
}

func runDialogs(ctx context.Context, c *actions.Call) (actions.Result, error) {
	data, err := dialogsOf(ctx, c, inspector.DialogWish{})
	if err != nil {
		return actions.Result{}, err
	}
	var lines []string
	for i := range data.Asked {
		lines = append(lines, askedLine(&data.Asked[i]))
	}
	if len(lines) == 0 {
		lines = []string{"The app has asked for no dialog since they are noted"}
	}
	for i := range data.Armed {
		lines = append(lines, "armed: "+data.Armed[i].Kind+" "+armedText(&data.Armed[i]))
	}
	if data.Policy == inspector.CancelDialogs {
		lines = append(lines, "Others are canceled")
	}
	return actions.Result{Data: data, Text: strings.Join(lines, "\n")}, nil
}

// armedText is what a dialog of its kind gets.
func armedText(a *inspector.DialogAnswer) string {
	switch a.Kind {
	case inspector.OpenDialog:
		return strings.Join(a.Files, ", ")
	case inspector.SaveDialog:
		return a.Path
	}
	return wording.Quote(a.Button)
}

// askedLine shows a dialog: `message "Save changes?" [Save] [Don't Save] → Save`.
func askedLine(d *inspector.AskedDialog) string {
	parts := []string{d.Kind}
	for _, text := range []string{d.Title, d.Message} {
		if text != "" {
			parts = append(parts, strconv.Quote(text))
		}
	}
	for _, button := range d.Buttons {
		parts = append(parts, "["+button+"]")
	}
	for _, list := range [][]string{d.Properties, d.Filters} {
		if len(list) > 0 {
			parts = append(parts, strings.Join(list, ", "))
		}
	}
	line := strings.Join(parts, " ")
	if d.DefaultPath != "" {
		line += " at " + d.DefaultPath
	}
	answer := d.Answer
	if d.Open {
		answer = "is open; a person at the app's screen has to answer it"
	}
	line += " → " + answer
	if d.Unfit != "" {
		line += " (" + d.Unfit + ")"
	}
	return line
}
