package insights

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/skua-browser/skua/internal/har"
)

// ReadHAR reads the requests of a HAR file.
func ReadHAR(r io.Reader) ([]Request, error) {
	var file struct {
		Log *struct {
			Entries []har.Entry `json:"entries"`
		} `json:"log"`
	}
	if err := json.NewDecoder(r).Decode(&file); err != nil || file.Log == nil {
		return nil, errors.New("it holds no HAR archive: `network har stop` writes one")
	}
	all := make([]Request, 0, len(file.Log.Entries))
	for i := range file.Log.Entries {
		e := &file.Log.Entries[i]
		r := Request{
			Method:   e.Request.Method,
			URL:      e.Request.URL,
			Type:     strings.ToLower(e.ResourceType),
			MimeType: e.Response.Content.MimeType,
			Status:   e.Response.Status,
			Failure:  e.Response.Error,
			Started:  e.Started,
			Took:     e.Time,
			Waited:   max(0, e.Timings.Wait),
			Transferred: max(0,
				e.Response.TransferSize),
			Decoded: max(0, e.Response.Content.Size),
			Cached:  e.FromCache != "" || e.FromWorker,
			Headers: map[string]string{},
		}
		for _, f := range e.Response.Headers {
			r.Headers[strings.ToLower(f.Name)] = f.Value
		}
		if r.Transferred == 0 && e.Response.BodySize > 0 {
			r.Transferred = e.Response.BodySize
		}
		all = append(all, r)
	}
	return all, nil
}
