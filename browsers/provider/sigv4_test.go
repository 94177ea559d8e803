package provider

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The cases are those of AWS's own test suite for Signature Version 4.
func TestSignature(t *testing.T) {
	t.Parallel()
	const head = "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, " +
		"SignedHeaders=host;x-amz-date, Signature="
	for name, c := range map[string]struct{ method, url, want string }{
		"plain": {
			http.MethodGet, "https://example.amazonaws.com/",
			head + "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
		},
		"sorted query": {
			http.MethodGet, "https://example.amazonaws.com/?Param2=value2&Param1=value1",
			head + "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
		},
		"posted": {
			http.MethodPost, "https://example.amazonaws.com/",
			head + "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
		},
		"without slash": {
			http.MethodGet, "https://example.amazonaws.com",
			head + "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req, err := http.NewRequest(c.method, c.url, nil)
			require.NoError(t, err)
			signature{
				awsCredentials{id: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"},
				"us-east-1", "service",
				time.Date(2015, 8, 30, 12, 36, 0, 0, time.UTC),
			}.sign(req, nil)
			require.Equal(t, c.want, req.Header.Get("Authorization"))
			require.Equal(t, "20150830T123600Z", req.Header.Get("X-Amz-Date"))
		})
	}
}

func TestSignatureOfPassingCredentials(t *testing.T) {
	t.Parallel()
	req, err := http.NewRequest(http.MethodPut,
		"https://example.amazonaws.com/browsers/aws.browser.v1/sessions/stop?sessionId=a%2Fb", nil)
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	signature{awsCredentials{"id", "secret", "token"}, "us-east-1", "service", time.Unix(0, 0)}.sign(req, []byte("{}"))
	require.Equal(t, "token", req.Header.Get("X-Amz-Security-Token"))
	require.Contains(t, req.Header.Get("Authorization"),
		"SignedHeaders=content-type;host;x-amz-date;x-amz-security-token,")
	require.False(t, strings.Contains(req.Header.Get("Authorization"), "secret"))
}
