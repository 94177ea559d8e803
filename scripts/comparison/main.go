package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/skua-browser/skua/tool/parity"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := compare(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "parity:", err)
		os.Exit(1)
	}
}

func compare(ctx context.Context) error {
	suite := parity.Suite{Log: os.Stdout}
	var dir, only, table string
	var slow int
	var update bool
	flag.StringVar(&suite.Upstream, "upstream", "", "agent-browser's program")
	flag.StringVar(&suite.Browser, "browser", parity.Browser(), "the browser that both use")
	flag.IntVar(&suite.Workers, "workers", runtime.NumCPU()+1,
		"how many groups of scenarios run at once; most of the time they wait")
	flag.StringVar(&dir, "scenarios", "testdata/parity", "where the scenarios are")
	flag.StringVar(&only, "only", "", "only scenarios whose name or path matches this regular expression")
	flag.StringVar(&table, "o", "", "where the table goes")
	flag.IntVar(&slow, "slow", 0, "show this many scenarios that took longest")
	flag.BoolVar(&update, "update", false, "write into the scenarios in what they differ")
	flag.Parse()
	wanted, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	scenarios, err := parity.Read(os.DirFS(dir))
	if err != nil {
		return err
	}
	scenarios = slices.DeleteFunc(scenarios, func(s parity.Scenario) bool {
		return !wanted.MatchString(s.Name) && !wanted.MatchString(s.Path)
	})
	began := time.Now()
	judged, err := suite.Run(ctx, scenarios)
	if update {
		err = errors.Join(err, parity.Update(dir, judged))
	}
	if err != nil {
		return err
	}
	wrong := 0
	for i := range judged {
		if judged[i].Trouble() != "" {
			wrong++
		}
	}
	showSlow(judged, slow)
	if table != "" {
		more, err := parity.ReadExtras(os.DirFS(dir))
		if err != nil {
			return err
		}
		if err := os.WriteFile(table, []byte(parity.WithExtras(parity.Table(judged), more)), 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("%d scenarios in %.0f s, %d that are not as they say\n", len(judged), time.Since(began).Seconds(), wrong)
	if wrong > 0 && !update {
		return errors.New("the table is not true")
	}
	return nil
}

func showSlow(judged []parity.Judgement, most int) {
	byTime := slices.Clone(judged)
	slices.SortFunc(byTime, func(a, b parity.Judgement) int { return int(b.Took - a.Took) })
	for _, j := range byTime[:min(most, len(byTime))] {
		fmt.Printf("%6d ms  %s\n", j.Took.Milliseconds(), j.Path)
	}
}
