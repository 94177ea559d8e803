package chrome

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/userfile"
)

// UserProfile is a profile of a browser of the user's.
type UserProfile struct {
	UserData  UserData
	Directory string // its folder in that of the browser: "Default", "Profile 1"
	Name      string // as the browser shows it; the folder's when it does not say
}

// localStateFile names a browser's profiles. A real one has some 10 to 500 KB.
const (
	localStateFile = "Local State"
	maxLocalState  = 16 << 20
)

// UserProfiles returns the profiles in these folders of browsers, in their order.
func UserProfiles(dirs []UserData) []UserProfile {
	var all []UserProfile
	for _, d := range dirs {
		all = append(all, profilesIn(d)...)
	}
	return all
}

func profilesIn(d UserData) []UserProfile {
	names := namesIn(filepath.Join(d.Dir, localStateFile))
	entries, _ := os.ReadDir(d.Dir)
	var all []UserProfile
	for _, e := range entries {
		name, named := names[e.Name()]
		if !e.IsDir() || !named && !isProfile(filepath.Join(d.Dir, e.Name())) {
			continue
		}
		all = append(all, UserProfile{UserData: d, Directory: e.Name(), Name: cmp.Or(name, e.Name())})
	}
	if len(all) == 0 && isProfile(d.Dir) { // Opera's own folder is its only profile
		all = append(all, UserProfile{
			UserData:  UserData{Browser: d.Browser, Dir: filepath.Dir(d.Dir)},
			Directory: filepath.Base(d.Dir),
			Name:      d.Browser,
		})
	}
	return all
}

// isProfile reports whether a folder is a profile that was used.
func isProfile(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, "Preferences"))
	return err == nil && info.Mode().IsRegular() && filepath.Base(dir) != "System Profile" &&
		filepath.Base(dir) != "Guest Profile"
}

// namesIn returns the names of the profiles by their folders.
func namesIn(path string) map[string]string {
	names := map[string]string{}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxLocalState {
		return names
	}
	text, err := userfile.Read(context.Background(), path, maxLocalState)
	if err != nil {
		return names
	}
	var state struct {
		Profile struct {
			InfoCache map[string]struct {
				Name string `json:"name"`
			} `json:"info_cache"`
		} `json:"profile"`
	}
	if json.Unmarshal(text, &state) != nil {
		return names
	}
	for directory, about := range state.Profile.InfoCache {
		names[directory] = about.Name
	}
	return names
}

// pathHint is for those who meant a folder.
const pathHint = "If you meant a directory path, use a full path (e.g., /path/to/profile)."

// FindUserProfile returns the profile with this folder or name, of the first browser that has one. "Brave:Work" is
// Brave's.
func FindUserProfile(dirs []UserData, wanted string) (*UserProfile, error) {
	all := UserProfiles(dirs)
	if len(all) == 0 {
		return nil, fault.New(fault.ProfileNotFound, "No Chrome user data directory found. Cannot resolve profile name.").
			About(wanted).WithHint("%s", pathHint)
	}
	browser, name, ofOne := strings.Cut(wanted, ":")
	if !ofOne {
		browser, name = "", wanted
	}
	for _, matches := range []func(p UserProfile) bool{
		func(p UserProfile) bool { return p.Directory == wanted },
		func(p UserProfile) bool { return p.Name == wanted },
		func(p UserProfile) bool {
			return ofOne && strings.EqualFold(p.UserData.Browser, browser) && (p.Directory == name || p.Name == name)
		},
		func(p UserProfile) bool {
			return strings.EqualFold(p.Name, wanted) || strings.EqualFold(p.Directory, wanted)
		},
	} {
		found := slices.DeleteFunc(slices.Clone(all), func(p UserProfile) bool { return !matches(p) })
		if len(found) == 0 {
			continue
		}
		if len(found) > 1 && found[1].UserData == found[0].UserData {
			return nil, fault.New(fault.ProfileNotFound, "%s has several profiles %q: %s", found[0].UserData.Browser, wanted,
				listed(found)).About(wanted).
				WithHint("Name the folder.")
		}
		return &found[0], nil
	}
	return nil, fault.New(fault.ProfileNotFound, "Chrome profile %q not found. Available profiles:%s", wanted,
		listed(all)).About(wanted).WithHint("%s", pathHint)
}

// listed are profiles as agent-browser lists them, a line each.
func listed(profiles []UserProfile) string {
	var b strings.Builder
	for _, p := range profiles {
		b.WriteString("\n  " + p.Directory + " (" + p.Name + ")")
		if p.UserData != profiles[0].UserData {
			b.WriteString(" of " + p.UserData.Browser)
		}
	}
	return b.String()
}

// executable returns the browser that the profile is of, or "".
func (p *UserProfile) executable(getenv func(string) string) string {
	f := &finder{goos: runtime.GOOS, getenv: getenv, check: checkExecutable}
	for _, b := range products {
		if b.name != p.UserData.Browser {
			continue
		}
		for _, name := range b.executables {
			if path := f.onPath(name); path != "" {
				return packaged(path)
			}
		}
	}
	return ""
}
