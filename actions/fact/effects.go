package fact

import (
	"strings"

	"github.com/skua-browser/skua/internal/wording"
)

// Effects is what was seen of what an action led to, between the moment before it and its reply. It is the member
// effect of the reply's data. The reference of the documentation is made from the tags.
type Effects struct {
	Navigation   *Navigated         `json:"navigation,omitempty" doc:"The page is another document, or the same one under another address: from, to, status (HTTP), sameDocument, loading (not there yet), form (the form that was sent is there again)"`
	Messages     []Message          `json:"messages,omitempty" doc:"What the page says of it: kind (error, warning, success, notice; invalid: what the browser says of a field, for which it did not send the form) and text"`
	Tabs         []OpenedTab        `json:"tabs,omitempty" doc:"Tabs and popups that opened: id, url, opener, active. The active tab does not change unless the command was to open one"`
	TabClosed    bool               `json:"tabClosed,omitempty" doc:"The tab that was acted on is gone"`
	Dialog       *ShownDialog       `json:"dialog,omitempty" doc:"A JavaScript dialog that is open: type, message, open, and tab when it is in another tab"`
	Answered     []ShownDialog      `json:"answered,omitempty" doc:"JavaScript dialogs that opened and were answered: type, message, answer, and the text given to a prompt"`
	MoreAnswered int                `json:"moreAnswered,omitempty" doc:"How many more were answered than are listed"`
	Downloads    []Downloading      `json:"downloads,omitempty" doc:"Downloads that began: name, url, and path when --download-path has put the file there. wait --download saves them"`
	State        map[string]Changed `json:"state,omitempty" doc:"What changed of the control, from and to: value, checked, selected, expanded, pressed, current, disabled, selection"`
	Secret       []string           `json:"secret,omitempty" doc:"What changed of the control and is not shown: the value of a password field"`
	Fields       []FieldChange      `json:"fields,omitempty" doc:"Other fields whose values changed: role, name, from and to; secret in place of the values of a password field"`
	Title        *Changed           `json:"title,omitempty" doc:"The page's title, from and to, when the page is the same"`
	Focus        *Focused           `json:"focus,omitempty" doc:"What got the focus: ref, role, name, self (it is the target)"`
	Unfocused    bool               `json:"unfocused,omitempty" doc:"The field that keys went to lost the focus, and nothing has it"`
	Appeared     []string           `json:"appeared,omitempty" doc:"Dialogs, menus, announcements and the like that appeared; else the first new elements"`
	Texts        []string           `json:"texts,omitempty" doc:"Texts that were written into elements that were there, when no dialog, message or the like appeared"`
	Gone         []string           `json:"gone,omitempty" doc:"Elements with a text that left the page, when there were few"`
	Loading      *Loading           `json:"loading,omitempty" doc:"The text of what appeared while the page loads something; gone: --observe has waited for its end"`
	Closed       []string           `json:"closed,omitempty" doc:"Dialogs, menus and the like that closed"`
	DOM          *Mutated           `json:"dom,omitempty" doc:"How many elements were added, removed and changed; near: beside the target; many: there was more than was counted; targetRemoved: the target left the page"`
	Scrolled     *Scrolled          `json:"scrolled,omitempty" doc:"The scroll position of the target's container, or of the page: from and to, each [x, y]; hiding: the box that was scrolled to bring the target into view although it hides what overflows"`
	Requests     []Requested        `json:"requests,omitempty" doc:"The first requests that began, without those of a page that loads: method, url, type, status (if the response had arrived)"`
	None         bool               `json:"none,omitempty" doc:"The page was watched, and nothing of this was seen yet. What appears later is in a note of the session's next reply"`
}

// Loading is what a page shows while something is to come.
type Loading struct {
	Text string `json:"text"`
	Gone bool   `json:"gone,omitempty"`
}

// Led returns where the action led; nil means that the page stayed, or nothing was watched.
func (e *Effects) Led() *Navigated {
	if e == nil {
		return nil
	}
	return e.Navigation
}

// Navigated says that the main frame shows another document, or the same one under another address.
type Navigated struct {
	From         string `json:"from"`
	To           string `json:"to"`
	Status       int    `json:"status,omitempty"` // HTTP; 0 where there is none
	SameDocument bool   `json:"sameDocument,omitempty"`
	Loading      bool   `json:"loading,omitempty"` // it has not arrived yet
	Form         bool   `json:"form,omitempty"`    // the form that was sent is there again
	// why it could not be loaded: the browser shows a page of its own in its place
	Failed string `json:"failed,omitempty"`
}

// Message is what a page says of what was done.
type Message struct {
	Kind string `json:"kind"` // error, warning, success or notice; invalid: it is the browser's, which did not send a form
	Text string `json:"text"`
}

// Bounded returns the message shortened, on one line.
func (m Message) Bounded() Message {
	m.Text = wording.Clip(strings.Join(strings.Fields(m.Text), " "), mostMessage)
	return m
}

// mostMessage is the maximum length of a reported message, in characters.
const mostMessage = 200

// OpenedTab is a tab or popup that came. One that a page opened is not made the active one.
type OpenedTab struct {
	ID     string `json:"id"`
	URL    string `json:"url"`
	Opener string `json:"opener,omitempty"` // the tab whose page opened it
	Active bool   `json:"active,omitempty"` // commands go to it from now on
}

// ShownDialog is a JavaScript dialog.
type ShownDialog struct {
	Tab     string  `json:"tab,omitempty"` // when it is not that of the command
	Type    string  `json:"type"`
	Message string  `json:"message"`
	Open    bool    `json:"open,omitempty"`
	Answer  string  `json:"answer,omitempty"` // "accepted" or "dismissed"
	Text    *string `json:"text,omitempty"`   // what a prompt was answered with
}

// Changed is a state before and after.
type Changed struct {
	From any `json:"from"`
	To   any `json:"to"`
}

// Focused is an element that got the focus.
type Focused struct {
	Ref      string `json:"ref,omitempty"`
	Role     string `json:"role"`
	Name     string `json:"name"`
	Self     bool   `json:"self,omitempty"` // it is the one that was acted on
	Editable bool   `json:"-"`
	Tag      string `json:"-"`
}

// FieldChange is a change of the value of a field other than the target.
type FieldChange struct {
	Role   string `json:"role"`
	Name   string `json:"name"`
	From   string `json:"from"`
	To     string `json:"to"`
	Secret bool   `json:"secret,omitempty"` // its values are not handed out
}

// Mutated counts the elements that came, went, and changed otherwise.
type Mutated struct {
	Added   int  `json:"added"`
	Removed int  `json:"removed"`
	Changed int  `json:"changed"`
	Near    bool `json:"near"`           // some of it in the form, row, dialog or other group that the target is in
	Many    bool `json:"many,omitempty"` // there was more than was counted
	Gone    bool `json:"targetRemoved,omitempty"`
}

// Scrolled is where a scroll container was and is, as x and y.
type Scrolled struct {
	From [2]float64 `json:"from"`
	To   [2]float64 `json:"to"`

	Hiding string `json:"hiding,omitempty"` // it hides what overflows, and was scrolled to bring the target into view
}

// Requested is a request that began.
type Requested struct {
	Method string `json:"method"`
	URL    string `json:"url"`
	Type   string `json:"type"`
	Status int    `json:"status,omitempty"` // of the answer that has come already
}

// Downloading is a download that began.
type Downloading struct {
	Name string `json:"name"`
	URL  string `json:"url"`
	Path string `json:"path,omitempty"` // where --download-path has put the file

	Err error `json:"-"` // why --download-path did not take the file
}
