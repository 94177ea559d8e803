package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/validate"
	"github.com/stretchr/testify/require"
)

// enter makes a container of a root file system in the namespaces of its process, as strict as docs/containers.md
// advises: the root cannot be written, no capability is left, and none can be had. The sandbox of a browser does not
// work below chroot, so that the root is changed for the whole namespace.
const enter = `
set -e
root=$1 user=$2 profile=$3
shift 3
mount --bind "$root" "$root"
cd "$root"
mkdir -p -m 700 .outside
mkdir -p .outside/root
mount -t proc proc proc
mount --rbind /dev dev
mount -t tmpfs -o mode=1777 tmpfs tmp
mount -t tmpfs -o "mode=700,uid=$user,gid=$user" tmpfs ".$profile"
mount -o remount,bind,ro "$root"
pivot_root . .outside/root
exec chroot . /bin/sh -c "$INSIDE" sh "$user" "$@"
`

// inside is the first process of the container. It says how the program of the image ended, and what is left of it.
const inside = `
user=$1
shift
setpriv --reuid="$user" --regid="$user" --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@" &
code=0
wait $! || code=$?
echo "ended with $code"
for p in /proc/[0-9]*; do
	[ "$p" = /proc/1 ] || echo "left: $(cat "$p/comm")"
done
echo "nothing more"
`

// made is the folder of the image that the tests made.
var made string

var makeImage = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "skua-image-")
	if err != nil {
		return "", err
	}
	made = dir
	out, err := exec.Command("../../image", "--uncommitted", "0.99.3", dir).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("scripts/image: %w\n%s", err, out)
	}
	return dir, err
})

func TestMain(m *testing.M) {
	code := m.Run()
	if made != "" {
		_ = os.RemoveAll(made)
	}
	os.Exit(code)
}

// openImage returns the image in the folder that SKUA_IMAGE names, or makes one.
func openImage(t *testing.T) v1.Image {
	t.Helper()
	if testing.Short() {
		t.Skip("makes a container image of Debian packages")
	}
	dist := os.Getenv("SKUA_IMAGE")
	if dist == "" {
		var err error
		dist, err = makeImage()
		require.NoError(t, err)
	}
	all, err := filepath.Glob(filepath.Join(dist, "skua-*-image"))
	require.NoError(t, err)
	require.Len(t, all, 1, dist)
	index, err := layout.ImageIndexFromPath(all[0])
	require.NoError(t, err)
	manifest, err := index.IndexManifest()
	require.NoError(t, err)
	require.Len(t, manifest.Manifests, 1)
	image, err := index.Image(manifest.Manifests[0].Digest)
	require.NoError(t, err)
	return image
}

// The container serves as an unprivileged user with the browser's sandbox, is healthy, and ends with all of its
// processes.
func TestContainer(t *testing.T) {
	image := openImage(t)
	if os.Getuid() != 0 {
		t.Skip("making a container of files of several users needs root")
	}
	require.NoError(t, validate.Image(image), "every digest and size")
	config, err := image.ConfigFile()
	require.NoError(t, err)
	c := startContainer(t, image, config.Config)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<title>Order</title><label>Name <input></label><button>Buy</button>`)
	}))
	t.Cleanup(site.Close)

	c.run(t, "open", site.URL)
	snapshot := c.run(t, "snapshot", "-i")
	require.Contains(t, snapshot, `textbox \"Name\"`)
	require.Contains(t, snapshot, `button \"Buy\"`)
	require.NotContains(t, snapshot, "sandbox", "a browser without it is noted")
	reply, err := http.Get(c.address + "/healthz")
	require.NoError(t, err)
	require.NoError(t, reply.Body.Close())
	require.Equal(t, http.StatusOK, reply.StatusCode)

	renderers := 0
	for _, p := range c.processes(t) {
		require.Equal(t, strconv.Itoa(userID), p.status["Uid"], p.command)
		require.NotContains(t, p.command, "--no-sandbox")
		if strings.Contains(p.command, "--type=renderer") {
			renderers++
			require.GreaterOrEqual(t, len(strings.Fields(p.status["NSpid"])), 3,
				"those of the machine, of the container and of the sandbox")
			require.Equal(t, "2", p.status["Seccomp"], "the renderer's system calls are filtered")
		}
	}
	require.NotZero(t, renderers)

	require.NoError(t, syscall.Kill(c.processes(t)[0].pid, syscall.SIGTERM))
	out := c.wait(t)
	require.Contains(t, out, "ended with 0\nnothing more\n", "SIGTERM ends everything, and leaves no process")
}

// container is a running one.
type container struct {
	cmd     *exec.Cmd
	out     *bytes.Buffer
	address string
}

const token = "token-of-the-test"

