package journal

import (
	"strconv"
	"strings"
)

// goTest writes a plan as a Go test that uses package session.
func goTest(p *Plan) string {
	var body strings.Builder
	var s secrets
	line := func(text string) { body.WriteString("\t" + text + "\n") }
	asserts := false
	for _, step := range p.Steps {
		if step.Skipped != "" {
			line("// left out: " + comment(step.Line) + " (" + comment(step.Skipped) + ")")
			continue
		}
		words := make([]string, len(step.Words))
		for i, w := range step.Words {
			if words[i] = strconv.Quote(w.Text); w.Secret {
				words[i] = "secret(" + strconv.Quote(s.next(w)) + ")"
			}
		}
		line("run(" + strings.Join(words, ", ") + ")")
		if at := StableURL(step.URL); at != "" {
			asserts = true
			line("at(" + strconv.Quote(at) + ")")
		}
	}
	var b strings.Builder
	b.WriteString("package replay\n\nimport (\n\t\"context\"\n\t\"os\"\n")
	if asserts {
		b.WriteString("\t\"strings\"\n")
	}
	b.WriteString("\t\"testing\"\n\n\t\"" + p.Module + "/actions/catalog\"\n\t\"" + p.Module + "/session\"\n)\n\n")
	b.WriteString("// TestReplay does what a session did.\nfunc TestReplay(t *testing.T) {\n")
	b.WriteString(
		"\tm, err := session.New(session.Options{Registry: catalog.Registry()})\n\tif err != nil " +
			"{\n\t\tt.Fatal(err)\n\t}\n\tdefer m.Close(context.Background())\n")
	b.WriteString(
		"\trun := func(args ...string) string {\n\t\tt.Helper()\n\t\treply := m.Do(t.Context(), session.Request{Args: " +
			"args, Getenv: os.Getenv})\n" +
			"\t\tif reply.Err != nil {\n\t\t\tt.Fatalf(\"%s: %v\", args[0], reply.Err)\n\t\t}\n\t\treturn " +
			"reply.Result.Text\n\t}\n")
	if s.count > 0 {
		b.WriteString(
			"\tsecret := func(name string) string {\n\t\tt.Helper()\n\t\tvalue, ok := os.LookupEnv(name)\n\t\tif !ok {\n" +
				"\t\t\tt.Fatalf(\"set %s\", name)\n\t\t}\n\t\treturn value\n\t}\n")
		for _, what := range s.whats {
			b.WriteString("\t// " + comment(what) + "\n")
		}
	}
	if asserts {
		b.WriteString(
			"\tat := func(place string) {\n\t\tt.Helper()\n\t\there, _, _ := strings.Cut(run(\"get\", \"url\"), \"?\")\n" +
				"\t\tif here, _, _ = strings.Cut(here, \"#\"); here != place {\n\t\t\tt.Fatalf(\"at %s, and not at %s\", here, " +
				"place)\n\t\t}\n\t}\n")
	}
	b.WriteString("\n" + body.String() + "}\n")
	return b.String()
}
