package traffic

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFailures(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		row                        string
		failed, benign, actionable bool
	}{
		"2.4.13 an answer":                     {`{"url":"http://x/a","status":200}`, false, false, false},
		"2.4.13 a redirect":                    {`{"url":"http://x/a","status":302}`, false, false, false},
		"2.4.13 a status of 400":               {`{"url":"http://x/a","status":400}`, true, false, true},
		"2.4.13 failed":                        {`{"url":"http://x/a","failed":true}`, true, false, true},
		"2.4.13 an error":                      {`{"url":"http://x/a","error":"net::ERR_X"}`, true, false, true},
		"2.4.13 an error that is not text":     {`{"url":"http://x/a","error":null}`, false, false, false},
		"2.4.13 failure of the native backend": {`{"url":"http://x/a","failure":"net::ERR_X"}`, true, false, true},
		"2.4.13 given up by the page": {
			`{"url":"http://x/a","failure":"net::ERR_ABORTED","canceled":true}`, false,
			false, false,
		},
		"2.4.13 an answer that is not read": {
			`{"url":"http://x/a","status":500,"failure":"net::ERR_ABORTED","canceled":true}`, true, false, true,
		},
		"2.4.13 a missing icon": {`{"url":"http://x/favicon.ico","status":404}`, true, true, false},
		"2.4.13 a missing icon, as an image": {
			`{"url":"http://x/favicon.ico?v=2","status":404,"resourceType":"Image","mimeType":"text/html"}`, true, true, false,
		},
		"2.4.13 a missing icon, as other": {
			`{"url":"http://x/i/favicon-32x32.png","status":404,"resourceType":"Other"}`, true, true, false,
		},
		"2.4.13 a missing icon, by its type": {
			`{"url":"http://x/favicon.svg","status":404,"mimeType":"image/svg+xml"}`,
			true, true, false,
		},
		"2.4.13 a missing touch icon": {
			`{"url":"http://x/apple-touch-icon-precomposed.png","status":404}`, true,
			true, false,
		},
		"2.4.13 an icon that got no answer":   {`{"url":"http://x/favicon.ico","failed":true}`, true, true, false},
		"2.4.13 an icon that a server failed": {`{"url":"http://x/favicon.ico","status":500}`, true, false, true},
		"2.4.13 an icon that a script asks for": {
			`{"url":"http://x/favicon.ico","status":404,"resourceType":"Fetch"}`, true,
			false, true,
		},
		"2.4.13 a touch icon of another format": {`{"url":"http://x/apple-touch-icon.svg","status":404}`, true, false, true},
		"2.4.13 only the last part counts":      {`{"url":"http://x/favicon.ico/list","status":404}`, true, false, true},
		"2.4.13 another picture": {
			`{"url":"http://x/logo.png","status":404,"resourceType":"Image"}`, true,
			false, true,
		},
		"2.4.13 a picture in the address": {`{"url":"data:image/png;base64,xx","failed":true}`, true, false, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var row any
			require.NoError(t, json.Unmarshal([]byte(tt.row), &row))
			list := Requests(map[string]any{"requests": []any{row}})
			require.Len(t, list, 1)
			require.Equal(t, list, Requests([]any{row}))
			require.Equal(t, list, Requests(row))
			r := list[0]
			require.Equal(t, []bool{tt.failed, tt.benign, tt.actionable}, []bool{r.Failed, r.Benign(), r.Actionable()})
		})
	}
	require.Empty(t, Requests(nil))
	require.Empty(t, Requests(map[string]any{"cleared": true}))
}
