package vault

import (
	"context"
	"encoding/base32"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// The test vectors of RFC 6238, appendix B.
func TestTOTPVectors(t *testing.T) {
	t.Parallel()
	const digits = "1234567890"
	secrets := map[string]string{
		"SHA1": strings.Repeat(digits, 2), "SHA256": strings.Repeat(digits, 4)[:32],
		"SHA512": strings.Repeat(digits, 7)[:64],
	}
	for _, v := range []struct {
		at                   int64
		sha1, sha256, sha512 string
	}{
		{59, "94287082", "46119246", "90693936"},
		{1111111109, "07081804", "68084774", "25091201"},
		{1111111111, "14050471", "67062674", "99943326"},
		{1234567890, "89005924", "91819424", "93441116"},
		{2000000000, "69279037", "90698825", "38618901"},
		{20000000000, "65353130", "77737706", "47863826"},
	} {
		for algorithm, want := range map[string]string{"SHA1": v.sha1, "SHA256": v.sha256, "SHA512": v.sha512} {
			secret := base32.StdEncoding.EncodeToString([]byte(secrets[algorithm]))
			totp, err := ParseTOTP("otpauth://totp/Example:ann?digits=8&algorithm=" + algorithm + "&secret=" + secret)
			require.NoError(t, err)
			require.Equal(t, want, totp.CodeAt(time.Unix(v.at, 0)), "%s at %d", algorithm, v.at)
		}
	}
}

func TestParseTOTP(t *testing.T) {
	t.Parallel()
	plain, err := ParseTOTP("gezd gnbv-gy3t qojq gezd gnbv gy3t qojq")
	require.NoError(t, err)
	require.Equal(t, "287082", plain.CodeAt(time.Unix(59, 0)),
		"six digits of SHA1 every 30 s are what a bare secret means")
	require.Equal(t, "[one-time codes]", fmt.Sprintf("%v", plain))

	long, err := ParseTOTP("otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&period=60&digits=7")
	require.NoError(t, err)
	require.Equal(t, time.Minute, long.Period)
	require.Len(t, long.CodeAt(time.Unix(59, 0)), 7)

	for name, text := range map[string]string{
		"nothing": "", "no base32": "hunter2!", "hotp": "otpauth://hotp/x?secret=GEZDGNBVGY3TQOJQ&counter=1",
		"an algorithm": "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&algorithm=MD5",
		"digits":       "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&digits=9",
		"a period":     "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&period=0", "no secret": "otpauth://totp/x?digits=6",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := ParseTOTP(text)
			require.True(t, fault.Is(err, fault.Usage), err)
			require.NotContains(t, err.Error(), "GEZDGNBVGY3TQOJQ")
			require.NotContains(t, err.Error(), "hunter2")
		})
	}
}

// A code that is about to end is not handed out.
func TestCodeWaits(t *testing.T) {
	t.Parallel()
	totp, err := ParseTOTP("GEZDGNBVGY3TQOJQ")
	require.NoError(t, err)
	synctest.Test(t, func(t *testing.T) { // whose clock begins at midnight
		begun := time.Now()
		code, err := totp.Code(t.Context())
		require.NoError(t, err)
		require.Equal(t, totp.CodeAt(begun), code)
		require.Zero(t, time.Since(begun))

		time.Sleep(27 * time.Second)
		code, err = totp.Code(t.Context())
		require.NoError(t, err)
		require.Equal(t, totp.CodeAt(begun.Add(30*time.Second)), code)
		require.Greater(t, time.Since(begun), 30*time.Second)

		time.Sleep(28 * time.Second)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = totp.Code(ctx)
		require.ErrorIs(t, err, context.Canceled)
	})
}

func TestBind(t *testing.T) {
	t.Parallel()
	b, err := Bind("http://Example.com:80/login?next=1", "https://id.example.org/")
	require.NoError(t, err)
	require.Equal(t, "http://example.com", b.Home())
	for origin, want := range map[string]bool{
		"http://example.com": true, "https://example.com": true, "https://id.example.org": true,
		"http://example.com:8080": false, "https://example.com.evil.org": false, "https://login.example.com": false,
		"http://id.example.org": false, "null": false, "": false,
	} {
		require.Equal(t, want, b.Allows(origin), origin)
	}
	ported, err := Bind("http://[::1]:8080/")
	require.NoError(t, err)
	require.True(t, ported.Allows("http://[::1]:8080"))
	require.False(t, ported.Allows("https://[::1]:8080"))
	for _, bad := range []string{"", "example.com", "file:///etc/passwd", "javascript:alert(1)", "https://"} {
		_, err := Bind(bad)
		require.True(t, fault.Is(err, fault.Usage), bad)
	}
}
