//go:build amd64 || arm64

package main

//lint:file-ignore U1000 the assembly in early_linux_*.s uses entry, earlyMain and the variables beside them

import (
	"syscall"
	"unsafe"
)

// Starting the Go runtime takes half of the time of an ordinary call, for threads, heap and signal handlers that
// nothing here needs. Linked with -E main.entry, the program starts at entry (early_*.s), which gives earlyMain a stack
// and calls it before the runtime starts. earlyMain makes the whole call if that is ordinary: a host listens, the
// request fits the buffers below, and the reply is output and an exit code. Otherwise it returns and the runtime starts
// as usual; main then continues the call, or starts it again. Linked without the flag, the program does everything from
// main.
//
// Code that runs here, which is everything that earlyMain reaches, must not need the runtime: no allocation (no append
// beyond a capacity, no escaping variable, no conversion between strings and bytes, no closure with captures, no map),
// no goroutine, no defer, no package variable with an initializer that runs code, system calls by RawSyscall only.
// TestNoAllocation checks the first. An index out of range would crash.

// Limits of an early call. They are far above ordinary calls; untouched pages of the buffers cost nothing.
const (
	earlyArgs    = 256
	earlyEnv     = 512
	earlyString  = 1 << 10 // of a variable that is part of a path; earlyMain treats all but PATH as such
	earlyRequest = 64 << 10
	earlyReply   = 64 << 10
)

var early struct {
	call       call
	connection connection

	args [earlyArgs]string
	env  [earlyEnv]string
	sent [earlyEnv]string

	socket, skuad [2 * maxPath]byte
	cwd           [maxPath]byte
	request       [earlyRequest]byte
	reply         [earlyReply]byte
}

// resume returns the call that was started before the runtime; nil if there is none to continue.
func resume() (*call, *connection) {
	if !early.connection.open {
		return nil, nil
	}
	return &early.call, &early.connection
}

// What entry keeps: the stack as the kernel passed it, the stand-in for the runtime's g, of which only the first four
// words are read, and the thread-local word that points to it.
var (
	earlyStack uintptr
	earlyG     [64]uintptr
	earlyTLS   [2]uintptr
)

// entry is the start of the process if the program is linked with -E main.entry.
func entry()

// earlyMain makes the call and ends the process, or returns. stack is what the kernel passes: the number of arguments,
// the arguments, and the environment.
func earlyMain(stack unsafe.Pointer) {
	checkStdout()
	earlyCall(stack)
	checkLimits()
}

// earlyCall makes the call and ends the process, or returns.
func earlyCall(stack unsafe.Pointer) {
	e := &early
	argc := *(*int)(stack)
	if argc < 1 || argc > earlyArgs {
		return
	}
	words := unsafe.Add(stack, unsafe.Sizeof(argc))
	for i := range argc {
		e.args[i] = cString(words, i)
	}
	words = unsafe.Add(words, uintptr(argc+1)*unsafe.Sizeof(words))
	env := 0
	for ; *(*unsafe.Pointer)(unsafe.Add(words, uintptr(env)*unsafe.Sizeof(words))) != nil; env++ {
		if env == earlyEnv {
			return
		}
		s := cString(words, env)
		if len(s) > earlyString && isForwarded(s) && !hasPrefix(s, "PATH=") {
			return
		}
		e.env[env] = s
	}
	t, l := &e.call, &e.connection
	p := t.prepare(e.args[0], e.args[1:argc], e.env[:env], buffers{
		socket: e.socket[:0],
		skuad:  e.skuad[:0],
		cwd:    e.cwd[:0],
		env:    e.sent[:0],
	})
	if p != noProblem || t.readsStdin() || t.req.Size() > earlyRequest {
		return
	}
	sock, uid, errno := dial(t.socket)
	if errno != 0 {
		return
	}
	// A descriptor in place of a closed standard stream would receive output. The runtime opens those.
	if uid != t.uid || sock <= 2 {
		sock.close()
		return
	}
	l.sock, l.open, l.buf = sock, true, e.reply[:]
	if !l.send(t.req.Append(e.request[:0])) {
		return
	}
	how, _, payload := l.receive()
	switch {
	case how == exited && len(payload) == 1:
		exit(int(payload[0]))
	case how == outputFailed:
		exit(outputLost())
	}
	// In all other cases main receives the same again.
}

// cString returns the i-th of the strings that words points to.
func cString(words unsafe.Pointer, i int) string {
	p := *(**byte)(unsafe.Add(words, uintptr(i)*unsafe.Sizeof(words)))
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return unsafe.String(p, n)
}

func exit(code int) { _, _, _ = syscall.RawSyscall(syscall.SYS_EXIT_GROUP, uintptr(code), 0, 0) }
