package doctor

import (
	"context"
	"strings"
)

func providers(_ context.Context, o *Options) []Check {
	var l list
	var without []string
	for _, p := range []struct {
		id, name string
		keys     []string
	}{
		{"browserless", "Browserless", []string{"BROWSERLESS_API_KEY"}},
		{"browserbase", "Browserbase", []string{"BROWSERBASE_API_KEY"}},
		{"browseruse", "Browser Use", []string{"BROWSER_USE_API_KEY"}},
		{"kernel", "Kernel", []string{"KERNEL_API_KEY"}},
		{"agentcore", "AgentCore", []string{"AWS_ACCESS_KEY_ID", "AWS_PROFILE"}},
		{"selenium", "Selenium Grid", []string{"SELENIUM_REMOTE_URL"}},
	} {
		found := ""
		for _, key := range p.keys {
			if o.Getenv(key) != "" {
				found = key
				break
			}
		}
		if found != "" {
			l.add("providers."+p.id, Pass, "%s: %s is set", p.name, found)
		} else {
			without = append(without, p.name+" ("+p.keys[0]+")")
		}
	}
	if len(without) > 0 {
		l.add("providers.unset", Info, "Without a key, and not needed for a browser of this machine: %s",
			strings.Join(without, ", "))
	}
	return l
}
