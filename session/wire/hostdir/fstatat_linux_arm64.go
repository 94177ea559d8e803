package hostdir

import "syscall"

const sysFstatat = syscall.SYS_FSTATAT
