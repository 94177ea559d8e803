package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/moby/profiles/seccomp"
	"github.com/opencontainers/runtime-spec/specs-go"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	yamlstream "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

var update = flag.Bool("update", false, "write docs/containers/seccomp.json")

const examples = "../../../docs/containers/"

// The profile is that of Docker, and the calls with which Chromium's sandbox makes namespaces and gives up its root.
func TestSeccompProfile(t *testing.T) {
	profile := seccomp.DefaultProfile()
	profile.Syscalls = append(profile.Syscalls, &seccomp.Syscall{
		Comment: "Chromium's sandbox: a namespace of users in which it has no rights outside",
		LinuxSyscall: specs.LinuxSyscall{
			Names:  []string{"chroot", "clone", "clone3", "setns", "unshare"},
			Action: specs.ActAllow,
		},
	})
	want, err := json.MarshalIndent(profile, "", "\t")
	require.NoError(t, err)
	want = append(want, '\n')
	if *update {
		require.NoError(t, os.WriteFile(examples+"seccomp.json", want, 0o644))
	}
	have, err := os.ReadFile(examples + "seccomp.json")
	require.NoError(t, err)
	require.Equal(t, string(want), string(have), "go -C scripts/packaging test ./image -run TestSeccompProfile -update")
}

// The loader checks against the schema of the Compose specification.
func TestCompose(t *testing.T) {
	text, err := os.ReadFile(examples + "compose.yaml")
	require.NoError(t, err)
	project, err := loader.LoadWithContext(t.Context(), types.ConfigDetails{
		WorkingDir: examples, ConfigFiles: []types.ConfigFile{{Filename: "compose.yaml", Content: text}},
		Environment: types.Mapping{"SKUA_MCP_TOKEN": "x"},
	})
	require.NoError(t, err)
	hosts := hostNames(t)
	require.Len(t, project.Services, len(hosts)+1)
	for _, name := range hosts {
		host := project.Services[name]
		require.Equal(t, []string{"ALL"}, host.CapDrop, name)
		require.True(t, host.ReadOnly, name)
		require.Equal(t, profile, host.Volumes[0].Target)
	}
}

// hostNames are those that the router sends tasks to.
func hostNames(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(examples + "hosts.conf")
	require.NoError(t, err)
	var names []string
	for line := range strings.Lines(string(text)) {
		name, ok := strings.CutSuffix(strings.TrimPrefix(line, "server "), ":"+port+";\n")
		require.True(t, ok, line)
		names = append(names, name)
	}
	return names
}

// A field that Kubernetes does not know is an error.
func TestKubernetes(t *testing.T) {
	text, err := os.ReadFile(examples + "kubernetes.yaml")
	require.NoError(t, err)
	services := map[string]corev1.Service{}
	var hosts *appsv1.StatefulSet
	for documents := yamlstream.NewYAMLReader(bufio.NewReader(bytes.NewReader(text))); ; {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		var kind metav1.TypeMeta
		require.NoError(t, yaml.Unmarshal(document, &kind))
		switch kind.APIVersion + " " + kind.Kind {
		case "v1 Service":
			var s corev1.Service
			require.NoError(t, yaml.UnmarshalStrict(document, &s))
			services[s.Name] = s
		case "apps/v1 StatefulSet":
			hosts = &appsv1.StatefulSet{}
			require.NoError(t, yaml.UnmarshalStrict(document, hosts))
		case "apps/v1 Deployment":
			require.NoError(t, yaml.UnmarshalStrict(document, &appsv1.Deployment{}))
		default:
			require.Fail(t, "unknown kind", "%s", kind)
		}
	}
	require.NotNil(t, hosts)
	require.Contains(t, services, hosts.Spec.ServiceName)
	require.Len(t, hostNames(t), int(*hosts.Spec.Replicas))
	for _, name := range hostNames(t) {
		require.Equal(t, map[string]string{"statefulset.kubernetes.io/pod-name": name}, services[name].Spec.Selector)
	}
	pod := hosts.Spec.Template.Spec
	require.Equal(t, int64(userID), *pod.SecurityContext.RunAsUser)
	require.Equal(t, profile, pod.Containers[0].VolumeMounts[0].MountPath)
	require.Equal(t, port, strconv.Itoa(int(pod.Containers[0].Ports[0].ContainerPort)))
}
