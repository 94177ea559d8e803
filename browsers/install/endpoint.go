package install

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
)

// publicEndpoint is the public address of Chrome for Testing's JSON files. They name the addresses of the archives. It
// is asked by nothing but `install`, `upgrade` of what that installed, and the network check of `doctor`.
const publicEndpoint = "https://googlechromelabs.github.io/chrome-for-testing"

// The files of the endpoint.
const (
	lastKnownGood = "last-known-good-versions-with-downloads.json"      // the newest build of each channel
	perMilestone  = "latest-versions-per-milestone-with-downloads.json" // the newest build of each major version
	knownGood     = "known-good-versions-with-downloads.json"           // all builds
)

// listLimit bounds the endpoint's files. The largest has some 10 MB.
const listLimit = 64 << 20

// Endpoint returns the address of the endpoint: SKUA_CFT_URL, or the public one.
func Endpoint(getenv func(string) string) string {
	return strings.TrimRight(cmp.Or(getenv("SKUA_CFT_URL"), getenv("AGENT_BROWSER_CFT_URL"), publicEndpoint), "/")
}

// EndpointFile is the address of the file that names the newest builds.
func EndpointFile(getenv func(string) string) string { return Endpoint(getenv) + "/" + lastKnownGood }

// build is a version of the endpoint, with where its products are.
type build struct {
	Channel   string                `json:"channel"`
	Version   string                `json:"version"`
	Revision  string                `json:"revision"`
	Downloads map[string][]download `json:"downloads"`
}

// download is a product for a platform. The public endpoint gives no checksum here; others may.
type download struct {
	Platform string `json:"platform"`
	URL      string `json:"url"`
	SHA256   string `json:"sha256"`
}

// release is a build to install.
type release struct {
	product, platform, version string
	url, sha256                string
}

var (
	channels  = []string{"stable", "beta", "dev", "canary"}
	milestone = regexp.MustCompile(`^[1-9][0-9]{0,3}$`)
	exact     = regexp.MustCompile(`^[1-9][0-9]{0,3}(\.[0-9]{1,6}){1,3}$`)
)

// checkVersion checks what a caller says of the version: a channel, a major version, or the beginning of a version.
func checkVersion(version string) error {
	if slices.Contains(channels, version) || milestone.MatchString(version) || exact.MatchString(version) {
		return nil
	}
	return fault.New(fault.Usage, "%q is not a version of a browser.", version).About(version).
		WithHint("Use stable, beta, dev, canary, a major version such as 140, or a whole one such as 140.0.7339.80.")
}

// resolve asks the endpoint for the requested build.
func (i *Installer) resolve(ctx context.Context, products []string, platform, wish string) ([]release, error) {
	b, err := i.find(ctx, wish)
	if err != nil {
		return nil, err
	}
	if !exact.MatchString(b.Version) { // it becomes a part of a path
		return nil, fault.New(fault.InstallFailed, "%s names an invalid version: %q.", i.endpoint, b.Version).About(b.Version)
	}
	var all []release
	for _, product := range products {
		at := slices.IndexFunc(b.Downloads[product], func(d download) bool { return d.Platform == platform })
		if at < 0 {
			var has []string
			for _, d := range b.Downloads[product] {
				has = append(has, d.Platform)
			}
			return nil, fault.New(fault.InstallFailed, "There is no %s %s for %s, only for: %s.", product, b.Version, platform,
				cmp.Or(strings.Join(has, ", "), "nothing")).
				About(product).WithHint("Choose another version, or the system's own browser: `skua install --system`.")
		}
		d := b.Downloads[product][at]
		where, err := i.against(d.URL)
		if err != nil {
			return nil, err
		}
		all = append(all, release{
			product:  product,
			platform: platform,
			version:  b.Version,
			url:      where,
			sha256:   strings.ToLower(d.SHA256),
		})
	}
	return all, nil
}

// against reads an address of the endpoint's, which may be relative to it.
func (i *Installer) against(address string) (string, error) {
	base, err := url.Parse(i.endpoint + "/")
	if err != nil {
		return "", fault.New(fault.InstallFailed, "The address %q of the downloads cannot be used: %w.", i.endpoint, err).
			About(i.endpoint)
	}
	to, err := base.Parse(address)
	switch {
	case err != nil || to.Scheme != "http" && to.Scheme != "https" || to.Host == "":
		return "", fault.New(fault.InstallFailed, "%s names an address that nothing can be downloaded from: %q.", i.endpoint,
			address).About(address)
	case base.Scheme == "https" && to.Scheme != "https":
		return "", fault.New(fault.InstallFailed, "%s names a download without encryption: %s", i.endpoint, address).
			About(address)
	}
	return to.String(), nil
}

func (i *Installer) find(ctx context.Context, wish string) (build, error) {
	switch {
	case slices.Contains(channels, wish):
		var file struct {
			Channels map[string]build `json:"channels"`
		}
		if err := i.list(ctx, lastKnownGood, &file); err != nil {
			return build{}, err
		}
		for name, b := range file.Channels {
			if strings.EqualFold(name, wish) {
				return b, nil
			}
		}
	case milestone.MatchString(wish):
		var file struct {
			Milestones map[string]build `json:"milestones"`
		}
		if err := i.list(ctx, perMilestone, &file); err != nil {
			return build{}, err
		}
		if b, ok := file.Milestones[wish]; ok {
			return b, nil
		}
	default:
		var file struct {
			Versions []build `json:"versions"`
		}
		if err := i.list(ctx, knownGood, &file); err != nil {
			return build{}, err
		}
		found := build{}
		for _, b := range file.Versions {
			if (b.Version == wish || strings.HasPrefix(b.Version, wish+".")) &&
				(found.Version == "" || compareVersions(b.Version, found.Version) > 0) {
				found = b
			}
		}
		if found.Version != "" {
			return found, nil
		}
	}
	return build{}, fault.New(fault.InstallFailed, "%s has no build for the version %q.", i.endpoint, wish).About(wish).
		WithHint("Use stable, beta, dev, canary, or another version.")
}

// list reads one of the endpoint's files.
func (i *Installer) list(ctx context.Context, name string, into any) error {
	address := i.endpoint + "/" + name
	var text []byte
	err := i.retry(ctx, address, func(ctx context.Context, alive func()) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return err
		}
		res, err := i.client.Do(req)
		if err != nil {
			return err
		}
		defer func() { _ = res.Body.Close() }()
		if res.StatusCode != http.StatusOK {
			return statusError(res)
		}
		text, err = io.ReadAll(io.LimitReader(aliveReader{res.Body, alive}, listLimit+1))
		if err == nil && len(text) > listLimit {
			err = &finalError{fmt.Errorf("its answer has more than %d MB", listLimit>>20)}
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fault.New(fault.InstallFailed, "The answer of %s is not a list of builds: %w.", address, err).About(address).
			WithHint("Check SKUA_CFT_URL, and whether a proxy answers instead.")
	}
	return nil
}

// compareVersions orders versions such as 140.0.7339.80 by their numbers.
func compareVersions(a, b string) int {
	parts := func(s string) (n []int) {
		for part := range strings.SplitSeq(s, ".") {
			i, _ := strconv.Atoi(part) // they are digits, or else as good as 0
			n = append(n, i)
		}
		return n
	}
	return slices.Compare(parts(a), parts(b))
}
