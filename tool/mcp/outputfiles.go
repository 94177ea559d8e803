package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skua-browser/skua/internal/userfile"
)

// outputFiles are the files of a connection that its client can read. Only files that a call has written get here,
// where the owner's rules let it write. The zero value has none.
type outputFiles struct {
	mu    sync.Mutex
	files map[string]outputFile // by their addresses
	order []string              // their addresses, the oldest first
	count int                   // of addresses that were made up
}

// outputFile is a file as it was when the call had written it. Another file that is at its path later is not read.
type outputFile struct {
	path, typ string
	info      os.FileInfo
}

const (
	mostOutputs  = 100      // that can be read
	largestInOne = 32 << 20 // bytes; resources/read has no parts
)

// link makes a file readable, under a name or one that is made up, and returns the link to it; nil means that it is not
// a plain file.
func (o *outputFiles) link(path, name, typ string) *sdk.ResourceLink {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	uri := outputs + url.PathEscape(name)
	if name == "" {
		uri = o.addressOf(path)
	}
	if o.files == nil {
		o.files = map[string]outputFile{}
	}
	if _, there := o.files[uri]; !there {
		if o.order = append(o.order, uri); len(o.order) > mostOutputs {
			delete(o.files, o.order[0])
			o.order = o.order[1:]
		}
	}
	o.files[uri] = outputFile{path, typ, info}
	size := info.Size()
	return &sdk.ResourceLink{URI: uri, Name: filepath.Base(path), MIMEType: typ, Size: &size}
}

// addressOf is the address of a file: the one that it has, or a new one. The mutex is held.
func (o *outputFiles) addressOf(path string) string {
	for uri, f := range o.files {
		if f.path == path {
			return uri
		}
	}
	o.count++
	return outputs + url.PathEscape(strconv.Itoa(o.count)+"-"+filepath.Base(path))
}

var errTooLarge = errors.New("the file is too large to be read as a resource")

// read returns the content of a file; nil means that there is none of that address any longer.
func (o *outputFiles) read(uri string) (content []byte, typ string, err error) {
	o.mu.Lock()
	f, there := o.files[uri]
	o.mu.Unlock()
	if !there {
		return nil, "", nil
	}
	if at, err := os.Lstat(f.path); err != nil || !at.Mode().IsRegular() {
		return nil, "", nil //nolint:nilerr // it is gone
	}
	file, err := userfile.Open(context.Background(), f.path)
	if err != nil {
		return nil, "", nil //nolint:nilerr // it is gone
	}
	defer file.Close()
	now, err := file.Stat()
	if err != nil || !os.SameFile(now, f.info) {
		return nil, "", nil //nolint:nilerr // it is another one
	}
	if now.Size() > largestInOne {
		return nil, "", fmt.Errorf("%s: %w: it has %d bytes, the most are %d; read it at %s", uri, errTooLarge, now.Size(),
			largestInOne, f.path)
	}
	content, err = io.ReadAll(io.LimitReader(file, largestInOne))
	if content == nil && err == nil {
		content = []byte{}
	}
	return content, f.typ, err
}
