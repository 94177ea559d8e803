package metrics

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// ContentType is that of what Write writes.
const ContentType = "text/plain; version=0.0.4; charset=utf-8"

// Set is a number of metrics. It is safe for concurrent use.
type Set struct {
	mu      sync.Mutex
	metrics []metric // in the order in which they were added
}

// metric writes its samples.
type metric interface {
	write(w *bufio.Writer)
}

func (s *Set) add(m metric) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.metrics = append(s.metrics, m)
}

// Write writes all metrics.
func (s *Set) Write(to io.Writer) error {
	s.mu.Lock()
	list := slices.Clone(s.metrics)
	s.mu.Unlock()
	w := bufio.NewWriter(to)
	for _, m := range list {
		m.write(w)
	}
	return w.Flush()
}

// family is what all kinds of metrics have.
type family struct {
	name, help, kind string
	labels           []string
}

func (f *family) head(w *bufio.Writer) {
	help := strings.NewReplacer(`\`, `\\`, "\n", `\n`).Replace(f.help)
	fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", f.name, help, f.name, f.kind)
}

var escapeLabel = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// sample writes one line. more are labels beside the family's: name and value in turn.
func (f *family) sample(w *bufio.Writer, suffix string, values []string, v float64, more ...string) {
	w.WriteString(f.name + suffix)
	var pairs []string
	for i, label := range f.labels {
		pairs = append(pairs, label+`="`+escapeLabel.Replace(values[i])+`"`)
	}
	for i := 0; i+1 < len(more); i += 2 {
		pairs = append(pairs, more[i]+`="`+escapeLabel.Replace(more[i+1])+`"`)
	}
	if len(pairs) > 0 {
		w.WriteString("{" + strings.Join(pairs, ",") + "}")
	}
	w.WriteString(" " + number(v) + "\n")
}

func number(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return "+Inf"
	case math.IsInf(v, -1):
		return "-Inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// series are the values of a family by the values of its labels.
type series[T any] struct {
	mu sync.Mutex
	of map[string]*T
	by map[string][]string
}

const between = "\x00"

func (s *series[T]) get(values []string) *T {
	key := strings.Join(values, between)
	v := s.of[key]
	if v == nil {
		if s.of == nil {
			s.of, s.by = map[string]*T{}, map[string][]string{}
		}
		v = new(T)
		s.of[key], s.by[key] = v, slices.Clone(values)
	}
	return v
}

// each calls fn for every series, sorted.
func (s *series[T]) each(fn func(values []string, v *T)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	keys := make([]string, 0, len(s.of))
	for key := range s.of {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		fn(s.by[key], s.of[key])
	}
}

// Counter counts upwards, by the values of its labels.
type Counter struct {
	family
	series series[float64]
}

// Counter adds a counter. Its name ends in _total.
func (s *Set) Counter(name, help string, labels ...string) *Counter {
	c := &Counter{family: family{name, help, "counter", labels}}
	s.add(c)
	return c
}

// Add counts n more. values are those of the labels, in their order.
func (c *Counter) Add(n float64, values ...string) {
	c.series.mu.Lock()
	defer c.series.mu.Unlock()
	*c.series.get(values) += n
}

func (c *Counter) write(w *bufio.Writer) {
	c.head(w)
	if len(c.labels) == 0 {
		c.Add(0)
	}
	c.series.each(func(values []string, v *float64) { c.sample(w, "", values, *v) })
}

// Histogram counts values in buckets.
type Histogram struct {
	family
	bounds []float64
	series series[histogram]
}

type histogram struct {
	counts []uint64 // by bucket, the last one for what is beyond all bounds
	sum    float64
}

// Histogram adds a histogram with the upper bounds of its buckets, ascending.
func (s *Set) Histogram(name, help string, bounds []float64, labels ...string) *Histogram {
	h := &Histogram{family: family{name, help, "histogram", labels}, bounds: bounds}
	s.add(h)
	return h
}

// Observe counts one value.
func (h *Histogram) Observe(v float64, values ...string) {
	h.series.mu.Lock()
	defer h.series.mu.Unlock()
	one := h.series.get(values)
	if one.counts == nil {
		one.counts = make([]uint64, len(h.bounds)+1)
	}
	at, _ := slices.BinarySearch(h.bounds, v)
	one.counts[at]++
	one.sum += v
}

func (h *Histogram) write(w *bufio.Writer) {
	h.head(w)
	h.series.each(func(values []string, one *histogram) {
		total := uint64(0)
		for i, n := range one.counts {
			bound := math.Inf(1)
			if i < len(h.bounds) {
				bound = h.bounds[i]
			}
			total += n
			h.sample(w, "_bucket", values, float64(total), "le", number(bound))
		}
		h.sample(w, "_sum", values, one.sum)
		h.sample(w, "_count", values, float64(total))
	})
}

// gauge is a number that is asked for.
type gauge struct {
	family
	value func() (float64, bool)
}

// Gauge adds a number that is asked for when it is written; false means that it is not known.
func (s *Set) Gauge(name, help string, value func() (float64, bool)) {
	s.add(&gauge{family{name, help, "gauge", nil}, value})
}

func (g *gauge) write(w *bufio.Writer) {
	if v, ok := g.value(); ok {
		g.head(w)
		g.sample(w, "", nil, v)
	}
}
