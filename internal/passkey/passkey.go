package passkey

import (
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"
)

// Passkey is a credential that a page has registered. Its JSON is that of files, with the private key: no reply has it.
type Passkey struct {
	ID          string     `json:"id"`                   // as pages see it: base64url
	RPID        string     `json:"rpId"`                 // the domain of the relying party
	UserHandle  string     `json:"userHandle,omitempty"` // base64url
	UserName    string     `json:"userName,omitempty"`
	DisplayName string     `json:"displayName,omitempty"`
	PrivateKey  []byte     `json:"privateKey,omitempty"` // PKCS #8
	SignCount   int64      `json:"signCount"`
	Hidden      bool       `json:"hidden,omitempty"` // it is not discoverable: a page has to name it
	Eligible    bool       `json:"backupEligible,omitempty"`
	BackedUp    bool       `json:"backedUp,omitempty"`
	CreatedAt   *time.Time `json:"createdAt,omitempty"`
	UsedAt      *time.Time `json:"usedAt,omitempty"`
}

// Format prints only the relying party, for every verb, so that no log contains the private key.
func (p Passkey) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "[passkey of %s]", p.RPID) }

// Check returns what is wrong with a passkey that was read from a file.
func (p *Passkey) Check() error {
	switch {
	case p.RPID == "":
		return errors.New("it has no relying party")
	case !decodes(p.ID):
		return errors.New("its id is not base64url")
	case p.UserHandle != "" && !decodes(p.UserHandle):
		return errors.New("its user handle is not base64url")
	case p.UserHandle == "" && !p.Hidden:
		return errors.New("it is discoverable and has no user handle")
	}
	if _, err := x509.ParsePKCS8PrivateKey(p.PrivateKey); err != nil {
		return errors.New("it has no private key") // the error of the parser may quote it
	}
	return nil
}

func decodes(text string) bool {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	return err == nil && len(raw) > 0
}

// Belongs reports whether pages of an origin may use the passkey: those of its relying party's domain and of the
// domains below it. Besides https, browsers allow http on this machine.
func (p *Passkey) Belongs(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil {
		return false
	}
	host := strings.ToLower(u.Hostname())
	local := host == "localhost" || strings.HasSuffix(host, ".localhost")
	if u.Scheme != "https" && (u.Scheme != "http" || !local) || net.ParseIP(host) != nil {
		return false
	}
	rp := strings.ToLower(p.RPID)
	return rp != "" && (host == rp || strings.HasSuffix(host, "."+rp))
}

// User is whom the passkey is for, in words; empty means that the page has not said it.
func (p *Passkey) User() string {
	if p.UserName != "" {
		return p.UserName
	}
	return p.DisplayName
}
