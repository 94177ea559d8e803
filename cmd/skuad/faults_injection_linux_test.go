package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/skua-browser/skua/session/daemon"
	"github.com/skua-browser/skua/session/wire"
	"github.com/skua-browser/skua/session/wire/hostdir"
)

// injection is one thing that goes wrong.
type injection struct {
	name        string
	strike      func(*faultRun, []*operation)
	freezesHost bool
	cutsNetwork bool // a page may not reach the site any more, so that the site cannot tell what the page did
	stopped     []process
}

func (b *injection) String() string {
	if b == nil {
		return "no injection"
	}
	return "injection: " + b.name
}

// lift lets those go on that were stopped.
func (b *injection) lift() {
	for _, p := range alive(b.stopped) {
		_ = syscall.Kill(p.pid, syscall.SIGCONT)
	}
}

func (b *injection) stop(p process) {
	b.stopped = append(b.stopped, p)
	_ = syscall.Kill(p.pid, syscall.SIGSTOP)
}

func terminate(pid int) { _ = syscall.Kill(pid, syscall.SIGTERM) }

// hostPID returns the process of the host, 0 when there is none. A host that is stopped does not say it.
func (s *faultRun) hostPID() int {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	id, _ := daemon.FindHost(ctx, s.u.run, "")
	return id.PID
}

// pick returns one of the host's processes that fit, if there is one.
func (s *faultRun) pick(fits func(process) bool) (process, bool) {
	all := slices.DeleteFunc(tree(s.hostPID()), func(p process) bool { return !fits(p) })
	slices.SortFunc(all, func(p, q process) int { return p.pid - q.pid })
	if len(all) == 0 {
		return process{}, false
	}
	return all[s.rng.IntN(len(all))], true
}

func isType(kind string) func(process) bool {
	return func(p process) bool { return strings.Contains(p.command, "--type="+kind) }
}

func isNetwork(p process) bool { return strings.Contains(p.command, "network.mojom.NetworkService") }

// isBrowser tells the main process of a browser: the parent of those with a type that has none itself.
func (s *faultRun) isBrowser() func(process) bool {
	main := browsers(s.hostPID())
	return func(p process) bool {
		return slices.ContainsFunc(main, func(m process) bool {
			return m.pid == p.pid
		}) && !strings.Contains(p.command, "skuad")
	}
}

func (s *faultRun) chooseBlow() *injection {
	b := &injection{}
	kill := func(fits func(process) bool) func(*faultRun, []*operation) {
		return func(s *faultRun, _ []*operation) {
			if p, ok := s.pick(fits); ok {
				_ = syscall.Kill(p.pid, syscall.SIGKILL)
			}
		}
	}
	stop := func(fits func(process) bool) func(*faultRun, []*operation) {
		return func(s *faultRun, _ []*operation) {
			if p, ok := s.pick(fits); ok {
				b.stop(p)
			}
		}
	}
	client := func(sig syscall.Signal) func(*faultRun, []*operation) {
		return func(_ *faultRun, operations []*operation) {
			_ = operations[0].running.cmd.Process.Signal(sig)
			if sig == syscall.SIGSTOP { // it goes on when the others have got their replies
				for _, d := range operations[1:] {
					select {
					case <-d.running.done:
					case <-time.After((faultTimeout + replyGrace) * time.Duration(len(operations))):
						s.t.Errorf("`%s` in %s waits for a client that is stopped", strings.Join(d.args, " "), d.place.name)
					}
				}
				_ = operations[0].running.cmd.Process.Signal(syscall.SIGCONT)
			}
		}
	}
	host := func(sig syscall.Signal) func(*faultRun, []*operation) {
		return func(s *faultRun, _ []*operation) {
			if pid := s.hostPID(); pid != 0 {
				_ = syscall.Kill(pid, sig)
			}
		}
	}
	all := []*injection{
		{name: "a renderer killed", strike: kill(isType("renderer"))},
		{name: "a renderer killed", strike: kill(isType("renderer"))},
		{name: "a renderer stopped", strike: stop(isType("renderer"))},
		{name: "the GPU process killed", strike: kill(isType("gpu-process"))},
		{name: "the GPU process stopped", strike: stop(isType("gpu-process"))},
		{name: "a utility process killed", strike: kill(isType("utility")), cutsNetwork: true},
		{name: "the network service stopped", strike: stop(isNetwork), cutsNetwork: true},
		{name: "a zygote killed", strike: kill(isType("zygote"))},
		{name: "a browser killed", strike: func(s *faultRun, d []*operation) { kill(s.isBrowser())(s, d) }},
		{name: "a browser killed", strike: func(s *faultRun, d []*operation) { kill(s.isBrowser())(s, d) }},
		{name: "a browser stopped", strike: func(s *faultRun, d []*operation) { stop(s.isBrowser())(s, d) }},
		{name: "the host killed", strike: host(syscall.SIGKILL)},
		{name: "the host killed", strike: host(syscall.SIGKILL)},
		{name: "the host told to end", strike: host(syscall.SIGTERM)},
		{name: "the host stopped", freezesHost: true, strike: func(s *faultRun, _ []*operation) {
			if host := tree(s.hostPID()); len(host) > 0 {
				b.stop(host[0])
			}
		}},
		{name: "a client killed", strike: client(syscall.SIGKILL)},
		{name: "a client stopped", strike: client(syscall.SIGSTOP)},
		{name: "a client's socket cut", strike: func(s *faultRun, operations []*operation) {
			s.cutSocket(operations[0].place)
		}},
	}
	*b = *all[s.rng.IntN(len(all))]
	return b
}

// cutSocket asks for a snapshot and goes away at once.
func (s *faultRun) cutSocket(p *place) {
	c, err := net.Dial("unix", filepath.Join(s.u.run, hostdir.Socket))
	if err != nil {
		return
	}
	defer func() { _ = c.Close() }()
	info, err := os.Stat(filepath.Join(s.u.bin, "skuad"))
	if err != nil {
		return
	}
	req := wire.Request{
		Kind: wire.Run, Name: "skua", Cwd: s.u.cwd, Args: append(p.flags(), "snapshot"),
		Stamp: wire.Stamp{MTime: info.ModTime().UnixNano(), Size: info.Size()},
	}
	_, _ = c.Write(req.Append(nil))
}
