package toolbox

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/wording"
)

// line is one command line. What stands for itself and looks like a flag is kept from being taken for one.
func line(command []string, operands ...string) []string {
	if slices.ContainsFunc(operands, func(word string) bool { return strings.HasPrefix(word, "-") }) {
		command = append(slices.Clone(command), "--")
	}
	return slices.Concat(command, operands)
}

// fixed is a tool that is one command line, whatever its arguments say beyond the tab.
func fixed(words ...string) func(*args) ([]string, error) {
	return func(*args) ([]string, error) { return slices.Clone(words), nil }
}

// ofTab is a command about the tab that the arguments name.
func ofTab(verb string) func(*args) ([]string, error) {
	return func(a *args) ([]string, error) {
		a.tabNamed = true
		return []string{"tab", verb, string(a.Tab)}, nil
	}
}

func query(a *args) ([]string, error) {
	words := []string{"capabilities", "query"}
	if len(a.Kind) > 0 {
		words = append(words, "--kind="+strings.Join(a.Kind, ","))
	}
	if a.TopK != nil {
		words = append(words, "--top="+a.TopK.String())
	}
	if a.Text == "" {
		return words, nil
	}
	return line(words, a.Text), nil
}

func typeText(a *args) ([]string, error) {
	command := "type"
	if a.Replace {
		command = "fill"
	}
	return line([]string{command}, string(a.Selector), a.Text), nil
}

func check(a *args) ([]string, error) {
	if a.Checked != nil && !*a.Checked {
		return line([]string{"uncheck"}, string(a.Selector)), nil
	}
	return line([]string{"check"}, string(a.Selector)), nil
}

func scroll(a *args) ([]string, error) {
	switch {
	case a.Y == nil && a.Selector == "":
		return nil, a.wrong("y", "is missing, and there is no selector either")
	case a.Y == nil:
		return line([]string{"scrollintoview"}, string(a.Selector)), nil
	case a.Selector != "":
		return nil, a.wrong("y", "is given beside selector: it takes one of them")
	}
	if math.Abs(*a.Y) > math.MaxInt32 {
		return nil, a.wrong("y", "is too large")
	}
	pixels := int(math.Round(*a.Y))
	if pixels < 0 {
		return []string{"scroll", "up", strconv.Itoa(-pixels)}, nil
	}
	return []string{"scroll", "down", strconv.Itoa(pixels)}, nil
}

func waitFor(a *args) ([]string, error) {
	words := []string{"wait"}
	if a.TimeoutMs != nil {
		words = append(words, "--timeout="+a.TimeoutMs.String())
	}
	if (a.Event == "selector" || a.Event == "text") && a.WaitValue == "" {
		return nil, a.wrong("value", "is missing: it is the "+a.Event+" to wait for")
	}
	if a.Event != "selector" && a.WaitValue != "" && a.Value == "" {
		return nil, a.wrong("value", "has to be a text for the event "+a.Event)
	}
	switch a.Event {
	case "urlChange":
		if a.Value != "" {
			return append(words, "--url-change="+a.Value), nil
		}
		return append(words, "--url-change"), nil
	case "networkIdle":
		if a.Value != "" {
			return nil, a.wrong("value", "says nothing for the event networkIdle")
		}
		return append(words, "--idle"), nil
	case "selector":
		if _, err := strconv.ParseFloat(string(a.WaitValue), 64); err == nil { // which the command would take for a time
			return nil, a.wrong("value", "has to be a selector, and is "+string(a.WaitValue))
		}
		return line(words, string(a.WaitValue)), nil
	case "text":
		return append(words, "--text="+a.Value), nil
	}
	return nil, a.wrong("event", "has to be urlChange, networkIdle, selector or text, and is "+wording.Quote(a.Event))
}

func extract(a *args) ([]string, error) {
	words := []string{"extract"}
	if len(a.Fields) > 0 {
		words = append(words, "--fields="+strings.Join(a.Fields, ","))
	}
	return append(words, string(a.CollectionID)), nil
}
