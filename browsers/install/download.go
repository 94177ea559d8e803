package install

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/atomicfile"
	"github.com/skua-browser/skua/internal/fault"
)

// partial describes a download that can be resumed. It is a JSON file beside the bytes that have arrived.
type partial struct {
	URL string `json:"url"`
	// the strong ETag, or else the date, by which the server knows that the file is still the same
	Mark     string `json:"mark,omitempty"`
	Size     int64  `json:"size"` // of the whole file; -1 means that the server does not say
	Promised sums   `json:"promised"`
}

// archive is a file that has arrived whole.
type archive struct {
	path    string
	size    int64
	sums    sums
	checked []string // the names of the checksums that were known before the download
	resumed int64    // how many bytes were there from an earlier time
}

// fetch downloads a file to path. What an earlier call got is used when the server says that the file is still the
// same.
func (i *Installer) fetch(ctx context.Context, name, address, path, sha256 string) (archive, error) {
	note := path + ".json"
	a := archive{path: path, resumed: -1}
	p := readPartial(note, address)
	err := i.retry(ctx, address, func(ctx context.Context, alive func()) error {
		return i.fetchPart(ctx, name, path, &p, &a, alive)
	})
	if err != nil {
		return archive{}, err
	}
	a.resumed = max(a.resumed, 0)
	if a.sums, err = sumsOf(path); err != nil {
		return archive{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return archive{}, err
	}
	a.size = info.Size()
	p.Promised.SHA256 = sha256
	differs, by := a.sums.against(p.Promised)
	if differs == "" && p.Size >= 0 && a.size != p.Size {
		differs = fmt.Sprintf("it has %d bytes and should have %d", a.size, p.Size)
	}
	if differs != "" {
		i.discard(path)
		return archive{}, fault.New(fault.InstallFailed, "The download from %s failed verification: %s.", address, differs).
			About(address).
			WithHint(
				"It was removed. Try again; if it happens again, check whether a proxy between you and the server changes files.").
			With("reason", "checksum")
	}
	a.checked = by
	return a, nil
}

// discard removes a download.
func (i *Installer) discard(path string) {
	_ = os.Remove(path)
	_ = os.Remove(path + ".json")
}

// readPartial reads what is known about a download; that of another address counts for nothing.
func readPartial(note, address string) partial {
	var p partial
	text, err := os.ReadFile(note)
	if err != nil || json.Unmarshal(text, &p) != nil || p.URL != address || p.Mark == "" {
		return partial{URL: address, Size: -1}
	}
	return p
}

// fetchPart gets what is missing of a file, or all of it when that is what the server sends.
func (i *Installer) fetchPart(ctx context.Context, name, path string, p *partial, a *archive, alive func()) error {
	have := int64(0)
	if info, err := os.Stat(path); err == nil && p.Mark != "" {
		have = info.Size()
	}
	if have > 0 && have == p.Size {
		if a.resumed < 0 {
			a.resumed = have
		}
		return nil // it was whole before
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL, nil)
	if err != nil {
		return &finalError{err}
	}
	req.Header.Set("Accept-Encoding", "identity") // the length and the checksums are those of the file itself
	if have > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
		req.Header.Set("If-Range", p.Mark)
	}
	res, err := i.client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	switch {
	case res.StatusCode == http.StatusPartialContent && have > 0:
		from, total, ok := contentRange(res.Header.Get("Content-Range"))
		if !ok || from != have || p.Size >= 0 && total >= 0 && total != p.Size {
			i.discard(path) // the server counts otherwise: nothing that is there can be trusted
			*p = partial{URL: p.URL, Size: -1}
			return fmt.Errorf("the server continued at another offset (%q)", res.Header.Get("Content-Range"))
		}
	case res.StatusCode == http.StatusRequestedRangeNotSatisfiable && have > 0:
		i.discard(path)
		*p = partial{URL: p.URL, Size: -1}
		return errors.New("the server's file is shorter than what had arrived")
	case res.StatusCode == http.StatusOK:
		have = 0
		*p = partial{URL: p.URL, Mark: mark(res.Header), Size: res.ContentLength, Promised: given(res.Header)}
	default:
		return statusError(res)
	}
	if a.resumed < 0 {
		a.resumed = have
	}
	return i.append(name, path, have, p, res.Body, alive)
}

// append writes what comes behind the bytes that are there.
func (i *Installer) append(name, path string, have int64, p *partial, body io.Reader, alive func()) error {
	mode := os.O_CREATE | os.O_WRONLY
	if have == 0 {
		mode |= os.O_TRUNC
	}
	f, err := os.OpenFile(path, mode, 0o600)
	if err != nil {
		return &finalError{err}
	}
	defer f.Close()
	if _, err := f.Seek(have, io.SeekStart); err != nil {
		return &finalError{err}
	}
	if have == 0 { // only then is it known what can be gone on with
		if err := keepPartial(path+".json", *p); err != nil {
			return &finalError{err}
		}
		if err := i.room(path, p.Size); err != nil {
			return err
		}
	}
	bar := i.bar(name, have, p.Size)
	defer bar.end()
	limit := int64(archiveLimit) - have
	n, err := io.Copy(diskWriter{io.MultiWriter(f, bar)}, io.LimitReader(aliveReader{body, alive}, limit+1))
	switch {
	case err == nil && n > limit:
		return &finalError{fmt.Errorf("it has more than %d GB", archiveLimit>>30)}
	case err == nil && p.Size >= 0 && have+n != p.Size:
		return io.ErrUnexpectedEOF
	}
	if cerr := f.Close(); err == nil && cerr != nil {
		err = &finalError{cerr}
	}
	return err
}

// archiveLimit is more than any build has.
const archiveLimit = 2 << 30

// diskWriter marks errors of writing: they do not go away by asking the server again.
type diskWriter struct{ io.Writer }

func (w diskWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil {
		err = &finalError{err}
	}
	return n, err
}

func keepPartial(note string, p partial) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return atomicfile.Write(note, text)
}

// mark is what If-Range takes: a strong ETag, or the date of the last change.
func mark(h http.Header) string {
	if tag := h.Get("ETag"); tag != "" && !strings.HasPrefix(tag, "W/") {
		return tag
	}
	return h.Get("Last-Modified")
}

// contentRange reads "bytes 100-199/200". A total of -1 is not known.
func contentRange(s string) (from, total int64, ok bool) {
	rest, ok := strings.CutPrefix(s, "bytes ")
	span, size, found := strings.Cut(rest, "/")
	first, _, dash := strings.Cut(span, "-")
	from, err := strconv.ParseInt(first, 10, 64)
	if !ok || !found || !dash || err != nil {
		return 0, 0, false
	}
	total = -1
	if size != "*" {
		if total, err = strconv.ParseInt(size, 10, 64); err != nil {
			return 0, 0, false
		}
	}
	return from, total, true
}
