package forms

import (
	"context"
	"fmt"
	"mime"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/pointer"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/input"
	"github.com/skua-browser/skua/engine/upload"
	"github.com/skua-browser/skua/engine/world"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

func uploadCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name: "upload",
			Synonyms: []string{
				"upload-file", "file-upload",
				"set-input-files",
			},
			Group:   actions.GroupActions,
			Summary: "Put files into a file field",
			Help: "Paths are relative to the current folder, and all of them are checked before anything happens. The " +
				"element may be the field, its label, an element around it, or a button that asks for files when it is clicked; " +
				"the field itself may be hidden. A field for folders takes one folder.",
			Args: []actions.Arg{actions.SelectorArg(), {
				Name: "files",
				Kind: actions.List,
				Kept: true,
				Help: "Paths of the files",
			}},
			Examples: []actions.Example{{Line: "upload @e4 ./photo.jpg"}, {Line: "upload 'text=Attach files' a.pdf b.pdf"}},
			Upstream: []string{"upload <sel> <files...>", "upload <selector> <files...>"},
		},
		Schedule: actions.Schedule{Effect: actions.InTab | actions.Mutates | actions.Navigates},
		Safety:   actions.Safety{Families: policy.Does(policy.ReadsFiles), Blind: true},
		Showing:  actions.Showing{Traits: trait.LookAgain},
		Bindings: actions.Bindings{
			Data:       []any{UploadedResult{}},
			Playwright: []string{"await {selector}.setInputFiles({...files});"},
		},
		Run: element.OnTarget(runUpload),
	}
}

// fileField is what the in-page script says of a file input.
type fileField struct {
	Token     int64  `json:"token"`
	Multiple  bool   `json:"multiple"`
	Accept    string `json:"accept"`
	Directory bool   `json:"directory"`
}

// fileTarget is the result of the in-page op fileInput.
type fileTarget struct {
	element.Located
	Input *fileField `json:"input"` // nil means that the element has none that can be known
}

// chosenInputArg is the argument of the in-page op chosenInput.
type chosenInputArg struct {
	Token int64 `json:"token"`
}

type chosenInput struct {
	Input *fileField `json:"input"` // nil means that it has none that can be known
}

// filesKeptArg is the argument of the in-page op filesKept.
type filesKeptArg struct {
	Token   int64 `json:"token"`
	Count   int   `json:"count"` // of the files
	Wait    int64 `json:"wait"`  // in ms
	Effects bool  `json:"effects"`
}

var (
	opFileInput   = inpage.Define[element.Targeted, fileTarget]("fileInput")
	opChosenInput = inpage.Define[chosenInputArg, chosenInput]("chosenInput")
	opFilesKept   = inpage.Define[filesKeptArg, keptFiles]("filesKept")
)

// foundInput is the in-page op that yields the field itself which the op fileInput has found, or is looking for.
const foundInput = "foundInput"

// keptFiles is the result of the in-page op filesKept.
type keptFiles struct {
	Now       []keptFile `json:"now"`
	Seen      []keptFile `json:"seen"` // when the page was told; nil means that it was not
	Connected bool       `json:"connected"`

	Effects *run.SeenEffects `json:"effects"`
}

type keptFile struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
	Path string `json:"path"`
}

// keepPatience is how long a page may take to hear of files that were put into its field.
const keepPatience = time.Second