func startContainer(t *testing.T, image v1.Image, config v1.Config) container {
	t.Helper()
	root := unpack(t, image)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := listener.Addr().String()
	require.NoError(t, listener.Close())
	require.Equal(t, arguments, config.Cmd)
	args := append([]string{
		"--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child", "--propagation", "private",
		"sh", "-c", enter, "sh", root, strconv.Itoa(userID), profile,
	}, config.Entrypoint...)
	args = append(args, "--http", address) // the network is the machine's, where the image's own port may be taken
	args = append(args, config.Cmd[2:]...)
	cmd := exec.Command("unshare", args...)
	// since it is not the first process here
	cmd.Env = append(config.Env, "INSIDE="+inside, "SKUA_MCP_TOKEN="+token, "TINI_SUBREAPER=1")
	cmd.Env = append(cmd.Env, "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")
	out := &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = out, out
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // ends the container; usually it has ended
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("the container printed:\n%s", out)
		}
	})
	c := container{cmd, out, "http://" + address}
	c.awaitHealthy(t, config.Healthcheck, address)
	return c
}

// unpack makes the root file system.
func unpack(t *testing.T, image v1.Image) string {
	t.Helper()
	root, err := os.MkdirTemp("", "skua-root-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(root)) })
	files := mutate.Extract(image)
	defer files.Close()
	cmd := exec.Command("tar", "-x", "-p", "--numeric-owner", "-C", root)
	cmd.Stdin = files
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	require.NoError(t, os.Chmod(root, 0o755))
	return root
}

// awaitHealthy does what a runtime does with the image's health check: runs it until it succeeds.
func (c container) awaitHealthy(t *testing.T, check *v1.HealthConfig, address string) {
	t.Helper()
	require.Equal(t, "127.0.0.1:"+port, check.Test[len(check.Test)-1])
	var last []byte
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		all := c.processes(t)
		if len(all) == 0 {
			continue
		}
		ctx, cancel := context.WithTimeout(t.Context(), check.Timeout)
		args := append([]string{
			"--target", strconv.Itoa(all[0].pid), "--mount", "--pid", "--setuid", strconv.Itoa(userID),
			"--setgid", strconv.Itoa(userID), "/usr/bin/env", "-i", "HOME=" + home,
		}, "PATH=/usr/local/bin:/usr/bin")
		args = append(append(args, check.Test[1:len(check.Test)-1]...), address)
		out, err := exec.CommandContext(ctx, "nsenter", args...).CombinedOutput()
		cancel()
		if err == nil {
			return
		}
		last = out
	}
	require.Fail(t, "the container did not become healthy", "%s", last)
}

// run runs a command of skua in the pages of a task.
func (c container) run(t *testing.T, args ...string) string {
	t.Helper()
	body := `{"args": ["` + strings.Join(args, `", "`) + `"]}`
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.address+"/tasks/shop/run",
		strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+token)
	reply, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	require.NoError(t, err)
	require.Contains(t, string(text), `"exitCode":0`)
	return string(text)
}

// process is one in the container, by the machine's number.
type process struct {
	pid     int
	command string
	status  map[string]string
}

// processes are those of the container's program and its descendants, in the order of their age, the program first. The
// shell that waits for it is none of them.
func (c container) processes(t *testing.T) []process {
	t.Helper()
	var all []process
	next := children(c.cmd.Process.Pid) // the shell
	for depth := 0; len(next) > 0; depth++ {
		var below []int
		for _, pid := range next {
			below = append(below, children(pid)...)
			command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			text, failed := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
			if depth == 0 || err != nil || failed != nil || len(command) == 0 || strings.HasPrefix(string(command), "setpriv") {
				continue // it ended meanwhile, or has not become the program yet
			}
			status := map[string]string{}
			for line := range strings.Lines(string(text)) {
				key, value, _ := strings.Cut(line, ":")
				status[key] = strings.TrimSpace(value)
			}
			status["Uid"], _, _ = strings.Cut(status["Uid"], "\t")
			all = append(all, process{pid, strings.ReplaceAll(string(command), "\x00", " "), status})
		}
		next = below
	}
	return all
}

// children are those of all threads of a process.
func children(pid int) []int {
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		return nil
	}
	var all []int
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if err != nil {
			continue // the thread ended meanwhile
		}
		for word := range strings.FieldsSeq(string(text)) {
			if child, err := strconv.Atoi(word); err == nil {
				all = append(all, child)
			}
		}
	}
	return all
}

// wait waits until the container has ended, and returns what it printed.
func (c container) wait(t *testing.T) string {
	t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- c.cmd.Wait() }()
	select {
	case err := <-ended:
		require.NoError(t, err)
	case <-time.After(time.Minute):
		require.Fail(t, "the container did not end")
	}
	return c.out.String()
}
