package main

import (
	"compress/gzip"
	"fmt"
	"io"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/skua-browser/skua/scripts/packaging/release/spec"
)

// port is where the service listens in the container.
const port = "9224"

// program is what a container runs, and arguments what it runs it with unless others are given.
var (
	program   = []string{"/usr/bin/tini", "--", "/usr/local/bin/skua", "serve"}
	arguments = []string{"--http", "0.0.0.0:" + port, "--profile-dir", profile}
)

// assemble makes the image of two layers.
func assemble(r *spec.Release, base, programs string) (v1.Image, error) {
	image := mutate.MediaType(empty.Image, types.OCIManifestSchema1)
	image = mutate.ConfigMediaType(image, types.OCIConfigJSON)
	for _, layer := range []struct{ file, comment string }{
		{base, "Debian: " + fmt.Sprint(packages)},
		{programs, "skua " + r.Version + " (" + r.Commit + ")"},
	} {
		l, err := tarball.LayerFromFile(layer.file, tarball.WithMediaType(types.OCILayer),
			tarball.WithCompressionLevel(gzip.BestSpeed), tarball.WithCompressedCaching)
		if err != nil {
			return nil, err
		}
		image, err = mutate.Append(image, mutate.Addendum{
			Layer:   l,
			History: v1.History{CreatedBy: "scripts/image", Comment: layer.comment, Created: v1.Time{Time: r.Time}},
		})
		if err != nil {
			return nil, err
		}
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = "linux", r.Targets[0].Arch, v1.Time{Time: r.Time}
	config.Config = v1.Config{
		User: fmt.Sprintf("%d:%d", userID, userID), // by number, so that Kubernetes can tell that it is not root
		Env: []string{
			"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + home, "LANG=C.UTF-8",
			// Files that a session needs for its time only: folders of sockets and of browsers without a profile.
			"TMPDIR=/tmp",
		},
		Entrypoint:   program,
		Cmd:          arguments,
		WorkingDir:   home,
		StopSignal:   "SIGTERM",
		ExposedPorts: map[string]struct{}{port + "/tcp": {}},
		Volumes:      map[string]struct{}{profile: {}},
		Healthcheck: &v1.HealthConfig{
			Test:        []string{"CMD", "skua", "serve", "--check", "--http", "127.0.0.1:" + port},
			Interval:    30 * time.Second,
			Timeout:     10 * time.Second,
			StartPeriod: 10 * time.Second,
			Retries:     3,
		},
		Labels: map[string]string{
			"org.opencontainers.image.title": "skua", "org.opencontainers.image.description": spec.Summary,
			"org.opencontainers.image.source":   spec.Home,
			"org.opencontainers.image.licenses": spec.License, "org.opencontainers.image.version": r.Version,
			"org.opencontainers.image.revision": r.Commit,
		},
	}
	return mutate.ConfigFile(image, config)
}

// write writes the image as a folder in the OCI layout, and as an archive for docker load.
func write(image v1.Image, version, folder, archive string) error {
	path, err := layout.Write(folder, empty.Index)
	if err != nil {
		return err
	}
	if err := path.AppendImage(image,
		layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": version})); err != nil {
		return err
	}
	tag, err := name.NewTag("skua:"+version, name.WithDefaultRegistry(""))
	if err != nil {
		return err
	}
	return tarball.WriteToFile(archive, tag, image)
}

// report says what was made, and how large its parts are to a registry.
func report(image v1.Image, folder, archive string, out io.Writer) error {
	digest, err := image.Digest()
	if err != nil {
		return err
	}
	layers, err := image.Layers()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s\n%s\n%s\n", digest, folder, archive)
	for i, l := range layers {
		size, err := l.Size()
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "  layer %d: %.1f MB\n", i+1, float64(size)/1e6)
	}
	return nil
}