func runUpload(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target) (actions.Result, error) {
	files, err := element.LocalFiles(ctx, c, c.Strings("files"))
	if err != nil {
		return actions.Result{}, err
	}
	var handle *world.AskedHandle
	release := func() {
		if handle != nil {
			handle.Release()
		}
	}
	defer func() { release() }()
	found, err := element.RunOp(ctx, c, t, opFileInput, element.Targeted{Written: func() {
		release()
		handle = t.Frame.AskHandleNext(foundInput)
	}})
	if err != nil {
		return actions.Result{}, err
	}
	run.Start(c, tab)
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	frame, field := t.Frame, found.Input
	if field == nil {
		release()
		handle = nil
		end := upload.CatchChoosers(tab.Page)
		defer end()
		if frame, field, err = askForFiles(watched, c, tab, t); err != nil {
			return actions.Result{}, err
		}
	}
	if err := field.suits(t, files); err != nil {
		return actions.Result{}, err
	}
	var kept keptFiles
	effects := run.CollectsEffects(c, frame)
	arg := filesKeptArg{field.Token, len(files), keepPatience.Milliseconds(), effects}
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = f.Path
	}
	into := upload.Field{Frame: frame, Token: field.Token, Handle: handle}
	err = upload.SetFilesAndCall(watched, into, paths, opFilesKept, arg, &kept)
	if effects {
		run.Of(c).Seen = kept.Effects
	}
	switch {
	case engine.IsNavigated(err), fault.Is(err, fault.FrameGone): // pages may go on as soon as they have a file
		c.Note("the page navigated before the field's content could be verified")
	case err != nil:
		if err := run.Interrupted(c, tab, err); err != nil {
			return actions.Result{}, err
		}
	default:
		if err := noteFiles(c, t, files, field, &kept); err != nil {
			return actions.Result{}, err
		}
	}
	if err := run.Settle(ctx, c, tab); err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: UploadedResult{t.Label, len(files)}, Text: "✓ Done"}, nil
}

// askForFiles clicks the target, and returns the field that the page asks for files for.
func askForFiles(
	ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target,
) (*engine.Frame, *fileField, error) {
	dialog, err := pointer.Click(ctx, c, tab, t, input.ClickOptions{})
	if err != nil {
		return nil, nil, err
	}
	unsuitable := func(format string, args ...any) error {
		return fault.New(fault.TargetUnsuitable, format, args...).About(t.Label).
			WithHint("Nothing was uploaded. Give the file field, its label, or the button that asks for files.")
	}
	if dialog {
		return nil, nil, unsuitable("Element '%s' is not a file field, and the click opened a dialog.", t.Label)
	}
	limit, cancel := context.WithTimeout(ctx, c.Patience())
	defer cancel()
	chooser, err := upload.AwaitChooser(limit, tab.Page)
	switch {
	case fault.Is(err, fault.Timeout):
		return nil, nil,
			unsuitable(
				"Element '%s' is not a file field and contains none, and the page did not ask for files when it was clicked.",
				t.Label)
	case err != nil:
		return nil, nil, err
	case !chooser.HasField():
		return nil, nil, unsuitable("The page asks for files with showOpenFilePicker, which only a person can answer.")
	}
	token, err := chooser.FieldToken(ctx)
	if err != nil {
		return nil, nil, err
	}
	asked, err := opChosenInput.In(ctx, chooser.Frame, chosenInputArg{token})
	if err != nil {
		return nil, nil, err
	}
	if asked.Input == nil {
		return nil, nil, unsuitable("The page asked for files in a way that cannot be answered.")
	}
	return chooser.Frame, asked.Input, nil
}

// suits reports why the field cannot take the files.
func (f *fileField) suits(t *element.Target, files []element.LocalFile) error {
	unsuitable := func(format string, args ...any) error {
		return fault.New(fault.TargetUnsuitable, "Element '%s' "+format, append([]any{t.Label}, args...)...).About(t.Label).
			WithHint("Nothing was uploaded.")
	}
	folders := 0
	for _, file := range files {
		if file.Folder {
			folders++
		}
	}
	switch {
	case f.Directory && (len(files) != 1 || folders != 1):
		return unsuitable("takes one folder, but got %s.",
			wording.Plural(len(files)-folders, "file")+" and "+wording.Plural(folders, "folder"))
	case f.Directory:
		return nil
	case folders > 0:
		return unsuitable("takes files, but %s is a folder.", firstFolder(files))
	case len(files) > 1 && !f.Multiple:
		return unsuitable("takes one file, but got %d.", len(files))
	}
	return nil
}

