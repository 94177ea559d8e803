package capture

import (
	"bytes"
	"fmt"
	"slices"
	"sync"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/pixels"
)

// Bounds of what a tab keeps to compare pictures with; SKUA_SCREENSHOT_ENTRIES and SKUA_SCREENSHOT_BYTES say otherwise.
const (
	picturesKept     = 8
	pictureBytesKept = 16 << 20
)

// pictures are the last ones of a tab that were compared, one for each way to take them, the one used last at the end.
type pictures struct {
	mu   sync.Mutex
	list []keptPicture
}

type keptPicture struct {
	way      string
	revision int
	image    []byte // as it was encoded; nil means that it was too large to be kept
}

// compareWithLast compares a picture with the last one that was taken in the same way, and takes its place. It returns
// the text of the reply when nothing changed.
func compareWithLast(
	c *actions.Call, tab *actions.Tab, s *Shot, image []byte,
) (found *Comparison, unchanged string, err error) {
	way := fmt.Sprint(s.Format, s.Quality, s.Scale, s.Clear, s.annotate, s.selector, s.Clip != nil && s.selector == "",
		c.String("clip"), c.Strings("hide"))
	kept := actions.StateOf[pictures](&tab.States)
	kept.mu.Lock()
	defer kept.mu.Unlock()
	last := keptPicture{way: way}
	i := slices.IndexFunc(kept.list, func(p keptPicture) bool { return p.way == way })
	if i >= 0 {
		last = kept.list[i]
	}
	ratio := 1.0
	if last.image != nil {
		if ratio, err = changedRatio(last.image, image); err != nil {
			return nil, "", err
		}
	}
	next := keptPicture{way: way, revision: last.revision + 1, image: image}
	changed := last.image == nil || ratio > s.threshold
	if !changed && s.threshold > 0 {
		// Small changes add up: they are measured against what the caller has seen.
		next.image = last.image
	}
	if i >= 0 {
		kept.list = slices.Delete(kept.list, i, i+1)
	}
	kept.list = append(kept.list, next)
	found = &Comparison{Changed: changed, PixelChangeRatio: ratio, Revision: next.revision, Threshold: s.threshold}
	found.Dropped = kept.bound(c.Limit("SCREENSHOT_ENTRIES", picturesKept), c.Limit("SCREENSHOT_BYTES", pictureBytesKept))
	if changed {
		return found, "", nil
	}
	return found, fmt.Sprintf("✓ Screenshot unchanged (revision %d, %.4f%% pixels changed)", next.revision, ratio*100), nil
}

// bound lets the oldest pictures go, and returns how many.
func (p *pictures) bound(entries, bytes int) (dropped int) {
	total := 0
	for i, picture := range slices.Backward(p.list) {
		total += len(picture.image)
		if len(p.list)-i > entries || total > bytes {
			dropped = i + 1
			p.list = slices.Delete(p.list, 0, i+1)
			return dropped
		}
	}
	return 0
}

// changedRatio is the part of the pixels that differ at all.
func changedRatio(before, after []byte) (float64, error) {
	if bytes.Equal(before, after) {
		return 0, nil
	}
	a, err := pixels.Decode(before)
	if err != nil {
		return 0, fault.New(fault.Internal, "reading a picture to compare it: %w", err)
	}
	b, err := pixels.Decode(after)
	if err != nil {
		return 0, fault.New(fault.Internal, "reading a picture to compare it: %w", err)
	}
	differing, total := pixels.Unequal(a, b)
	return float64(differing) / float64(max(1, total)), nil
}
