package procgroup

import "golang.org/x/sys/unix"

// zombie is the state of a process that has ended and whose parent has not waited for it (SZOMB).
const zombie = 5

// Members returns the processes of a process group that still run.
func Members(pgid int) []int {
	infos, err := unix.SysctlKinfoProcSlice("kern.proc.pgrp", pgid)
	if err != nil {
		return nil
	}
	var members []int
	for i := range infos {
		if infos[i].Proc.P_stat != zombie {
			members = append(members, int(infos[i].Proc.P_pid))
		}
	}
	return members
}