func firstFolder(files []element.LocalFile) string {
	for _, file := range files {
		if file.Folder {
			return file.Path
		}
	}
	return ""
}

// noteFiles compares what was given with what the page had, and notes what the caller should know of the files.
func noteFiles(c *actions.Call, t *element.Target, files []element.LocalFile, field *fileField, kept *keptFiles) error {
	switch {
	case field.Directory:
		held := kept.Now
		if kept.Seen != nil {
			held = kept.Seen
		}
		if !ofFolder(held, files[0].Path) {
			return fault.New(fault.ValueNotKept, "The folder was put into '%s', and the field still holds %s of another one.",
				t.Label, wording.Plural(len(held), "file")).
				About(t.Label).
				WithHint("The browser leaves a field as it is if the folder has no files; look at the page with a snapshot.")
		}
		if len(held) == 0 {
			c.Note("the folder has no files")
		} else {
			c.Note("the folder has " + wording.Plural(len(held), "file"))
		}
	case !kept.Connected && holdsFiles(kept.Seen, files):
		c.Note(
			"the page got the files and then took the field away or replaced it; a new field may be empty: look at the page")
	case holdsFiles(kept.Now, files):
	case holdsFiles(kept.Seen, files) && len(kept.Now) == 0:
		c.Note("the page got the files and has emptied the field since: it took them over or refused them; look at the page")
	case holdsFiles(kept.Seen, files):
		c.Note("the page got the files, and the field holds " + fileNames(kept.Now) + " now")
	default:
		return fault.New(fault.ValueNotKept, "The files were put into '%s', and the page left %s in it.", t.Label,
			fileNames(kept.Now)).About(t.Label).
			With("seen", kept.Now).WithHint("The page's script decides what the field keeps; look at the page with a snapshot.")
	}
	for _, file := range files {
		if file.Size == 0 && !file.Folder {
			c.Note(file.Path + " is empty (0 bytes)")
		}
		if !file.Folder && !accepts(field.Accept, file.Path) {
			c.Note(file.Path + " is not among what the field asks for (" + field.Accept + ")")
		}
	}
	return nil
}

// ofFolder reports whether files are those of a folder, judged by their paths, which begin with its name.
func ofFolder(files []keptFile, folder string) bool {
	return !slices.ContainsFunc(files, func(f keptFile) bool {
		return f.Path != "" && !strings.HasPrefix(f.Path, filepath.Base(folder)+"/")
	})
}

func holdsFiles(have []keptFile, want []element.LocalFile) bool {
	if len(have) < len(want) {
		return false
	}
	for i, file := range want { // fields that add to what they have show the new ones last
		at := have[len(have)-len(want)+i]
		if at.Name != filepath.Base(file.Path) || at.Size != file.Size {
			return false
		}
	}
	return true
}

func fileNames(files []keptFile) string {
	if len(files) == 0 {
		return "nothing"
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = fmt.Sprintf("%s (%d bytes)", wording.Quote(f.Name), f.Size)
	}
	return strings.Join(names, ", ")
}

// accepts reports whether the accept attribute allows a file, judged by its name.
func accepts(accept, path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	kind, _, _ := strings.Cut(mime.TypeByExtension(ext), ";")
	all := true
	for one := range strings.SplitSeq(accept, ",") {
		one = strings.ToLower(strings.TrimSpace(one))
		if one == "" {
			continue
		}
		all = false
		family, wild := strings.CutSuffix(one, "/*")
		switch {
		case strings.HasPrefix(one, "."):
			if ext == one {
				return true
			}
		case wild && (family == "*" || strings.HasPrefix(kind, family+"/")), one == kind, kind == "":
			// a kind that we do not know may well be right
			return true
		}
	}
	return all
}
