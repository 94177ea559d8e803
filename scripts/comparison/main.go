package main

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed rows.txt
var rowsText string

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := compare(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "parity:", err)
		os.Exit(1)
	}
}

func compare(ctx context.Context) (err error) {
	var theirPath, ourPath, browser, only, table string
	flag.StringVar(&theirPath, "upstream", "", "agent-browser's program")
	flag.StringVar(&ourPath, "skua", "", "skua's program")
	flag.StringVar(&browser, "browser", "chromium", "the browser that both use")
	flag.StringVar(&only, "only", "", "only rows whose name matches this regular expression")
	flag.StringVar(&table, "o", "", "where the table goes")
	flag.Parse()
	wanted, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	rows, err := readRows(strings.NewReader(rowsText))
	if err != nil {
		return err
	}
	root, err := os.MkdirTemp("", "parity-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(root)) }()
	site := startSite()
	defer site.Close()
	theirs, err := newProgram("agent-browser", theirPath, root, site.URL, browser)
	if err != nil {
		return err
	}
	ours, err := newProgram("skua", ourPath, root, site.URL, browser)
	if err != nil {
		return err
	}
	for _, p := range []*program{theirs, ours} {
		defer func() { _, _ = p.run(context.WithoutCancel(ctx), "", "close", "--all") }()
	}
	var judged []judgement
	wrong := 0
	for _, r := range rows {
		if !wanted.MatchString(r.name) {
			continue
		}
		j := judgement{row: r}
		if len(r.run) > 0 {
			if j.theirs, err = theirs.play(ctx, r); err == nil {
				j.ours, err = ours.play(ctx, r)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
			j.differ = differences(j.theirs, j.ours, r.ignore)
		}
		if trouble := j.trouble(); trouble != "" {
			wrong++
			fmt.Printf("%s: %s\n  theirs %q %q %s\n  ours   %q %q %s\n", r.name, trouble, j.theirs.text.out, j.theirs.text.err, j.theirs.json.out,
				j.ours.text.out, j.ours.text.err, j.ours.json.out)
		}
		judged = append(judged, j)
	}
	if table != "" {
		if err := os.WriteFile(table, []byte(render(judged)), 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("%d rows, %d without a true verdict\n", len(judged), wrong)
	if wrong > 0 {
		return errors.New("the table is not true")
	}
	return nil
}

// play runs a row, as text and as JSON, each from the page that it begins with.
func (p *program) play(ctx context.Context, r row) (res result, err error) {
	for name, content := range r.files {
		if err := os.WriteFile(filepath.Join(p.work(), name), []byte(content), 0o600); err != nil {
			return res, err
		}
	}
	for i, to := range []*outcome{&res.text, &res.json} {
		if r.page != "-" {
			if _, err := p.run(ctx, "", "open", p.site+r.page); err != nil {
				return res, err
			}
		}
		for _, argv := range r.before {
			if _, err := p.run(ctx, "", p.filled(argv)...); err != nil {
				return res, err
			}
		}
		argv := p.filled(r.run)
		if i == 1 {
			argv = append(argv, "--json")
		}
		if *to, err = p.run(ctx, r.stdin, argv...); err != nil {
			return res, err
		}
		for _, argv := range r.after {
			if _, err := p.run(ctx, "", p.filled(argv)...); err != nil {
				return res, err
			}
		}
	}
	return res, nil
}

// filled puts the site's address in the place of SITE.
func (p *program) filled(argv []string) []string {
	filled := make([]string, len(argv))
	for i, word := range argv {
		filled[i] = strings.ReplaceAll(word, "SITE", p.site)
	}
	return filled
}

// judgement is a row with what came of it.
type judgement struct {
	row
	theirs, ours result
	differ       []string
}

// trouble says why the row's verdict is not true, or "".
func (j judgement) trouble() string {
	switch {
	case len(j.run) == 0 && cmp.Or(j.better, j.unlike, j.later) == "":
		return "has neither a command line nor a verdict"
	case len(j.run) == 0:
		return ""
	case cmp.Or(j.better, j.unlike, j.later) == "" && len(j.differ) > 0:
		return "differs: " + strings.Join(j.differ, ", ")
	case cmp.Or(j.better, j.unlike, j.later) != "" && len(j.differ) == 0:
		return "is the same, and the row says otherwise"
	}
	return ""
}
