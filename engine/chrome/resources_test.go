package chrome

import (
	"errors"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/limits"
)

func TestShortages(t *testing.T) {
	t.Parallel()
	low := []limits.Limit{
		{Kind: limits.Files, Value: 64},
		{Kind: limits.Memory, Value: 2 << 30},
		{Kind: limits.Processes, Value: 20},
		{Kind: limits.FileSize, Value: 100 << 10},
	}
	const trap = "signal: trace/breakpoint trap"
	for _, tt := range []struct {
		name     string
		exit     string
		said     string
		answered bool
		low      []limits.Limit
		says     []string // none: nothing is said of resources
	}{
		{
			"files, seen at the shared memory", trap,
			"[1:1:0101/1.1:ERROR:base/memory/platform_shared_memory_region_posix.cc:335] Creating shared memory in " +
				"/dev/shm/.org.chromium.Chromium.x failed: Too many open files (24)\n",
			false, low,
			[]string{"too many files are open", "64 open files (ulimit -n)", "skuad stop"},
		},
		{
			"files, beside a warning about the sandbox", trap,
			"[1:1:0101/1.1:WARNING:sandbox/policy/linux/sandbox_linux.cc:405] InitializeSandbox() called with multiple " +
				"threads in process gpu-process.\n" +
				"[1:1:0101/1.1:FATAL:base/message_loop/message_pump_epoll.cc:146] Check failed: . : Too many open files (24)\n",
			true, low,
			[]string{"64 open files (ulimit -n)"},
		},
		{
			"files of the whole machine", trap, "Too many open files in system\n", false, nil,
			[]string{"too many files are open", "end other programs"},
		},
		{
			"processes, seen in the sandbox", trap,
			"[1:1:0101/1.1:FATAL:sandbox/linux/services/credentials.cc:137] Check failed: . : Resource temporarily " +
				"unavailable (11)\n",
			false, low,
			[]string{"20 processes and threads (ulimit -u)"},
		},
		{
			"a thread without memory for its stack", trap,
			"[1:1:0101/1.1:ERROR:base/threading/platform_thread_posix.cc:162] pthread_create: Resource temporarily " +
				"unavailable (11)\n",
			false,
			[]limits.Limit{{Kind: limits.Data, Value: 100_000 << 10}},
			[]string{"there is no more memory", "100000 KB of memory (ulimit -d)"},
		},
		{"size of a file", "signal: file size limit exceeded", "", true, low, []string{"100 KB in a file (ulimit -f)"}},
		{
			"time", "signal: CPU time limit exceeded", "", true,
			[]limits.Limit{{Kind: limits.CPUTime, Value: 5}},
			[]string{"5 s of CPU time (ulimit -t)"},
		},
		{
			"a crash without a word", trap, "", false, low[1:2],
			[]string{"perhaps because only 2097152 KB of address space (ulimit -v)"},
		},
		{
			"a later crash without a word", trap, "", true, low[:2],
			[]string{"perhaps because only 64 open files (ulimit -n) and 2097152 KB of address space (ulimit -v) are allowed"},
		},
		{"a crash where nothing is low", trap, "", true, nil, nil},
		{"one that was killed", "signal: killed", "", true, low, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f, ok := errors.AsType[*fault.Error](endFault("/opt/chrome", tt.exit, tt.said, tt.answered, tt.low))
			require.True(t, ok)
			require.Equal(t, len(tt.says) > 0, f.Facts["reason"] == resourcesReason, "%v", f)
			require.NotContains(t, f.Error(), "sandbox was refused")
			for _, s := range tt.says {
				require.ErrorContains(t, f, s)
			}
		})
	}
}

func TestRefusedResources(t *testing.T) {
	t.Parallel()
	low := []limits.Limit{{Kind: limits.Files, Value: 20}}
	sentence, found := refusedResource(syscall.EMFILE, low)
	require.True(t, found)
	require.Equal(t, " The limit is 20 open files (ulimit -n).", sentence)
	sentence, found = refusedResource(syscall.EAGAIN, low)
	require.True(t, found)
	require.Empty(t, sentence, "it is not the limit of files")
	_, found = refusedResource(syscall.EACCES, low)
	require.False(t, found)
}
