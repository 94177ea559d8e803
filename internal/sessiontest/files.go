package sessiontest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
)

// serveFile answers below /files/:
//
//	/files/bytes/NAME?size=    an attachment of so many bytes, see FileBytes
//	/files/plain/NAME          what browsers show, and download where the page says so
//	/files/posted              an attachment of what was posted
//	/files/broken              an attachment that breaks off after a part of it
//	/files/refused/CODE        an attachment with that status
//	/files/slow?gate=          an attachment, the second half of which comes when the gate is opened
//	/files/keep                takes an upload and answers with the names and contents that came
func (s *Site) serveFile(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	attach := func(name string) {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Disposition", "attachment; filename="+strconv.Quote(name))
	}
	switch r.PathValue("kind") {
	case "bytes":
		size, _ := strconv.Atoi(r.FormValue("size"))
		attach(name)
		w.Header().Set("Content-Length", strconv.Itoa(size))
		_, _ = w.Write(FileBytes(size))
	case "plain":
		w.Header().Set("Content-Type", "text/plain")
		_, _ = io.WriteString(w, "plain text of "+name)
	case "posted":
		attach("posted.csv")
		_, _ = io.WriteString(w, r.Method+" "+r.FormValue("rows"))
	case "broken":
		attach("broken.bin")
		w.Header().Set("Content-Length", "100000")
		_, _ = w.Write(FileBytes(50000))
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	case "refused":
		attach("refused.bin")
		w.WriteHeader(Number(name))
		_, _ = io.WriteString(w, "no")
	case "slow":
		attach("slow.bin")
		w.Header().Set("Content-Length", "200000")
		_, _ = w.Write(FileBytes(100000))
		w.(http.Flusher).Flush()
		s.mu.Lock()
		g := s.gates[Number(r.FormValue("gate"))]
		s.mu.Unlock()
		if g.Pass(r.Context()) {
			_, _ = w.Write(FileBytes(200000)[100000:])
		}
	case "keep":
		keepFiles(w, r)
	default:
		http.NotFound(w, r)
	}
}

// FileBytes are bytes that tell where they stand in the file.
func FileBytes(size int) []byte {
	var b bytes.Buffer
	for n := 0; b.Len() < size; n++ {
		fmt.Fprintf(&b, "%d,", n)
	}
	return b.Bytes()[:size]
}

// keepFiles answers an upload with what came, in its order: [{"field","name","text"}].
func keepFiles(w http.ResponseWriter, r *http.Request) {
	kept := []map[string]string{}
	parts, err := r.MultipartReader()
	for err == nil {
		part, perr := parts.NextPart()
		if perr != nil {
			break
		}
		text, _ := io.ReadAll(part)
		kept = append(kept, map[string]string{"field": part.FormName(), "name": part.FileName(), "text": string(text)})
	}
	w.Header().Set("Access-Control-Allow-Origin", "*")
	_ = json.NewEncoder(w).Encode(kept)
}
