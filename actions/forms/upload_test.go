package forms_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

func TestUpload(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, target string
		files        []string
		log          string
		says         string
	}{
		{"field", "#cv", []string{"a.txt"}, "cv a.txt: one", ""},
		{"absolute path", "#cv", []string{"/a.txt"}, "cv a.txt: one", ""},
		{"in a folder", "#cv", []string{"sub/b.txt"}, "cv b.txt: two", ""},
		{"through its label", "label[for=cv]", []string{"a.txt"}, "cv a.txt: one", ""},
		{"several", "#many", []string{"a.txt", "sub/b.txt"}, "many a.txt: one\nmany b.txt: two", ""},
		{"empty file", "#cv", []string{"empty.txt"}, "cv empty.txt: ", "is empty (0 bytes)"},
		{"a kind it asks for", "#photo", []string{"p.png"}, "photo p.png: png", ""},
		{
			"a kind it does not ask for", "#photo",
			[]string{"a.txt"},
			"photo a.txt: one",
			"not among what the field asks for (image/*,.heic)",
		},
		{"folder", "#folder", []string{"sub"}, "folder sub/b.txt: two", "the folder has 1 file"},
		{"behind a label", "#label", []string{"a.txt"}, "cover a.txt: one", ""},
		{"hidden", "#cover", []string{"a.txt"}, "cover a.txt: one", ""},
		{"see-through, by what is around it", "#card", []string{"a.txt"}, "logo a.txt: one", ""},
		{"drop zone", "#zone", []string{"a.txt", "sub/b.txt"}, "zoned a.txt: one\nzoned b.txt: two", ""},
		{"button beside it", "#beside", []string{"a.txt"}, "attached a.txt: one", ""},
		{"made by the click", "text=Import data", []string{"a.txt"}, "made-field a.txt: one", ""},
		{"made after the click", "#delayed", []string{"a.txt"}, "made-field a.txt: one", ""},
		{"emptied when it was read", "#reads", []string{"a.txt"}, "read one", "has emptied the field since"},
		{"in a shadow tree", "#shadow", []string{"a.txt"}, "scan a.txt: one", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-files-upload.html")
			c.WriteFile("a.txt", "one")
			c.WriteFile("sub/b.txt", "two")
			c.WriteFile("empty.txt", "")
			c.WriteFile("p.png", "png")
			args := []string{"upload", tt.target}
			for _, file := range tt.files {
				if filepath.IsAbs(file) {
					file = filepath.Join(c.Dir, file)
				}
				args = append(args, file)
			}
			reply := c.Do(args...)
			c.Do("wait", "--fn", "log.length >= "+string(rune('0'+len(tt.files))))
			require.Equal(t, tt.log, c.Log())
			require.Contains(t, sessiontest.Notes(reply), tt.says)
			data := sessiontest.Decode[object](t, reply.Result.Data)
			require.EqualValues(t, len(tt.files), data["uploaded"])
			require.Equal(t, tt.target, data["selector"])
		})
	}
}

// What cannot be uploaded is known before anything happens.
func TestUploadRefused(t *testing.T) {
	t.Parallel()
	page := host.Opened(t, "/pages/acting-files-upload.html")
	for _, tt := range []struct {
		name, target string
		files        []string
		code         fault.Code
		says         string
	}{
		{"missing", "#cv", []string{"nosuch.txt"}, fault.File, "nosuch.txt: no such file"},
		{"one of several missing", "#many", []string{"a.txt", "nosuch.txt"}, fault.File, "nosuch.txt: no such file"},
		{"missing, for a button", "#made", []string{"nosuch.txt"}, fault.File, "no such file"},
		{"no path", "#cv", []string{""}, fault.File, "the path is empty"},
		{"a device", "#cv", []string{os.DevNull}, fault.File, "not a regular file"},
		{"unreadable", "#cv", []string{"closed.txt"}, fault.File, "permission denied"},
		{"folder for a file", "#cv", []string{"sub"}, fault.TargetUnsuitable, "is a folder"},
		{"file for a folder", "#folder", []string{"a.txt"}, fault.TargetUnsuitable, "takes one folder, but got 1 file"},
		{"two for one", "#cv", []string{"a.txt", "sub/b.txt"}, fault.TargetUnsuitable, "takes one file, but got 2"},
		{
			"two for one, asked by a click", "#made",
			[]string{"a.txt", "sub/b.txt"},
			fault.TargetUnsuitable,
			"takes one file, but got 2",
		},
		{"nothing", "#cv", nil, fault.Usage, "Missing arguments for: upload"},
		{"disabled", "#disabled", []string{"a.txt"}, fault.TargetDisabled, "is disabled"},
		{"no field", "#idle", []string{"a.txt"}, fault.TargetUnsuitable, "did not ask for files when it was clicked"},
		{"a script asks", "#picker", []string{"a.txt"}, fault.TargetUnsuitable, ""},
		{"the page refuses", "#refuses", []string{"a.txt"}, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := page.In(t)
			c.Dir = t.TempDir()
			c.WriteFile("a.txt", "one")
			c.WriteFile("sub/b.txt", "two")
			c.WriteFile("closed.txt", "no")
			require.NoError(t, os.Chmod(filepath.Join(c.Dir, "closed.txt"), 0))
			args := append([]string{"upload", tt.target}, tt.files...)
			switch {
			case tt.name == "unreadable" && os.Getuid() == 0:
				return
			case tt.code == "": // the page has had it, and says itself what it thinks of it
				require.Contains(t, sessiontest.Notes(c.Do(args...)),
					"has emptied the field since: it took them over or refused them")
				require.Equal(t, "This file is not allowed", c.Page("document.getElementById('state').textContent"))
			default:
				require.Contains(t, c.Fails(tt.code, args...).Error(), tt.says)
			}
			require.Equal(t, []any{0.0, 0.0},
				c.Page(
					`[document.querySelectorAll('#list li').length, [...document.querySelectorAll('input')].reduce((n, i) => n + i.files.length, 0)]`))
		})
	}
}

