package testprovider

import (
	"net/http"
	"strings"
)

// Service is what is documented of a provider's API, as far as making and ending a browser go.
type Service struct {
	Provider string            // as after --provider
	Env      map[string]string // that a caller has; BASE is the server's address
	Secret   string            // that must not be seen anywhere

	base   string // path of the API
	made   string // method and path of the request that makes a browser
	answer string // to it; ID is the browser's, WS and HTTP are where its protocol is
	ended  string // method and path of the request that ends it
	word   string // that the body of this has to hold, when there is one
	allows func(*http.Request) bool
}

// Services returns the services that have a test server.
func Services() []Service {
	return []Service{
		{
			Provider: "browserbase", Secret: "bb_live_secret",
			Env:  map[string]string{"BROWSERBASE_API_KEY": "bb_live_secret", "SKUA_BROWSERBASE_API_URL": "BASE"},
			made: "POST /v1/sessions", answer: `{"id":"ID","status":"RUNNING","connectUrl":"WS?signingKey=bb_live_secret"}`,
			ended: "POST /v1/sessions/ID", word: `"status":"REQUEST_RELEASE"`,
			allows: func(r *http.Request) bool { return r.Header.Get("X-BB-API-Key") == "bb_live_secret" },
		},
		{
			Provider: "browserless", Secret: "bl-secret",
			Env:  map[string]string{"BROWSERLESS_API_KEY": "bl-secret", "BROWSERLESS_API_URL": "BASE"},
			made: "POST /session", answer: `{"id":"ID","connect":"WS?token=bl-secret","stop":"BASE/session/ID?token=bl-secret"}`,
			ended:  "DELETE /session/ID",
			allows: func(r *http.Request) bool { return r.URL.Query().Get("token") == "bl-secret" },
		},
		{
			Provider: "browser-use",
			Secret:   "bu_secret",
			Env:      map[string]string{"BROWSER_USE_API_KEY": "bu_secret", "SKUA_BROWSER_USE_API_URL": "BASE/api/v4"},
			base:     "/api/v4",
			made:     "POST /browsers",
			answer:   `{"id":"ID","status":"active","cdpUrl":"HTTP","liveUrl":"https://live.example/bu_secret"}`,
			ended:    "PATCH /browsers/ID",
			word:     `"action":"stop"`,
			allows:   func(r *http.Request) bool { return r.Header.Get("X-Browser-Use-API-Key") == "bu_secret" },
		},
		{
			Provider: "kernel", Secret: "sk_secret",
			Env:  map[string]string{"KERNEL_API_KEY": "sk_secret", "KERNEL_ENDPOINT": "BASE"},
			made: "POST /browsers", answer: `{"session_id":"ID","cdp_ws_url":"WS?jwt=sk_secret","headless":true}`,
			ended:  "DELETE /browsers/ID",
			allows: func(r *http.Request) bool { return r.Header.Get("Authorization") == "Bearer sk_secret" },
		},
		{
			Provider: "agentcore",
			Secret:   "aws-secret",
			Env: map[string]string{
				"AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "aws-secret", "AGENTCORE_REGION": "eu-west-1",
				"SKUA_AGENTCORE_API_URL": "BASE",
			},
			made:   "PUT /browsers/aws.browser.v1/sessions/start",
			answer: `{"browserIdentifier":"aws.browser.v1","sessionId":"ID","streams":{"automationStream":{"streamEndpoint":"WS","streamStatus":"ENABLED"}}}`,
			ended:  "PUT /browsers/aws.browser.v1/sessions/stop",
			allows: func(r *http.Request) bool {
				return strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/") &&
					strings.Contains(r.Header.Get("Authorization"), "/eu-west-1/bedrock-agentcore/aws4_request")
			},
		},
		{
			Provider: "selenium",
			Secret:   "grid-secret",
			Env:      map[string]string{"SELENIUM_REMOTE_URL": "USERBASE"},
			made:     "POST /session",
			ended:    "DELETE /session/ID",
			answer:   `{"value":{"sessionId":"ID","capabilities":{"browserName":"chrome","browserVersion":"156.0","se:cdp":"ws://grid.internal:4444PATH","se:cdpVersion":"156.0"}}}`,
			allows:   func(r *http.Request) bool { _, password, _ := r.BasicAuth(); return password == "grid-secret" },
		},
	}
}
