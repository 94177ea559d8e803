//go:build linux

package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// page is a page of an npm package, or one of testdata/libraries, which uses such packages.
type page struct {
	pack string // name@version; empty for one of testdata/libraries
	root string // the folder in the package that is its site's root, for pages that are made to lie there; mostly none
	file string
}

// name is what tables call it.
func (p page) name() string {
	if p.pack == "" {
		return "libraries/" + p.file
	}
	return path.Join(packageName(p.pack), p.root, p.file)
}

func packageName(pack string) string {
	return pack[:strings.LastIndex(pack, "@")]
}

// readPages reads the list of pages: in each line a package with its version, and a file in it, where // ends the root
// of a site. A package alone is what other packages need.
func readPages(list string) (pages []page, err error) {
	file, err := os.Open(list)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		words := strings.Fields(lines.Text())
		switch {
		case len(words) == 0 || strings.HasPrefix(words[0], "#"), len(words) == 1 && strings.LastIndex(words[0], "@") > 0:
		case len(words) == 2 && words[0] == "libraries":
			pages = append(pages, page{file: words[1]})
		case len(words) == 2 && strings.LastIndex(words[0], "@") > 0:
			root, file, rooted := strings.Cut(words[1], "//")
			if !rooted {
				root, file = "", words[1]
			}
			pages = append(pages, page{pack: words[0], root: root, file: file})
		default:
			return nil,
				fmt.Errorf("%s:%d: want a package with its version and a file in it, as in uikit@3.25.25 tests/form.html", list, n)
		}
	}
	return pages, lines.Err()
}

// library serves the pages on loopback: packages below /npm/, testdata/libraries below /libraries/, and sites that want
// to be at a root at an address of their own.
type library struct {
	base  string
	sites map[string]string // address by folder
	ends  []func()
}

// openLibrary serves what lies in packed, a folder with a folder for each package, in own, and in modules, which own's
// pages use. added has files that packages lack, laid out as packed is: they go first.
func openLibrary(packed, added, own, modules string, pages []page) (*library, error) {
	l := &library{sites: map[string]string{}}
	mux := http.NewServeMux()
	mux.Handle("GET /npm/", http.StripPrefix("/npm/", noStore(http.FileServer(layers{http.Dir(added), http.Dir(packed)}))))
	mux.Handle("GET /libraries/npm/", http.StripPrefix("/libraries/npm/", noStore(http.FileServer(http.Dir(modules)))))
	mux.Handle("GET /libraries/", http.StripPrefix("/libraries/", noStore(http.FileServer(http.Dir(own)))))
	var err error
	if l.base, err = l.serve(mux); err != nil {
		return nil, err
	}
	for _, p := range pages {
		if p.root == "" || l.sites[p.site()] != "" {
			continue
		}
		folder := p.site()
		if l.sites[folder], err = l.serve(noStore(http.FileServer(http.Dir(filepath.Join(packed, folder))))); err != nil {
			l.close()
			return nil, err
		}
	}
	return l, nil
}

// layers are folders one over the other.
type layers []http.FileSystem

// Open opens the file of the first folder that has it.
func (l layers) Open(name string) (file http.File, err error) {
	for _, one := range l {
		if file, err = one.Open(name); err == nil {
			return file, nil
		}
	}
	return nil, err
}

// site is the folder that is the root of the page's site.
func (p page) site() string { return path.Join(packageName(p.pack), p.root) }

// address is where a page is.
func (l *library) address(p page) string {
	switch {
	case p.pack == "":
		return l.base + "/libraries/" + p.file
	case p.root != "":
		return l.sites[p.site()] + "/" + p.file
	}
	return l.base + "/npm/" + packageName(p.pack) + "/" + p.file
}

func (l *library) serve(handler http.Handler) (base string, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	server, served := &http.Server{Handler: handler}, make(chan struct{})
	go func() { // ends with close, which waits for it
		defer close(served)
		_ = server.Serve(listener)
	}()
	l.ends = append(l.ends, func() {
		_ = server.Close()
		<-served
	})
	return "http://" + listener.Addr().String(), nil
}

func (l *library) close() {
	for _, end := range l.ends {
		end()
	}
}

// noStore lets each browser ask for each file.
func noStore(files http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if path.Ext(r.URL.Path) == ".html" {
			w.Header().Set("Cache-Control", "no-store")
		}
		files.ServeHTTP(w, r)
	})
}

// missingPages are those whose file is not there.
func missingPages(pages []page, packed, own string) (missing []string) {
	for _, p := range pages {
		file := filepath.Join(own, p.file)
		if p.pack != "" {
			file = filepath.Join(packed, p.site(), p.file)
		}
		if _, err := os.Stat(file); err != nil {
			missing = append(missing, p.name())
		}
	}
	return missing
}
