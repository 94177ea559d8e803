package replies

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

// Call is a command of an agent and its reply.
type Call struct {
	Words  []string // the command and its arguments
	Reply  string
	Failed bool
	Took   time.Duration
}

// Detector finds one kind of cost in a call: each text that it returns is one.
type Detector struct {
	Name  string
	About string // in tables
	Find  func(Call) []string
}

// The limits of one reply to one action.
const (
	longReply  = 2048
	longSettle = 2 * time.Second
)

// Detectors returns all detectors, in the order of tables.
func Detectors() []Detector {
	return []Detector{
		{"covered lines", "lines of a delta that say covered", coveredLines},
		{"long replies", "replies over 2 KB after one action", longReplies},
		{"slow settles", "settles over 2 s", slowSettles},
		{"dead ends", "refusals without a ref to go on with", deadEnds},
	}
}

// acts lists the commands that act on a page, and do not lead to another address by themselves.
var acts = []string{
	"check", "click", "dblclick", "drag", "fill", "find", "focus", "hover", "keyboard", "press", "scroll", "select", "tap",
	"type", "uncheck", "upload",
}

func (c Call) isAction() bool { return len(c.Words) > 0 && slices.Contains(acts, c.Words[0]) }

// settles reports whether the call waits until the page is still: an action with a look at what it led to, or a wait
// for that alone.
func (c Call) settles() bool {
	return c.isAction() || len(c.Words) > 0 && c.Words[0] == "wait" && slices.Contains(c.Words, "--stable")
}

var (
	deltaHead = regexp.MustCompile(`(?m)^\([+~-] [^\n]* since revision `)
	deltaLine = regexp.MustCompile(`(?m)^ *[+~-] .*$`)
	quoted    = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	isCovered = regexp.MustCompile(`\bcovered\b`)
)

// coveredLines are the lines of a delta in which the program, not the page, says that something is covered.
func coveredLines(c Call) (found []string) {
	if !deltaHead.MatchString(c.Reply) {
		return nil
	}
	for _, line := range deltaLine.FindAllString(c.Reply, -1) {
		if isCovered.MatchString(quoted.ReplaceAllString(line, "")) {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found
}

func longReplies(c Call) []string {
	if c.Failed || !c.isAction() || len(c.Reply) <= longReply {
		return nil
	}
	return []string{strings.Join(c.Words, " ")}
}

func slowSettles(c Call) []string {
	if c.Failed || !c.settles() || c.Took <= longSettle {
		return nil
	}
	return []string{strings.Join(c.Words, " ") + " (" + c.Took.Round(time.Millisecond).String() + ")"}
}

var ref = regexp.MustCompile(`(?:@|\bref=)(e\d+)\b`)

// deadEnds are refused actions on an element whose replies name no ref but those that the agent gave.
func deadEnds(c Call) []string {
	if !c.Failed || !c.isAction() || len(c.Words) < 2 {
		return nil
	}
	given := map[string]bool{}
	for _, word := range c.Words[1:] {
		for _, match := range ref.FindAllStringSubmatch(word, -1) {
			given[match[1]] = true
		}
	}
	for _, match := range ref.FindAllStringSubmatch(c.Reply, -1) {
		if !given[match[1]] {
			return nil
		}
	}
	first, _, _ := strings.Cut(c.Reply, "\n")
	return []string{strings.Join(c.Words, " ") + ": " + first}
}
