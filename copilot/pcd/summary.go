package pcd

// The caps of a summary. What a page has beyond them is counted in [Summary.Omitted] and found by a query.
const (
	MaxActions     = 30
	MaxForms       = 20
	MaxCollections = 20
)

// Landmark is a part of a page, by the short word for the element that makes it.
type Landmark string

// The landmarks, in the order in which summaries list them.
const (
	Header Landmark = "header"
	Nav    Landmark = "nav"
	Main   Landmark = "main"
	Aside  Landmark = "aside"
	Footer Landmark = "footer"
)

// Weight is how much of its weight something keeps for being in the landmark: complementary content is often not the
// site's own.
func (l Landmark) Weight() float64 {
	switch l {
	case Aside:
		return 0.5
	case Footer:
		return 0.8
	}
	return 1
}

// LoginState says whether the page seems to know who looks at it.
type LoginState string

// The login states.
const (
	LoginUnknown LoginState = "unknown"
	LoggedIn     LoginState = "in"
	LoggedOut    LoginState = "out"
)

// Summary is what a page offers: a MiniPCD.
type Summary struct {
	URL        string     `json:"url"`
	Origin     string     `json:"origin"`
	Title      string     `json:"title"`
	LoginState LoginState `json:"loginState"`
	// TS is the version, in milliseconds since 1970: when what the page offers last changed. Two summaries of one tab with
	// the same TS say the same, except for FocusedRole: the focus does not belong to what the page offers.
	TS        int64      `json:"ts"`
	Landmarks []Landmark `json:"landmarks"`

	Actions     []Action     `json:"actions"`
	Forms       []Form       `json:"forms"`
	Collections []Collection `json:"collections"`

	Metrics     *Metrics `json:"metrics,omitempty"`
	FocusedRole string   `json:"focusedRole,omitempty"` // of the element that has the focus; empty means that none has
	Omitted     *Omitted `json:"omitted,omitempty"`     // nil means that nothing was left out
	// controls that a person sees and that have no name, by which nothing can ask for them
	Unnamed int      `json:"unnamed,omitempty"`
	Tab     string   `json:"tab,omitempty"`   // "t1"
	Notes   []string `json:"notes,omitempty"` // such as a frame that could not be read
}

// Action is something on the page that a click does.
type Action struct {
	ID        string   `json:"id"`    // a ref without its at sign, "e12": every command takes it as @e12
	Label     string   `json:"label"` // the accessible name, else the text
	Role      string   `json:"role"`  // button, link, menuitem, tab, checkbox, radio or other
	Kind      string   `json:"kind,omitempty"`
	Landmark  Landmark `json:"landmark,omitempty"`
	AboveFold bool     `json:"aboveFold,omitempty"`
	// of actions that are the same by role, label and the first part of their path
	ClusterID string `json:"clusterId,omitempty"`
	// of a template: every item of that collection has this action
	CollectionID string   `json:"appliesToCollectionId,omitempty"`
	URL          string   `json:"url,omitempty"` // where a link leads
	Disabled     bool     `json:"disabled,omitempty"`
	Unseen       bool     `json:"unseen,omitempty"` // a person who looks at the page does not see it
	FramePath    []string `json:"framePath,omitempty"`
}

// Form is a group of fields that are sent together.
type Form struct {
	ID          string   `json:"id"`
	Purpose     string   `json:"purpose,omitempty"`
	Landmark    Landmark `json:"landmark,omitempty"`
	Fields      []Field  `json:"fieldSummaries"`
	SubmitLabel string   `json:"submitLabel,omitempty"`
	Label       string   `json:"label,omitempty"`
	SubmitID    string   `json:"submitId,omitempty"` // the ref of what submits it
	Method      string   `json:"method,omitempty"`   // get, post or dialog
	AboveFold   bool     `json:"aboveFold,omitempty"`
	Unseen      bool     `json:"unseen,omitempty"`
	FramePath   []string `json:"framePath,omitempty"`
}

// Field is one field of a form.
type Field struct {
	Name     string   `json:"name,omitempty"` // what it is sent as
	Label    string   `json:"label"`
	Type     string   `json:"type"` // of an input, else select, textarea, combobox, …
	Required bool     `json:"required,omitempty"`
	ID       string   `json:"id,omitempty"`      // its ref
	Options  []string `json:"options,omitempty"` // of a select: the labels of the first ones
	Secret   bool     `json:"secret,omitempty"`  // what is in it is not shown, and typing into it needs a grant
	Unseen   bool     `json:"unseen,omitempty"`
}

// Collection is a list of things that are alike.
type Collection struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`       // results, products, invoices, …
	ItemFields  []string `json:"itemFields"` // title, price, date, detailUrl, …
	Landmark    Landmark `json:"landmark,omitempty"`
	ApproxCount int      `json:"approxCount,omitempty"` // items that are there now
	AboveFold   bool     `json:"aboveFold,omitempty"`
	Unseen      bool     `json:"unseen,omitempty"` // a person who looks at the page does not see its items
	FramePath   []string `json:"framePath,omitempty"`
}

// Metrics are figures about the page.
type Metrics struct {
	ARIACoverage float64 `json:"ariaCoverage"` // the part of the actions that have a role and a name, from 0 to 1
	ViewportH    int     `json:"viewportH,omitempty"`
	ViewportW    int     `json:"viewportW,omitempty"`
}

// Omitted counts what the caps left out of a summary.
type Omitted struct {
	Actions     int `json:"actions,omitempty"`
	Forms       int `json:"forms,omitempty"`
	Collections int `json:"collections,omitempty"`
}
