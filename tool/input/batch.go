package input

import (
	"github.com/skua-browser/skua/internal/plainjson"
	"github.com/skua-browser/skua/tool/contract"
)

// plan is a batch while it is written.
type plan struct {
	steps []contract.JobStep
}

func (p *plan) add(action string, args ...string) { p.addFrom(action, "", args...) }

// addFrom adds a row that is not a step of the caller's but comes from one of its fields.
func (p *plan) addFrom(action, from string, args ...string) {
	p.steps = append(p.steps, contract.JobStep{Action: action, Args: args, GeneratedFrom: from})
}

// stdin is the batch as agent-browser reads it.
func (p *plan) stdin() string {
	rows := make([][]string, len(p.steps))
	for i, s := range p.steps {
		rows[i] = s.Args
	}
	text, _ := plainjson.Marshal(rows) // strings can always be encoded
	return string(text)
}

func batchArgs(bail bool) []string {
	if bail {
		return []string{"batch", "--bail"}
	}
	return []string{"batch"}
}

func (p *plan) job(failFast bool) contract.CompiledJob {
	return contract.CompiledJob{Args: batchArgs(failFast), FailFast: failFast, Stdin: p.stdin(), Steps: p.steps}
}
