package manifests

import (
	"strings"

	"github.com/skua-browser/skua/scripts/packaging/release/spec"
)

// scoopManifest is an app manifest of Scoop: https://github.com/ScoopInstaller/Scoop/wiki/App-Manifests.
type scoopManifest struct {
	Version      string                  `json:"version"`
	Description  string                  `json:"description"`
	Homepage     string                  `json:"homepage"`
	License      string                  `json:"license"`
	Architecture map[string]scoopArchive `json:"architecture"`
	ExtractDir   string                  `json:"extract_dir"`
	Bin          []string                `json:"bin"`
	Checkver     scoopCheckver           `json:"checkver"`
	Autoupdate   scoopAutoupdate         `json:"autoupdate"`
}

type scoopArchive struct {
	URL  string `json:"url"`
	Hash string `json:"hash,omitempty"`
}

type scoopCheckver struct {
	GitHub string `json:"github"`
}

// scoopAutoupdate is how Scoop's own robots find later versions.
type scoopAutoupdate struct {
	Architecture map[string]scoopArchive `json:"architecture"`
	ExtractDir   string                  `json:"extract_dir"`
	Hash         map[string]string       `json:"hash"`
}

func scoop(r *spec.Release, f facts) scoopManifest {
	const variable = "$version"
	m := scoopManifest{
		Version:      f.Version,
		Description:  f.Summary,
		Homepage:     f.Home,
		License:      f.License,
		ExtractDir:   "skua-" + f.Version,
		Bin:          []string{`bin\skua.exe`, `bin\skuad.exe`},
		Checkver:     scoopCheckver{f.Home},
		Architecture: map[string]scoopArchive{},
		Autoupdate: scoopAutoupdate{
			Architecture: map[string]scoopArchive{},
			ExtractDir:   "skua-" + variable,
			Hash:         map[string]string{"url": "$baseurl/SHA256SUMS"},
		},
	}
	for name, arch := range map[string]string{"64bit": "amd64", "arm64": "arm64"} {
		a := f.Archives["windows_"+arch]
		m.Architecture[name] = scoopArchive{a.URL, a.SHA256}
		m.Autoupdate.Architecture[name] = scoopArchive{URL: strings.ReplaceAll(a.URL, r.Version, variable)}
	}
	return m
}
