package install

import (
	"fmt"
	"io"
	"time"
)

// bar is the line of a download on a terminal. Without one it writes nothing.
type bar struct {
	to          io.Writer // nil: no terminal
	name        string
	have, total int64
	began       int64
	start, last time.Time
}

// redraw is how often the line changes.
const redraw = 100 * time.Millisecond

func (i *Installer) bar(name string, have, total int64) *bar {
	return &bar{to: i.o.Terminal, name: name, have: have, began: have, total: total, start: time.Now()}
}

// Write counts bytes.
func (b *bar) Write(p []byte) (int, error) {
	b.have += int64(len(p))
	if now := time.Now(); b.to != nil && now.Sub(b.last) >= redraw {
		b.last = now
		b.draw(now)
	}
	return len(p), nil
}

func (b *bar) draw(now time.Time) {
	of := ""
	if b.total > 0 {
		of = fmt.Sprintf(" of %s (%d%%)", Bytes(b.total), 100*b.have/b.total)
	}
	rate := ""
	if took := now.Sub(b.start).Seconds(); took > 0.2 {
		rate = fmt.Sprintf(", %s/s", Bytes(int64(float64(b.have-b.began)/took)))
	}
	_, _ = fmt.Fprintf(b.to, "\r\x1b[K%s: %s%s%s", b.name, Bytes(b.have), of, rate)
}

// end takes the line away: what follows says how it went.
func (b *bar) end() {
	if b.to != nil {
		_, _ = io.WriteString(b.to, "\r\x1b[K")
	}
}

// Bytes is a size for people.
func Bytes(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%d kB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}
