package webauthn

import (
	"encoding/base64"
	"strings"
	"time"

	"github.com/skua-browser/skua/internal/passkey"
)

// credential is WebAuthn.Credential of the protocol, which has base64 where pages see base64url.
type credential struct {
	ID          string `json:"credentialId"`
	Resident    bool   `json:"isResidentCredential"`
	RPID        string `json:"rpId,omitempty"`
	PrivateKey  []byte `json:"privateKey"`
	UserHandle  string `json:"userHandle,omitempty"`
	SignCount   int64  `json:"signCount"`
	Eligible    bool   `json:"backupEligibility"`
	BackedUp    bool   `json:"backupState"`
	UserName    string `json:"userName,omitempty"`
	DisplayName string `json:"userDisplayName,omitempty"`
}

func (c *credential) passkey() passkey.Passkey {
	return passkey.Passkey{
		ID:          urlBase64(c.ID),
		RPID:        strings.Clone(c.RPID),
		UserHandle:  urlBase64(c.UserHandle),
		UserName:    strings.Clone(c.UserName),
		DisplayName: strings.Clone(c.DisplayName),
		PrivateKey:  c.PrivateKey,
		SignCount:   c.SignCount,
		Hidden:      !c.Resident,
		Eligible:    c.Eligible,
		BackedUp:    c.BackedUp,
	}
}

func credentialOf(p *passkey.Passkey) credential {
	return credential{
		ID:          stdBase64(p.ID),
		Resident:    !p.Hidden,
		RPID:        p.RPID,
		PrivateKey:  p.PrivateKey,
		UserHandle:  stdBase64(p.UserHandle),
		SignCount:   p.SignCount,
		Eligible:    p.Eligible,
		BackedUp:    p.BackedUp,
		UserName:    p.UserName,
		DisplayName: p.DisplayName,
	}
}

func urlBase64(std string) string {
	raw, err := base64.StdEncoding.DecodeString(std)
	if err != nil {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(raw)
}

func stdBase64(url string) string {
	raw, err := base64.RawURLEncoding.DecodeString(url)
	if err != nil {
		return ""
	}
	return base64.StdEncoding.EncodeToString(raw)
}

func now() *time.Time {
	t := time.Now().UTC().Truncate(time.Second)
	return &t
}
