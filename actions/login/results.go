package login

import "github.com/skua-browser/skua/actions/fact"

// The data of the replies, with agent-browser's keys where it has them.

// Saved is the name of a login that is kept now.
type Saved struct {
	Replaced bool   `json:"replaced,omitempty"` // there was one of that name
	Saved    string `json:"saved"`
}

// Logins are the logins of the vault.
type Logins struct {
	Locked   []string       `json:"locked,omitempty"` // those that no available key opens
	Profiles []LoginSummary `json:"profiles"`
}

// LoginSummary is a login in a list.
type LoginSummary struct {
	Name         string `json:"name"`
	OneTimeCodes bool   `json:"oneTimeCodes,omitempty"`
	Passkeys     int    `json:"passkeys,omitempty"` // how many it has
	URL          string `json:"url"`
	Username     string `json:"username"`
}

// LoginEntry is the known facts about one login.
type LoginEntry struct {
	Profile Profile `json:"profile"`
}

// Profile is a login without its secrets. Times are as in RFC 3339; a selector is null where the field is found by
// itself.
type Profile struct {
	AllowOrigins     []string  `json:"allowOrigins,omitempty"`
	CreatedAt        string    `json:"createdAt,omitempty"`
	File             string    `json:"file,omitempty"` // of one that is kept elsewhere
	LastLoginAt      string    `json:"lastLoginAt,omitempty"`
	Name             string    `json:"name"`
	OneTimeCodes     bool      `json:"oneTimeCodes"`
	Passkeys         []Passkey `json:"passkeys,omitempty"`
	PasswordSelector *string   `json:"passwordSelector"`
	SubmitSelector   *string   `json:"submitSelector"`
	URL              string    `json:"url"`
	Username         string    `json:"username"`
	UsernameSelector *string   `json:"usernameSelector"`
}

// Deleted is the name of a login that is not kept any longer.
type Deleted struct {
	Deleted string `json:"deleted"`
}

// LoggedIn is the evidence of a login that succeeded.
type LoggedIn struct {
	Already  bool     `json:"already,omitempty"` // nothing had to be typed
	Cookies  []string `json:"cookies,omitempty"` // that were set
	LoggedIn bool     `json:"loggedIn"`
	Name     string   `json:"name"`
	Observed []string `json:"observed"`
	Steps    []string `json:"steps,omitempty"` // what was given: username, password, code, passkey
	Title    string   `json:"title"`
	URL      string   `json:"url"`
}

// AddFacts reports that the page is shown.
func (l LoggedIn) AddFacts(f *fact.Facts) { f.Page = fact.Shown{Title: l.Title, URL: l.URL} }

// Passkeys are the passkeys of the session.
type Passkeys struct {
	On       bool      `json:"on"` // pages have an authenticator that registers and uses them
	Passkeys []Passkey `json:"passkeys"`
}

// Passkey is a passkey without its private key. Times are as in RFC 3339.
type Passkey struct {
	CreatedAt    string `json:"createdAt,omitempty"`
	Discoverable bool   `json:"discoverable"` // pages find it without naming it
	DisplayName  string `json:"displayName,omitempty"`
	ID           string `json:"id"`   // base64url, as pages see it
	RP           string `json:"rpId"` // the domain that it belongs to
	SignCount    int64  `json:"signCount"`
	UsedAt       string `json:"usedAt,omitempty"`
	User         string `json:"user,omitempty"`
}

// PasskeysSaved are those that a login of the vault has now.
type PasskeysSaved struct {
	Created  bool      `json:"created,omitempty"` // there was no login of that name
	Login    string    `json:"login"`
	Passkeys []Passkey `json:"passkeys"`
}

// PasskeyRemoved is one that is gone.
type PasskeyRemoved struct {
	Login   string  `json:"login,omitempty"` // whose it was; empty means the session's
	Removed Passkey `json:"removed"`
}
