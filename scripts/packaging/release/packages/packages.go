package packages

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb" // a format of nfpm
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm" // a format of nfpm

	"github.com/skua-browser/skua/scripts/packaging/release/spec"
	"github.com/skua-browser/skua/scripts/packaging/release/stage"
)

// lib is where the programs are: the two need each other, and axe-core, beside them.
const lib = "/usr/lib/skua"

// Formats are the kinds of packages that there are.
var Formats = []string{"deb", "rpm"}

// Write makes the packages of a folder.
func Write(r *spec.Release, f stage.Folder, work string) error {
	if f.Target.OS != "linux" {
		return nil
	}
	for _, format := range Formats {
		info, err := describe(r, f, format, filepath.Join(work, format))
		if err != nil {
			return err
		}
		packager, err := nfpm.Get(format)
		if err != nil {
			return err
		}
		if err := nfpm.PrepareForPackager(info, format); err != nil {
			return fmt.Errorf("%s: %w", format, err)
		}
		out, err := os.Create(r.Path(packager.ConventionalFileName(info)))
		if err != nil {
			return err
		}
		if err := errors.Join(packager.Package(info, out), out.Close()); err != nil {
			return fmt.Errorf("%s: %w", format, err)
		}
	}
	return nil
}

func describe(r *spec.Release, f stage.Folder, format, work string) (*nfpm.Info, error) {
	contents, err := contentsOf(r, f, format, work)
	if err != nil {
		return nil, err
	}
	info := nfpm.WithDefaults(&nfpm.Info{
		Name:       "skua",
		Arch:       f.Target.Arch,
		Platform:   "linux",
		Version:    r.Version,
		Release:    "1",
		Section:    "web",
		Priority:   "optional",
		Maintainer: spec.Maintainer,
		Description: spec.Summary + "\n" +
			spec.About,
		Vendor:   "skua",
		Homepage: spec.Home,
		License:  spec.License,
		MTime:    r.Time,
	})
	info.DisableGlobbing = true
	info.Contents = contents
	info.RPM.BuildHost, info.RPM.Summary, info.RPM.Group = "localhost", spec.Summary, "Applications/Internet"
	// The highest level, which is the default, takes three times as long for packages that are half a percent smaller.
	info.Deb.Compression, info.RPM.Compression = "gzip:6", "gzip:8"
	// It works with any browser of the Chromium family, also with one that `skua install` downloads.
	switch format {
	case "deb":
		info.Recommends = []string{"chromium-headless-shell | chromium | chromium-browser | google-chrome-stable"}
	case "rpm":
		info.Recommends = []string{"(chromium-headless or chromium or google-chrome-stable)"}
	}
	return info, nil
}

// placed is where a file of a folder is in a package.
func placed(name, format string) string {
	switch dir := path.Dir(name); {
	case dir == stage.Bin:
		return lib + "/" + path.Base(name)
	case dir == stage.Man:
		return "/usr/" + name + ".gz"
	case name == stage.Doc+"/LICENSE":
		if format == "deb" {
			return "/usr/share/doc/skua/copyright"
		}
		return "/usr/share/licenses/skua/LICENSE"
	case name == stage.Shells["zsh"] && format == "deb":
		return "/usr/share/zsh/vendor-completions/_skua"
	}
	return "/usr/" + name
}

// removed reports whether a folder is listed in the package, so that it is removed with it. dpkg removes each empty
// one, rpm only those that are listed: also those of shells, which may not be installed. Several packages may list the
// same.
func removed(dir, format string) bool {
	if strings.Contains(dir, "skua") {
		return true
	}
	for _, shared := range []string{"/usr/share/fish", "/usr/share/zsh", "/usr/share/licenses"} {
		if format == "rpm" && (dir == shared || strings.HasPrefix(dir, shared+"/")) {
			return true
		}
	}
	return false
}

func contentsOf(r *spec.Release, f stage.Folder, format, work string) (files.Contents, error) {
	all, err := f.Files()
	if err != nil {
		return nil, err
	}
	var contents files.Contents
	folders := map[string]bool{}
	add := func(c *files.Content) {
		contents = append(contents, c)
		for dir := path.Dir(c.Destination); removed(dir, format); dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	for _, file := range all {
		source := file.Path
		if path.Dir(file.Name) == stage.Man {
			source = filepath.Join(work, path.Base(file.Name)+".gz")
			if err := compress(file.Path, source); err != nil {
				return nil, err
			}
		}
		add(&files.Content{
			Source: source, Destination: placed(file.Name, format),
			FileInfo: &files.ContentFileInfo{Mode: file.Mode, Owner: "root", Group: "root", MTime: r.Time},
		})
	}
	for _, name := range []string{"skua", "skuad"} {
		add(&files.Content{
			Source:      "../lib/skua/" + name,
			Destination: "/usr/bin/" + name,
			Type:        files.TypeSymlink,
			FileInfo:    &files.ContentFileInfo{Owner: "root", Group: "root", MTime: r.Time},
		})
	}
	for dir := range folders {
		contents = append(contents, &files.Content{
			Destination: dir,
			Type:        files.TypeDir,
			FileInfo:    &files.ContentFileInfo{Mode: 0o755, Owner: "root", Group: "root", MTime: r.Time},
		})
	}
	return contents, nil
}
