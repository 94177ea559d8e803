package provider

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// awsCredentials sign requests to AWS. The token is empty for keys that do not expire.
type awsCredentials struct{ id, secret, token string }

// signature is what AWS's Signature Version 4 needs beyond the request.
type signature struct {
	awsCredentials
	region, service string
	now             time.Time
}

// sign adds the headers of a signature, which holds for some minutes, to a request. The query has to be encoded as
// url.Values does it.
func (s signature) sign(req *http.Request, body []byte) {
	date := s.now.UTC().Format("20060102T150405Z")
	sum := sha256.Sum256(body)
	digest := hex.EncodeToString(sum[:])
	req.Header.Set("X-Amz-Date", date)
	if s.token != "" {
		req.Header.Set("X-Amz-Security-Token", s.token)
	}
	names, headers := canonicalHeaders(req)
	canonical := strings.Join([]string{
		req.Method, canonicalPath(req.URL), strings.ReplaceAll(req.URL.Query().Encode(), "+", "%20"), headers, names, digest,
	}, "\n")
	scope := date[:8] + "/" + s.region + "/" + s.service + "/aws4_request"
	hashed := sha256.Sum256([]byte(canonical))
	text := "AWS4-HMAC-SHA256\n" + date + "\n" + scope + "\n" + hex.EncodeToString(hashed[:])
	key := []byte("AWS4" + s.secret)
	for _, part := range []string{date[:8], s.region, s.service, "aws4_request", text} {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(part))
		key = mac.Sum(nil)
	}
	req.Header.Set("Authorization",
		"AWS4-HMAC-SHA256 Credential="+s.id+"/"+scope+", SignedHeaders="+names+", Signature="+hex.EncodeToString(key))
}

// canonicalHeaders returns the names and the lines of the headers that are signed: the host, the content type and AWS's
// own.
func canonicalHeaders(req *http.Request) (names, lines string) {
	signed := [][2]string{{"host", cmp.Or(req.Host, req.URL.Host)}}
	for name, values := range req.Header {
		if lower := strings.ToLower(name); lower == "content-type" || strings.HasPrefix(lower, "x-amz-") {
			signed = append(signed, [2]string{lower, strings.Join(strings.Fields(strings.Join(values, ",")), " ")})
		}
	}
	slices.SortFunc(signed, func(a, b [2]string) int { return cmp.Compare(a[0], b[0]) })
	var n, l strings.Builder
	for i, h := range signed {
		if i > 0 {
			n.WriteByte(';')
		}
		n.WriteString(h[0])
		l.WriteString(h[0] + ":" + h[1] + "\n")
	}
	return n.String(), l.String()
}

// canonicalPath is the path with each segment encoded once more, as all services but S3 want it.
func canonicalPath(u *url.URL) string {
	segments := strings.Split(u.EscapedPath(), "/")
	for i, segment := range segments {
		segments[i] = strings.ReplaceAll(url.QueryEscape(segment), "+", "%20")
	}
	return cmp.Or(strings.Join(segments, "/"), "/")
}
