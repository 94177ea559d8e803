package procgroup

import (
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// pids returns the ids of all processes.
func pids() []int {
	ids := make([]uint32, 1024)
	for {
		var bytes uint32
		if err := windows.EnumProcesses(ids, &bytes); err != nil {
			return nil
		}
		if n := int(bytes / 4); n < len(ids) {
			all := make([]int, n)
			for i, id := range ids[:n] {
				all[i] = int(id)
			}
			return all
		}
		ids = make([]uint32, 2*len(ids)) // there may be more
	}
}

const stillActive = 259

// Alive reports whether a process runs.
func Alive(pid int) bool {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return false
	}
	defer windows.CloseHandle(h) //nolint:errcheck // it only gives the handle back
	var code uint32
	return windows.GetExitCodeProcess(h, &code) == nil && code == stillActive
}

// Args returns the command line of a running process; not ok when there is none, or it is not to be seen.
func Args(pid int) (args []string, ok bool) {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return nil, false
	}
	defer windows.CloseHandle(h) //nolint:errcheck // it only gives the handle back
	// A UNICODE_STRING and, behind it, what that points to. Windows allows no longer command line than 32,767 characters.
	var answer struct {
		text windows.NTUnicodeString
		room [32768]uint16
	}
	var size uint32
	err = windows.NtQueryInformationProcess(h, windows.ProcessCommandLineInformation, unsafe.Pointer(&answer),
		uint32(unsafe.Sizeof(answer)), &size)
	if err != nil || answer.text.Buffer == nil {
		return nil, false
	}
	args, err = windows.DecomposeCommandLine(answer.text.String())
	return args, err == nil
}

func endGroupOf(int, bool) {}

// endSignal is the only one that Windows has.
func endSignal(bool) os.Signal { return os.Kill }
