package manifests

import (
	"bytes"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"text/template"

	"github.com/skua-browser/skua/scripts/packaging/release/spec"
	"github.com/skua-browser/skua/scripts/packaging/release/stage"
)

//go:embed templates
var templates embed.FS

// archive is one of a release, as the templates see it.
type archive struct {
	URL    string
	SHA256 string // hexadecimal
}

// Integrity is the checksum as Nix and browsers write it.
func (a archive) Integrity() (string, error) {
	sum, err := hex.DecodeString(a.SHA256)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum), err
}

// facts are what the templates see.
type facts struct {
	Version, Summary, Home, License string
	Archives                        map[string]archive // by OS_ARCH
	Bash, Zsh, Fish                 string
}

// Write writes the files. sums are the SHA-256 of the archives by their names; each target's has to be there.
func Write(r *spec.Release, sums map[string]string) error {
	f := facts{
		Version:  r.Version,
		Summary:  spec.Summary,
		Home:     spec.Home,
		License:  spec.License,
		Archives: map[string]archive{},
		Bash:     stage.Shells["bash"],
		Zsh:      stage.Shells["zsh"],
		Fish:     stage.Shells["fish"],
	}
	for _, t := range spec.Targets() {
		name := t.Archive(r.Version)
		if sums[name] == "" {
			return fmt.Errorf("%s: it is not in this release, and the manifests of package managers name all archives", name)
		}
		f.Archives[t.OS+"_"+t.Arch] = archive{r.Download(name), sums[name]}
	}
	for _, name := range []string{"skua.rb", "skua.nix"} {
		t, err := template.New(name+".tmpl").Option("missingkey=error").ParseFS(templates, "templates/"+name+".tmpl")
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := t.Execute(&b, f); err != nil {
			return err
		}
		if err := os.WriteFile(r.Path(name), b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(scoop(r, f), "", "    ")
	if err != nil {
		return err
	}
	return os.WriteFile(r.Path("skua.json"), append(text, '\n'), 0o644)
}