// What the server gets of a form is what is on the disk.
func TestUploadIsSent(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-files-upload.html")
	c.WriteFile("a.bin", string(sessiontest.FileBytes(100000)))
	c.WriteFile("b.txt", "two")
	c.Do("upload", "#cv", "a.bin")
	c.Do("upload", "#many", "b.txt", "a.bin")
	c.Do("click", "#send")
	kept := sessiontest.Decode[[]map[string]string](t, c.Page("JSON.parse(document.body.innerText)"))
	byField := map[string][]string{}
	for _, part := range kept {
		if part["name"] != "" {
			byField[part["field"]] = append(byField[part["field"]], part["name"]+" "+part["text"])
		}
	}
	require.Equal(t, map[string][]string{
		"cv":   {"a.bin " + string(sessiontest.FileBytes(100000))},
		"many": {"b.txt two", "a.bin " + string(sessiontest.FileBytes(100000))},
	}, byField)
}

func TestUploadReplacesTheField(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-files-upload.html")
	c.WriteFile("me.png", "png")
	c.Do("upload", "#avatar-field", "me.png")
	require.Equal(t, "me.png", c.Page("document.querySelector('#avatar em').textContent"))
	c.WriteFile("you.png", "png!")
	c.Do("upload", "text=Avatar", "you.png")
	require.Equal(t, "you.png", c.Page("document.querySelector('#avatar em').textContent"))
}

// A field that the page replaces when it hears of the files may not have them any more, which the reply says.
func TestUploadIntoAReplacedField(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"at change":         `f.onchange = () => { got = f.files.length; f.replaceWith(f.cloneNode()) }`,
		"at input":          `f.oninput = () => { got = f.files.length; f.replaceWith(f.cloneNode()) }`,
		"with its form":     `f.onchange = () => { got = f.files.length; document.querySelector('form').outerHTML = '<form><input type=file id=f></form>' }`,
		"and not put again": `f.onchange = () => { got = f.files.length; f.remove() }`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t,
				`<form><input type=file id=f></form><script>let got = 0; const f = document.getElementById('f'); `+script+
					`</script>`)
			c.WriteFile("a.txt", "one")
			require.Contains(t, sessiontest.Notes(c.Do("upload", "#f", "a.txt")),
				"the page got the files and then took the field away or replaced it")
			require.EqualValues(t, 1, c.Page("got"))
		})
	}
}

func TestUploadAgain(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-files-upload.html")
	c.WriteFile("a.txt", "one")
	c.Do("upload", "#cv", "a.txt")
	c.Do("upload", "#cv", "a.txt")
	c.WriteFile("b.txt", "two")
	c.Do("upload", "#cv", "b.txt")
	require.Equal(t, "b.txt", c.Page("document.getElementById('cv').files[0].name"))
}

func TestUploadInFrames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, src string }{
		{"of the page's own process", "/pages/acting-files-frame.html"},
		{"of another one", site.Elsewhere("/pages/acting-files-frame.html")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t,
				`<h1>Top</h1><script>addEventListener('message', e => log.push(e.data))</script><p style="height:900px"></p>
				<iframe title=Inner width=500 height=300 src="`+tt.src+`"></iframe>`)
			c.WriteFile("a.txt", "one")
			c.WriteFile("b.txt", "two")
			c.Do("upload", c.Ref(`button "Add a file"`), "a.txt", "b.txt")
			c.Do("wait", "--fn", "log.length === 2")
			require.Equal(t, "a.txt: one\nb.txt: two", c.Log())
		})
	}
}

// The files of a folder that is put into a field which has another one are those of the new folder.
func TestUploadOfAnotherFolder(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-files-upload.html")
	for folder, n := range map[string]int{"many": 300, "few": 2, "one": 1, "none": 0, "same/few": 5} {
		require.NoError(t, os.MkdirAll(filepath.Join(c.Dir, folder), 0o700))
		for i := range n {
			c.WriteFile(filepath.Join(folder, fmt.Sprintf("f%d.txt", i)), "x")
		}
	}
	held := "folder.files.length"
	for _, step := range []struct {
		folder, says string
		files        int
	}{
		{"many", "300 files", 300},
		{"few", "2 files", 2},
		{"one", "1 file", 1},
		{"same/few", "5 files", 5},
		{"few", "2 files", 2},
		{"few", "2 files", 2},
	} {
		require.Contains(t, sessiontest.Notes(c.Do("upload", "#folder", step.folder)), "the folder has "+step.says)
		require.EqualValues(t, step.files, c.Page(held), step.folder)
	}
	reply := c.Try("upload", "#folder", "none")
	if n := c.Page(held).(float64); n == 0 {
		require.Contains(t, sessiontest.Told(reply), "the folder has no files")
	} else {
		require.Error(t, reply.Err, "the field has %v files of another folder", n)
	}
}
