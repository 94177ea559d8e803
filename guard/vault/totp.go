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

	"github.com/skua-browser/skua/engine/fault"
)

// TOTP makes one-time codes by the time, see RFC 6238.
type TOTP struct {
	secret []byte
	hash   func() hash.Hash
	Digits int           // 6 to 8
	Period time.Duration // for which a code holds
}

// Format prints nothing of the secret.
func (TOTP) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte("[one-time codes]")) }

// ParseTOTP reads an otpauth:// address, as QR codes hold it, or a secret in base32, with blanks and dashes or without. Its errors quote nothing.
func ParseTOTP(text string) (TOTP, error) {
	text = strings.TrimSpace(text)
	t := TOTP{hash: sha1.New, Digits: 6, Period: 30 * time.Second}
	if !strings.HasPrefix(strings.ToLower(text), "otpauth:") {
		return t, t.setSecret(text)
	}
	u, err := url.Parse(text)
	if err != nil {
		return t, badTOTP("it is no otpauth:// address")
	}
	if !strings.EqualFold(u.Host, "totp") {
		return t, badTOTP("only otpauth://totp/ is known: codes that count uses instead of time are not")
	}
	q := u.Query()
	switch strings.ToUpper(strings.ReplaceAll(q.Get("algorithm"), "-", "")) {
	case "", "SHA1":
	case "SHA256":
		t.hash = sha256.New
	case "SHA512":
		t.hash = sha512.New
	default:
		return t, badTOTP("its algorithm is none of SHA1, SHA256 and SHA512")
	}
	if d := q.Get("digits"); d != "" {
		if t.Digits, err = strconv.Atoi(d); err != nil || t.Digits < 6 || t.Digits > 8 {
			return t, badTOTP("its digits are none of 6, 7 and 8")
		}
	}
	if p := q.Get("period"); p != "" {
		n, err := strconv.Atoi(p)
		if err != nil || n < 5 || n > 3600 {
			return t, badTOTP("its period is no number of seconds from 5 to 3600")
		}
		t.Period = time.Duration(n) * time.Second
	}
	return t, t.setSecret(q.Get("secret"))
}

func (t *TOTP) setSecret(text string) error {
	text = strings.ToUpper(strings.TrimRight(strings.NewReplacer(" ", "", "-", "").Replace(text), "="))
	secret, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(text)
	if err != nil || len(secret) == 0 {
		return badTOTP("its secret is no base32 text")
	}
	t.secret = secret
	return nil
}

func badTOTP(why string) error {
	return fault.New(fault.Usage, "The secret for one-time codes cannot be used: %s", why).About("--totp").
		WithHint("Give the otpauth:// address that the QR code holds, or the secret that the site shows beside it.")
}

// At returns the code of a moment.
func (t TOTP) At(moment time.Time) string {
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

// Left returns for how long the code of a moment still holds.
func (t TOTP) Left(moment time.Time) time.Duration {
	return t.Period - time.Duration(moment.UnixNano())%t.Period
}

// needed is how long a code has to hold for its way through a form to a server.
const needed = 5 * time.Second

// Code returns a code that holds for at least 5 s, or a third of its period where that is less; it waits for the next one for that.
func (t TOTP) Code(ctx context.Context) (string, error) {
	if left := t.Left(time.Now()); left < min(needed, t.Period/3) {
		timer := time.NewTimer(left + 10*time.Millisecond)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	}
	return t.At(time.Now()), nil
}
