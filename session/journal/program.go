package journal

import "strings"

// Method is a command as a method of a program.
type Method struct {
	Name    string
	Args    []Arg
	Options []Option
}

// Option is a member of the object that a method takes at its end.
type Option struct {
	Name   string
	Values []Arg // one; several are a list
	True   bool  // it has no value: it is set
}

// program writes a plan as a program for run.
func program(p *Plan) string {
	var body strings.Builder
	var s secrets
	checks := false
	for _, step := range p.Steps {
		if step.Skipped != "" || step.Method == nil {
			why := step.Skipped
			if why == "" {
				why = "programs do not have it"
			}
			body.WriteString("// left out: " + comment(step.Line) + " (" + comment(why) + ")\n")
			continue
		}
		body.WriteString("await page." + step.Method.call(&s) + ";\n")
		if at := StableURL(step.URL); at != "" {
			checks = true
			body.WriteString("await at(" + literal(at) + ");\n")
		}
	}
	var b strings.Builder
	b.WriteString("// What a session did; it stops where something fails.\n")
	for _, what := range s.whats {
		b.WriteString("// --params has " + comment(what) + "\n")
	}
	if checks {
		b.WriteString("const at = async (expected) => {\n  const { url } = await page.getUrl();\n" +
			"  if (url.split(/[?#]/)[0] !== expected) throw new Error(`expected ${expected}, got ${url}`);\n};\n")
	}
	return b.String() + body.String()
}

// call writes the call.
func (m *Method) call(s *secrets) string {
	value := func(a Arg) string {
		if a.Secret {
			return "params." + s.next(a)
		}
		return literal(a.Text)
	}
	args := make([]string, 0, len(m.Args)+1)
	for _, a := range m.Args {
		args = append(args, value(a))
	}
	options := make([]string, 0, len(m.Options))
	for _, o := range m.Options {
		texts := make([]string, len(o.Values))
		for i, v := range o.Values {
			texts[i] = value(v)
		}
		switch {
		case o.True:
			options = append(options, o.Name+": true")
		case len(texts) == 1:
			options = append(options, o.Name+": "+texts[0])
		default:
			options = append(options, o.Name+": ["+strings.Join(texts, ", ")+"]")
		}
	}
	if len(options) > 0 {
		args = append(args, "{ "+strings.Join(options, ", ")+" }")
	}
	return m.Name + "(" + strings.Join(args, ", ") + ")"
}
