package electron

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// maxNamed is how many apps an error names.
const maxNamed = 8

// named finds the installed app with a name, or with a bundle id: the one that has exactly it, else exactly it as its
// desktop id, else the only one that has it in one of the two.
func (p Places) named(ctx context.Context, name, bundle string) (*Start, error) {
	asked := cmp.Or(strings.TrimSpace(name), strings.TrimSpace(bundle))
	if p.Platform == Unsupported {
		return nil, fault.New(fault.AppNotFound, "apps cannot be searched for on this system, so %q cannot be found by name",
			asked).About(asked).
			WithHint("Give the app by executablePath or appPath.")
	}
	all, err := p.all(ctx)
	if err != nil {
		return nil, err
	}
	apps := all.found.Apps
	for _, has := range matchers(asked, bundle != "") {
		switch found := filter(apps, has); len(found) {
		case 0:
		case 1:
			return found[0].started(), nil
		default:
			return nil, fault.New(fault.AppNotFound, "%d installed Electron apps match %q: %s", len(found), asked,
				labels(found)).About(asked).
				WithHint("Give the path of the one that is meant (executablePath).").With("apps", pathsOf(found))
		}
	}
	for other, executable := range all.others {
		if strings.EqualFold(other, asked) {
			return nil, unsuitable(executable).About(asked).WithHint("That is what %q starts. %s %s", other, lookedFor, wayOut)
		}
	}
	e := fault.New(fault.AppNotFound, "no installed Electron app is called %q", asked).About(asked)
	const way = "electron list shows what is installed; an app elsewhere is given by appPath or executablePath."
	if near := nearest(apps, asked); len(near) > 0 {
		return nil, e.WithHint("Near it: %s. %s", strings.Join(near, ", "), way).With("near", near)
	}
	return nil, e.WithHint(way)
}

// matchers are the ways to match, the best first.
func matchers(asked string, bundle bool) []func(*App) bool {
	equal := func(field string) bool { return strings.EqualFold(field, asked) }
	within := func(field string) bool { return strings.Contains(strings.ToLower(field), strings.ToLower(asked)) }
	desktop := func(a *App) bool { return a.DesktopID != "" && equal(a.DesktopID) || equal(a.DesktopID+".desktop") }
	if bundle {
		return []func(*App) bool{
			func(a *App) bool { return equal(a.BundleID) }, desktop,
			func(a *App) bool { return within(a.BundleID) || within(a.DesktopID) },
		}
	}
	return []func(*App) bool{
		func(a *App) bool { return equal(a.Name) }, desktop, func(a *App) bool {
			return slices.ContainsFunc(a.how.also, equal)
		},
		func(a *App) bool { return within(a.Name) || within(a.DesktopID) || within(a.BundleID) },
	}
}

func filter(apps []App, has func(*App) bool) (found []App) {
	for i := range apps {
		if has(&apps[i]) {
			found = append(found, apps[i])
		}
	}
	return found
}

func pathsOf(apps []App) (paths []string) {
	for i := range apps {
		paths = append(paths, apps[i].ExecutablePath)
	}
	return paths
}

// labels names apps with what tells them apart.
func labels(apps []App) string {
	var all []string
	for i := range apps[:min(len(apps), maxNamed)] {
		all = append(all, apps[i].label())
	}
	if more := len(apps) - maxNamed; more > 0 {
		all = append(all, "…")
	}
	return strings.Join(all, ", ")
}

func (a *App) label() string { return a.Name + " (" + a.ExecutablePath + ")" }

// nearest returns the names that are most like what was asked for.
func nearest(apps []App, asked string) (names []string) {
	type near struct {
		name  string
		steps int
	}
	var all []near
	asked = strings.ToLower(asked)
	for i := range apps {
		name := strings.ToLower(apps[i].Name)
		steps := wording.Distance(name, asked)
		for word := range strings.FieldsSeq(name) {
			steps = min(steps, 1+wording.Distance(word, asked))
		}
		for word := range strings.FieldsSeq(asked) {
			if len(word) > 2 && strings.Contains(name, word) {
				steps = min(steps, 2)
			}
		}
		if steps <= 2+len(asked)/5 && steps < len(asked) {
			all = append(all, near{apps[i].Name, steps})
		}
	}
	slices.SortStableFunc(all, func(a, b near) int { return cmp.Compare(a.steps, b.steps) })
	for _, n := range all {
		if !slices.Contains(names, n.name) && len(names) < maxNamed {
			names = append(names, n.name)
		}
	}
	return names
}
