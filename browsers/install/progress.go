package install

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/skua-browser/skua/internal/wording"
)

// bar is the line of a download on a terminal. Without one it writes nothing.
type bar struct {
	to          io.Writer // nil means no terminal
	name        string
	have, total int64
	began       int64
	start, last time.Time
}

// redraw is how often the line changes.
const redraw = 100 * time.Millisecond

func (i *Installer) bar(name string, have, total int64) *bar {
	return &bar{
		to:    i.o.Terminal,
		name:  name,
		have:  have,
		began: have,
		total: total,
		start: time.Now(),
	}
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

// widest is how many columns the line has at most: one more than a terminal has, and it could not be taken away again.
const widest = 79

// cells is the length of the bar.
const cells = 12

func (b *bar) draw(now time.Time) {
	parts := []string{b.name + " "}
	rate := 0.0
	if took := now.Sub(b.start).Seconds(); took > 0.2 {
		rate = float64(b.have-b.began) / took
	}
	if b.total > 0 {
		full := int(min(int64(cells), cells*b.have/b.total))
		parts = append(parts, "["+strings.Repeat("#", full)+strings.Repeat(".", cells-full)+"] ",
			fmt.Sprintf("%d%% of %s", 100*b.have/b.total, wording.Bytes(b.total)))
	} else {
		parts = append(parts, wording.Bytes(b.have))
	}
	if rate > 0 {
		parts = append(parts, fmt.Sprintf(", %s/s", wording.Bytes(int64(rate))))
		if left := float64(b.total-b.have) / rate; left >= 1 {
			parts = append(parts, fmt.Sprintf(", %s left", (time.Duration(left)*time.Second).String()))
		}
	}
	line := parts[0]
	for _, part := range parts[1:] {
		if len(line)+len(part) <= widest {
			line += part
		}
	}
	_, _ = fmt.Fprint(b.to, "\r\x1b[K"+line)
}

// end takes the line away: what follows says how it went.
func (b *bar) end() {
	if b.to != nil {
		_, _ = io.WriteString(b.to, "\r\x1b[K")
	}
}
