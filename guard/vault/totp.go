package vault

import (
	"context"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"hash"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/internal/fault"
)

// TOTP generates time-based one-time codes, see RFC 6238.
type TOTP struct {
	secret []byte
	hash   func() hash.Hash
	Digits int           // 6 to 8
	Period time.Duration // how long a code is valid
}

// Format prints no secret.
func (TOTP) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte("[one-time codes]")) }

// ParseTOTP reads an otpauth:// URL, as in QR codes, or a base32 secret, with or without spaces and dashes. Its errors
// quote nothing.
func ParseTOTP(text string) (TOTP, error) {
	text = strings.TrimSpace(text)
	t := TOTP{hash: sha1.New, Digits: 6, Period: 30 * time.Second}
	if !strings.HasPrefix(strings.ToLower(text), "otpauth:") {
		return t, t.setSecret(text)
	}
	u, err := url.Parse(text)
	if err != nil {
		return t, badTOTP("it is not an otpauth:// address")
	}
	if !strings.EqualFold(u.Host, "totp") {
		return t, badTOTP("only otpauth://totp/ is supported; counter-based codes (hotp) are not")
	}
	q := u.Query()
	switch strings.ToUpper(strings.ReplaceAll(q.Get("algorithm"), "-", "")) {
	case "", "SHA1":
	case "SHA256":
		t.hash = sha256.New
	case "SHA512":
		t.hash = sha512.New
	default:
		return t, badTOTP("its algorithm must be SHA1, SHA256 or SHA512")
	}
	if d := q.Get("digits"); d != "" {
		if t.Digits, err = strconv.Atoi(d); err != nil || t.Digits < 6 || t.Digits > 8 {
			return t, badTOTP("its number of digits must be 6, 7 or 8")
		}
	}
	if p := q.Get("period"); p != "" {
		n, err := strconv.Atoi(p)
		if err != nil || n < 5 || n > 3600 {
			return t, badTOTP("its period must be 5 to 3600 seconds")
		}
		t.Period = time.Duration(n) * time.Second
	}
	return t, t.setSecret(q.Get("secret"))
}

func (t *TOTP) setSecret(text string) error {
	text = strings.ToUpper(strings.TrimRight(strings.NewReplacer(" ", "", "-", "").Replace(text), "="))
	secret, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(text)
	if err != nil || len(secret) == 0 {
		return badTOTP("its secret is not base32")
	}
	t.secret = secret
	return nil
}

func badTOTP(why string) error {
	return fault.New(fault.Usage, "The secret for one-time codes cannot be used: %s", why).About("--totp").
		WithHint("Give the otpauth:// address in the QR code, or the secret that the site shows beside it.")
}

// CodeAt returns the code for a time.
func (t TOTP) CodeAt(moment time.Time) string {
	var counter [8]byte
	binary.BigEndian.PutUint64(counter[:], uint64(moment.Unix()/int64(t.Period/time.Second)))
	mac := hmac.New(t.hash, t.secret)
	mac.Write(counter[:])
	sum := mac.Sum(nil)
	offset := sum[len(sum)-1] & 0xf
	number := uint64(binary.BigEndian.Uint32(sum[offset:]) & 0x7fffffff)
	most := uint64(1)
	for range t.Digits {
		most *= 10
	}
	return fmt.Sprintf("%0*d", t.Digits, number%most)
}

// Remaining returns how long the code for a time stays valid.
func (t TOTP) Remaining(moment time.Time) time.Duration {
	return t.Period - time.Duration(moment.UnixNano())%t.Period
}

// minRemaining is how long a code must stay valid to reach the server.
const minRemaining = 5 * time.Second

// Code returns a code that is valid for at least 5 s, or a third of a shorter period. It waits for the next code if
// needed.
func (t TOTP) Code(ctx context.Context) (string, error) {
	if left := t.Remaining(time.Now()); left < min(minRemaining, t.Period/3) {
		timer := time.NewTimer(left + 10*time.Millisecond)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	}
	return t.CodeAt(time.Now()), nil
}
