package vault

import (
	"fmt"
	"time"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/lazyregexp"
	"github.com/skua-browser/skua/internal/passkey"
)

// Entry is a login. The names of its fields are agent-browser's, where that has them.
type Entry struct {
	Name             string     `json:"name"`
	URL              string     `json:"url"`
	Username         string     `json:"username"`
	Password         string     `json:"password"`
	UsernameSelector string     `json:"usernameSelector,omitempty"`
	PasswordSelector string     `json:"passwordSelector,omitempty"`
	SubmitSelector   string     `json:"submitSelector,omitempty"`
	TOTP             string     `json:"totp,omitempty"`         // the input of ParseTOTP
	AllowOrigins     []string   `json:"allowOrigins,omitempty"` // where it may be typed, besides the origin of URL
	CreatedAt        *time.Time `json:"createdAt,omitempty"`
	LastLoginAt      *time.Time `json:"lastLoginAt,omitempty"`

	Passkeys []passkey.Passkey `json:"passkeys,omitempty"`

	UpstreamFile string `json:"-"` // agent-browser's file that it was read from; empty means skua's own
}

// Format prints only the name, for every verb, so that no log contains secrets.
func (e Entry) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "[login %s]", e.Name) }

// Secrets returns the values of the entry that must not be shown.
func (e *Entry) Secrets() []string {
	var all []string
	for _, s := range []string{e.Password, e.TOTP} {
		if s != "" {
			all = append(all, s)
		}
	}
	return all
}

var goodName = lazyregexp.New(`^[a-zA-Z0-9_-]{1,100}$`)

// CheckName refuses an invalid name of a login.
func CheckName(name string) error {
	if goodName.MatchString(name) {
		return nil
	}
	return fault.New(fault.Usage, "Invalid profile name '%s'. Must match /^[a-zA-Z0-9_-]+$/", name).About(name).
		WithHint("Use letters, digits, - and _, at most 100.")
}

func notFound(name string) error {
	return fault.New(fault.CredentialNotFound, "Auth profile '%s' not found", name).About(name).
		WithHint("`auth list` lists the profiles, `auth save` saves one.")
}
