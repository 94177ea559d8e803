package chrome

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is everything that a browser started: a job object. Its last handle belongs to this process, so Windows ends the job's
// processes when this process ends, however that happens.
type group struct{ job windows.Handle }

// attachPipe lets the browser inherit its ends of the pipe. Windows has no numbered descriptors, so a switch tells the handles.
func attachPipe(cmd *exec.Cmd, commands, replies *os.File) error {
	handles := []syscall.Handle{syscall.Handle(commands.Fd()), syscall.Handle(replies.Fd())}
	for _, h := range handles {
		if err := windows.SetHandleInformation(windows.Handle(h), windows.HANDLE_FLAG_INHERIT, windows.HANDLE_FLAG_INHERIT); err != nil {
			return fmt.Errorf("making the debugging pipe inheritable: %w", err)
		}
	}
	cmd.Args = append(cmd.Args, fmt.Sprintf("--remote-debugging-io-pipes=%d,%d", handles[0], handles[1]))
	cmd.SysProcAttr = &syscall.SysProcAttr{
		// Only these handles are inherited: other pipes of this process stay closed to the browser.
		AdditionalInheritedHandles: handles,
		CreationFlags:              windows.CREATE_NEW_PROCESS_GROUP, // keeps a console's Ctrl-C from the browser
	}
	return nil
}

// newGroup puts the started cmd into a job of its own. The processes that it starts from then on belong to the job too.
func newGroup(cmd *exec.Cmd) (*group, error) {
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
		process, err = windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(cmd.Process.Pid))
		if err == nil {
			err = windows.AssignProcessToJobObject(job, process)
			_ = windows.CloseHandle(process)
		}
	}
	if err != nil {
		_ = windows.CloseHandle(job)
		return nil, fmt.Errorf("putting the browser into a job object: %w", err)
	}
	return &group{job: job}, nil
}

// kill ends every process of the job.
func (g *group) kill() { _ = windows.TerminateJobObject(g.job, 1) }

// release closes the job's handle, which ends what is left of it.
func (g *group) release() { _ = windows.CloseHandle(g.job) }

// isWrongFormat reports whether Windows refused a file as no program of this machine.
func isWrongFormat(err error) bool {
	return errors.Is(err, windows.ERROR_BAD_EXE_FORMAT) || errors.Is(err, windows.ERROR_EXE_MACHINE_TYPE_MISMATCH)
}
