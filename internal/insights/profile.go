package insights

import "encoding/json"

// samples are the samples of the scripts' stacks in one process.
type samples struct {
	time   float64 // of the last sample, in microseconds
	nodes  map[int]Function
	above  map[int]int // the node that a node was called by
	tops   []int       // the function on top of the stack
	at     []float64   // when
	lasted []float64
}

func (t *tracer) profile(e *traceEvent) {
	var args struct {
		Data struct {
			Start   float64 `json:"startTime"`
			Profile struct {
				Nodes []struct {
					ID     int `json:"id"`
					Parent int `json:"parent"`
					Frame  struct {
						Function string `json:"functionName"`
						URL      string `json:"url"`
						Line     *int   `json:"lineNumber"`
					} `json:"callFrame"`
				} `json:"nodes"`
				Samples []int `json:"samples"`
			} `json:"cpuProfile"`
			Deltas []float64 `json:"timeDeltas"`
		} `json:"data"`
	}
	if json.Unmarshal(e.Args, &args) != nil {
		return
	}
	p := t.profiles[e.PID]
	if p == nil {
		p = &samples{nodes: map[int]Function{}, above: map[int]int{}}
		t.profiles[e.PID] = p
	}
	if e.Name == "Profile" {
		p.time = args.Data.Start
	}
	for _, n := range args.Data.Profile.Nodes {
		f := Function{Name: n.Frame.Function, URL: n.Frame.URL}
		if n.Frame.Line != nil {
			f.Line = *n.Frame.Line + 1 // it counts from 0
		}
		if caller, ok := p.nodes[n.Parent]; ok && f.URL == "" && caller.URL != "" {
			f = caller // a function of the browser, such as a getter, counts for the script that calls it
		}
		p.nodes[n.ID], p.above[n.ID] = f, n.Parent
	}
	for i, id := range args.Data.Profile.Samples {
		if i >= len(args.Data.Deltas) {
			break
		}
		p.time += args.Data.Deltas[i]
		if n := len(p.at); n > 0 {
			p.lasted[n-1] = max(0, p.time-p.at[n-1])
		}
		p.tops, p.at, p.lasted = append(p.tops, id), append(p.at, p.time), append(p.lasted, 0)
	}
}

// within returns the functions that were on top of the stack between two times, without those that stand for idling.
func (p *samples) within(from, to float64) (all []Function) {
	if p == nil {
		return nil
	}
	for i, at := range p.at {
		f := p.nodes[p.tops[i]]
		if at < from || at >= to || f.Name == "(idle)" || f.Name == "(root)" || f.Name == "(program)" {
			continue
		}
		f.Time = min(p.lasted[i], to-at) / 1000
		all = append(all, f)
	}
	return merged(all)
}

// mostDeep is how deep a stack is followed.
const mostDeep = 500

// inside returns the innermost function of the page's that had the stack below it for at least half of the time between
// two times, or nil.
func (p *samples) inside(from, to float64) *Function {
	if p == nil {
		return nil
	}
	spent, depth := map[int]float64{}, map[int]int{}
	for i, at := range p.at {
		if at < from || at >= to {
			continue
		}
		var stack []int
		for id, ok := p.tops[i], true; ok && len(stack) < mostDeep; _, ok = p.nodes[id] {
			stack = append(stack, id)
			id = p.above[id]
		}
		for n, id := range stack {
			spent[id] += min(p.lasted[i], to-at) / 1000
			depth[id] = len(stack) - n
		}
	}
	best := -1
	for id, time := range spent {
		if f := p.nodes[id]; f.URL == "" || f.Name == "" || time < (to-from)/2000 {
			continue
		}
		if best < 0 || depth[id] > depth[best] {
			best = id
		}
	}
	if best < 0 {
		return nil
	}
	f := p.nodes[best]
	f.Time = spent[best]
	return &f
}
