package journal

import "strings"

// shell writes a plan as a POSIX shell script, which stops at the first failure.
func shell(p *Plan) string {
	var body strings.Builder
	var s secrets
	line := func(text string) { body.WriteString(text + "\n") }
	for _, step := range p.Steps {
		if step.Skipped != "" {
			line("# left out: " + comment(step.Line) + " (" + comment(step.Skipped) + ")")
			continue
		}
		words := make([]string, 0, len(step.Words)+1)
		words = append(words, "run")
		for _, w := range step.Words {
			if w.Secret {
				words = append(words, `"${`+s.next(w)+`}"`)
			} else {
				words = append(words, Quote(w.Text))
			}
		}
		line(strings.Join(words, " "))
		if at := StableURL(step.URL); at != "" {
			line("at " + Quote(at))
		}
	}
	var b strings.Builder
	b.WriteString(
		"#!/bin/sh\n# What a session did. It runs in a session of its own, and stops where something fails.\nset -eu\n")
	for i, what := range s.whats {
		name := secretVariable(i + 1)
		b.WriteString(": \"${" + name + "?" +
			strings.NewReplacer(`"`, `\"`, "`", "", "$", "", `\`, "", "}", "", "\n", " ").Replace(what) + "}\"\n")
	}
	b.WriteString("skua=${SKUA:-" + p.Program + "}\nsession=${SKUA_REPLAY_SESSION:-replay-$$}\n")
	b.WriteString("run() { \"$skua\" --session \"$session\" \"$@\"; }\n")
	b.WriteString(
		"at() {\n\there=$(run get url)\n\tcase $here in \"$1\" | \"$1\"[?#]*) ;; *)\n\t\techo \"expected $1, got $here\" " +
			">&2\n\t\texit 1 ;;\n\tesac\n}\n")
	b.WriteString("trap 'run close >/dev/null 2>&1' EXIT\n\n")
	b.WriteString(body.String())
	return b.String()
}
