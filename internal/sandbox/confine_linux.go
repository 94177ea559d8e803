package sandbox

import (
	"bytes"
	"os"
	"runtime/debug"
	"strconv"
	"syscall"
)

// margin is what the engine and Go's collector need beside the script's memory: garbage that is not collected yet, the
// text of one answer and its values, and the 64 MiB by which Go takes memory from the system.
const margin = 192 << 20

// confine puts the system's limits on this process: its memory may grow by what the script may have and a margin, its
// processor time is that of the script's deadline, and it makes no files and no core.
func confine(s *start) {
	debug.SetMaxStack(64 << 20)
	limit := func(what int, to uint64) { _ = syscall.Setrlimit(what, &syscall.Rlimit{Cur: to, Max: to}) }
	limit(syscall.RLIMIT_CORE, 0)
	limit(syscall.RLIMIT_FSIZE, 0)
	limit(syscall.RLIMIT_CPU, s.Seconds+1)
	if has := dataSize(); has > 0 && !raceDetector {
		limit(syscall.RLIMIT_DATA, has+s.Memory+margin)
	}
}

// dataSize returns how many bytes of memory this process may write to, as RLIMIT_DATA counts them; 0 means not known.
func dataSize() uint64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, found := bytes.Cut(status, []byte("VmData:"))
	fields := bytes.Fields(rest)
	if !found || len(fields) == 0 {
		return 0
	}
	kib, _ := strconv.ParseUint(string(fields[0]), 10, 64)
	return kib << 10
}
