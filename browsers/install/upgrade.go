package install

import (
	"context"
	"slices"
)

// UpgradeBrowsers installs the newest build of what was installed by the name of a channel or a major version. What was
// installed by a whole version stays, because the user asked for exactly that one.
func (i *Installer) UpgradeBrowsers(ctx context.Context, prune bool) (all []Outcome, pinned []Browser, err error) {
	dir, err := Dir(i.o.Getenv)
	if err != nil {
		return nil, nil, err
	}
	have, err := Installed(dir)
	if err != nil {
		return nil, nil, err
	}
	type line struct{ product, wish string }
	var lines []line
	newest := map[line]string{}
	for _, b := range have {
		if exact.MatchString(b.Wish) && !milestone.MatchString(b.Wish) {
			pinned = append(pinned, b)
			continue
		}
		l := line{b.Product, b.Wish}
		if !slices.Contains(lines, l) {
			lines = append(lines, l)
		}
		if newest[l] == "" || compareVersions(b.Version, newest[l]) > 0 {
			newest[l] = b.Version
		}
	}
	for _, l := range lines {
		got, err := i.Install(ctx, Request{
			Products: []string{l.product},
			Version:  l.wish,
			Prune:    prune && len(lines) == len(products(lines, func(l line) string { return l.product })),
		})
		if err != nil {
			return all, pinned, err
		}
		for _, o := range got {
			if o.Version != newest[l] {
				o.From = newest[l]
			}
			all = append(all, o)
		}
	}
	return all, pinned, nil
}

// products counts the products of lines: with two lines of one, pruning for one would remove the other's.
func products[T any](lines []T, of func(T) string) []string {
	var names []string
	for _, l := range lines {
		if name := of(l); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
