package appfiles

import (
	"encoding/json"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Code is what an installed app's own code is, seen from outside: as a rule bundled, without the names and folders that
// its source had.
type Code struct {
	Path    string `json:"path"` // the archive or folder; in an AppImage its path there follows the image's
	Packed  bool   `json:"packed"`
	Name    string `json:"name,omitempty"` // of its package.json, as the two that follow
	Version string `json:"version,omitempty"`
	Main    string `json:"main,omitempty"`
	// the file of the page that was asked for, where its address tells it and it is there
	Page       string `json:"page,omitempty"`
	Files      int    `json:"files"`
	SourceMaps int    `json:"sourceMaps"` // files that tell the source of others
	MapOfOne   string `json:"sourceMapExample,omitempty"`
	Cut        bool   `json:"cut,omitempty"` // there are more files than were counted
}

// Bounds of a count of an app's files.
const (
	maxCounted = 50_000
	maxDepth   = 64
)

// CodeOf finds the code of an app by its executable and its folder, and what of it the page at an address is. It
// returns nil when none is found. It reads the list of files and the package.json, and no other file.
func CodeOf(executable, appPath, address string) *Code {
	page := pagePath(address)
	if archive, _, ok := cutArchive(page); ok && Exists(archive) {
		if c := readCode(os.DirFS(filepath.Dir(archive)), filepath.Base(archive), filepath.Dir(archive), page); c != nil {
			return c
		}
	}
	if AppImageType(executable) == 2 {
		return imageCode(executable, page)
	}
	dir := filepath.Dir(executable)
	for _, at := range []string{
		filepath.Join(dir, "resources"), filepath.Join(filepath.Dir(dir), "Resources"), filepath.Join(appPath, "resources"),
		filepath.Join(appPath, "Contents", "Resources"), appPath,
	} {
		if at == "" || !Exists(at) {
			continue
		}
		for _, name := range []string{"app.asar", "app", "."} {
			if name == "." && at != appPath {
				continue // the folder of resources itself is not an app
			}
			if c := readCode(os.DirFS(at), name, at, page); c != nil {
				return c
			}
		}
	}
	return nil
}

// imageCode finds the code in an AppImage. Where it is mounted is another place at each start, so that pages are told
// by their ends.
func imageCode(file, page string) *Code {
	image, err := OpenAppImage(file)
	if err != nil {
		return nil
	}
	defer image.Close()
	for _, dir := range Folders(image) {
		for _, name := range []string{"app.asar", "app"} {
			if c := readCode(image, path.Join(dir, "resources", name), file, page); c != nil {
				return c
			}
		}
	}
	return nil
}

// readCode reads an archive, or a folder with a package.json.
func readCode(fsys fs.FS, name, base, page string) *Code {
	c := &Code{Path: filepath.Join(base, filepath.FromSlash(name))}
	if a, err := openArchive(fsys, name); err == nil {
		defer a.Close()
		c.Packed = true
		c.count("", a.root, 0)
		text, _ := a.ReadFile("package.json")
		c.describe(text)
		if _, within, ok := cutArchive(page); ok {
			if _, there := a.find(within); there {
				c.Page = within
			}
		}
		return c
	}
	text, err := readSmall(fsys, path.Join(name, "package.json"), maxEntry)
	if err != nil {
		return nil
	}
	c.describe(text)
	_ = fs.WalkDir(fsys, name, func(at string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			c.seen(strings.TrimPrefix(at, name+"/"))
		}
		if c.Cut {
			return fs.SkipAll
		}
		return nil
	})
	if within, ok := strings.CutPrefix(page, c.Path+string(filepath.Separator)); ok && Exists(page) {
		c.Page = filepath.ToSlash(within)
	}
	return c
}

func (c *Code) describe(packageJSON []byte) {
	var p struct{ Name, ProductName, Version, Main string }
	if json.Unmarshal(packageJSON, &p) != nil {
		return
	}
	if c.Name = p.ProductName; c.Name == "" {
		c.Name = p.Name
	}
	c.Version, c.Main = p.Version, p.Main
}

// count counts the files of an archive's folder.
func (c *Code) count(dir string, files []byte, depth int) {
	if depth > maxDepth {
		c.Cut = true
		return
	}
	for key, value := range members(files) {
		if c.Cut {
			return
		}
		name := path.Join(dir, unquoted(key))
		if below, ok := member(value, "files"); ok {
			c.count(name, below, depth+1)
			continue
		}
		c.seen(name)
	}
}

func (c *Code) seen(name string) {
	if c.Files >= maxCounted {
		c.Cut = true
		return
	}
	c.Files++
	if strings.HasSuffix(name, ".js.map") || strings.HasSuffix(name, ".mjs.map") || strings.HasSuffix(name, ".css.map") {
		if c.MapOfOne == "" || strings.Contains(c.MapOfOne, "node_modules/") { // one of the app's own, if there is any
			c.MapOfOne = name
		}
		c.SourceMaps++
	}
}

// pagePath is the path of a file: address, "" for all others: what an app's own scheme leads to only the app knows.
func pagePath(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	p := u.Path
	if len(p) > 2 && p[0] == '/' && p[2] == ':' { // /C:/…
		p = p[1:]
	}
	return filepath.FromSlash(p)
}

// cutArchive cuts a path that leads into an archive: Electron lets its pages do as if it were a folder.
func cutArchive(page string) (archive, within string, ok bool) {
	const mark = ".asar"
	before, after, ok := strings.Cut(page, mark+string(filepath.Separator))
	return before + mark, filepath.ToSlash(after), ok
}

// CodeAmong finds the app's code among the arguments of an Electron that has none of its own: the first that is an
// archive, or a folder with a package.json.
func CodeAmong(args []string) string {
	for _, arg := range args {
		if !filepath.IsAbs(arg) {
			continue
		}
		if strings.HasSuffix(arg, ".asar") && Exists(arg) || Exists(filepath.Join(arg, "package.json")) {
			return arg
		}
	}
	return ""
}
