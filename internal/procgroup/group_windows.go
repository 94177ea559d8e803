package procgroup

import (
	"fmt"
	"os/exec"
	"slices"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// handle is a job object. Its last handle belongs to this process, so Windows ends the job's processes when this
// process ends, however that happens.
type handle struct{ job windows.Handle }

// separate keeps a console's Ctrl-C from cmd.
func separate(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.CreationFlags |= windows.CREATE_NEW_PROCESS_GROUP
}

// newHandle puts the started cmd into a job of its own. The processes that it starts from then on belong to the job
// too.
func newHandle(cmd *exec.Cmd) (*handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, fmt.Errorf("creating a job object: %w", err)
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err == nil {
		var process windows.Handle
		process, err = windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false,
			uint32(cmd.Process.Pid))
		if err == nil {
			err = windows.AssignProcessToJobObject(job, process)
			_ = windows.CloseHandle(process)
		}
	}
	if err != nil {
		_ = windows.CloseHandle(job)
		return nil, fmt.Errorf("putting %s into a job object: %w", cmd.Path, err)
	}
	return &handle{job: job}, nil
}

func (h *handle) kill() { _ = windows.TerminateJobObject(h.job, 1) }

// terminate asks the windows of the job's processes to close: Windows has no signal that means that.
func (h *handle) terminate() {
	members := h.members()
	post := windows.NewLazySystemDLL("user32.dll").NewProc("PostMessageW")
	const wmClose = 0x0010
	ask := func(window windows.HWND, _ uintptr) uintptr {
		var owner uint32
		if _, err := windows.GetWindowThreadProcessId(window, &owner); err == nil && slices.Contains(members, int(owner)) {
			_, _, _ = post.Call(uintptr(window), wmClose, 0, 0)
		}
		return 1 // go on
	}
	_ = windows.EnumWindows(windows.NewCallback(ask), nil)
}

// maxMembers bounds how many processes of a job are looked at; the largest apps have some dozens.
const maxMembers = 512

// members returns the ids of the job's processes.
func (h *handle) members() []int {
	var list struct {
		assigned, listed uint32
		ids              [maxMembers]uintptr
	}
	if err := windows.QueryInformationJobObject(h.job, windows.JobObjectBasicProcessIdList, uintptr(unsafe.Pointer(&list)),
		uint32(unsafe.Sizeof(list)), nil); err != nil {
		return nil
	}
	members := make([]int, 0, list.listed)
	for _, id := range list.ids[:min(list.listed, maxMembers)] {
		members = append(members, int(id))
	}
	return members
}

// release closes the job's handle, which ends what is left of it.
func (h *handle) release() { _ = windows.CloseHandle(h.job) }
