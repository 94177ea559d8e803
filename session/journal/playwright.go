package journal

import (
	"strings"
)

// playwright writes a plan as a Playwright test. Commands without a counterpart become comments.
func playwright(p *Plan) string {
	var body strings.Builder
	var s secrets
	line := func(text string) { body.WriteString("  " + text + "\n") }
	for _, step := range p.Steps {
		statement := ""
		if step.Skipped == "" {
			statement = fill(step.Template, step.Values, &s)
		}
		if statement == "" {
			why := step.Skipped
			if why == "" {
				why = "it has no counterpart here"
			}
			line("// left out: " + comment(step.Line) + " (" + comment(why) + ")")
			continue
		}
		line(statement)
		if at := StableURL(step.URL); at != "" {
			line("await expect(page).toHaveURL((url) => url.origin + url.pathname === " + literal(at) + ");")
		}
	}
	var b strings.Builder
	b.WriteString("import { test, expect } from '@playwright/test';\n\n")
	for _, what := range s.whats {
		b.WriteString("// " + comment(what) + "\n")
	}
	if s.count > 0 {
		b.WriteString(
			"const secret = (name) => {\n  const value = process.env[name];\n  if (value === undefined) throw new Error(`set " +
				"${name}`);\n  return value;\n};\n\n")
	}
	b.WriteString("test('replay', async ({ page }) => {\n" + body.String() + "});\n")
	return b.String()
}

// fill inserts values into a template. It returns "" if one is missing.
func fill(template string, values map[string][]Value, s *secrets) string {
	var b strings.Builder
	for rest := template; ; {
		before, after, found := strings.Cut(rest, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if strings.HasPrefix(after, " ") { // a brace of JavaScript
			b.WriteByte('{')
			rest = after
			continue
		}
		name, next, _ := strings.Cut(after, "}")
		list, many := strings.CutPrefix(name, "...")
		texts := make([]string, 0, 1)
		for _, v := range values[list] {
			switch {
			case v.Secret:
				texts = append(texts, "secret("+literal(s.next(v.Arg))+")")
			case v.Locator != "":
				texts = append(texts, v.Locator)
			case v.Number:
				texts = append(texts, v.Text)
			default:
				texts = append(texts, literal(v.Text))
			}
		}
		if many {
			b.WriteString("[" + strings.Join(texts, ", ") + "]")
		} else if len(texts) == 1 {
			b.WriteString(texts[0])
		} else {
			return ""
		}
		rest = next
	}
}
