package provider

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"time"

	"github.com/skua-browser/skua/internal/fault"
)

// agentCoreWishes are the request for a session.
type agentCoreWishes struct {
	Name    string `json:"name"`
	Timeout int    `json:"sessionTimeoutSeconds"`
	Token   string `json:"clientToken"`
	Profile struct {
		ID string `json:"profileIdentifier"`
	} `json:"profileConfiguration,omitzero"`
}

// startAgentCore starts a session of AWS Bedrock AgentCore's browser. AWS ends it after its timeout at the latest.
func startAgentCore(ctx context.Context, c *call) (*Browser, error) {
	region := c.firstOf("us-east-1", "AGENTCORE_REGION", "AWS_REGION", "AWS_DEFAULT_REGION")
	base, err := c.baseURL("https://bedrock-agentcore."+region+".amazonaws.com", "SKUA_AGENTCORE_API_URL",
		"AWS_ENDPOINT_URL_BEDROCK_AGENTCORE")
	if err != nil {
		return nil, err
	}
	timeout, err := c.number("AGENTCORE_SESSION_TIMEOUT", "seconds", 60, 28800)
	if err != nil {
		return nil, err
	}
	if timeout == 0 {
		timeout = 3600
	}
	credentials, err := c.awsCredentials(ctx)
	if err != nil {
		return nil, err
	}
	sign := func(req *http.Request, body []byte) error {
		signature{credentials, region, "bedrock-agentcore", time.Now()}.sign(req, body)
		return nil
	}
	a := c.api(base.String(), "", nil)
	a.sign = sign
	browser := c.firstOf("aws.browser.v1", "AGENTCORE_BROWSER_ID")
	body := agentCoreWishes{Name: "skua", Timeout: timeout, Token: rand.Text() + rand.Text()}
	body.Profile.ID = c.firstOf("", "AGENTCORE_PROFILE_ID")
	var made struct {
		ID      string `json:"sessionId"`
		Streams struct {
			Automation struct {
				Endpoint string `json:"streamEndpoint"`
			} `json:"automationStream"`
		} `json:"streams"`
	}
	if err := a.make(ctx, http.MethodPut, "/browsers/"+url.PathEscape(browser)+"/sessions/start", body,
		&made); err != nil {
		return nil, err
	}
	b := &Browser{
		About: "a browser of AgentCore, session " + made.ID,
		release: func(ctx context.Context) error {
			path := "/browsers/" + url.PathEscape(browser) + "/sessions/stop?" + url.Values{"sessionId": {made.ID}}.Encode()
			return unlessGone(a.do(ctx, http.MethodPut, path, map[string]string{"clientToken": rand.Text() + rand.Text()}, nil))
		},
	}
	stream := made.Streams.Automation.Endpoint
	if stream == "" {
		stream = base.String() + "/browser-streams/" + url.PathEscape(browser) + "/sessions/" + url.PathEscape(made.ID) +
			"/automation"
	}
	if b.Address, b.Header, err = signedSocket(stream, sign); err != nil {
		_ = b.Release(ctx)
		return nil, c.failed("answer has no usable streamEndpoint")
	}
	return c.usable(ctx, b, made.ID, "streamEndpoint")
}

// signedSocket returns the websocket address of a stream and the signed headers of the handshake.
func signedSocket(stream string, sign func(*http.Request, []byte) error) (string, http.Header, error) {
	u, err := url.Parse(stream)
	if err != nil || u.Host == "" {
		return "", nil, fmt.Errorf("no address")
	}
	u.Scheme = "http" + strings.TrimPrefix(strings.TrimPrefix(u.Scheme, "ws"), "http")
	req, err := http.NewRequest(http.MethodGet, u.String(), nil)
	if err != nil {
		return "", nil, err
	}
	if err := sign(req, nil); err != nil {
		return "", nil, err
	}
	u.Scheme = strings.Replace(u.Scheme, "http", "ws", 1)
	return u.String(), req.Header, nil
}

// awsLimit bounds how long AWS's own program may take to tell credentials.
const awsLimit = 10 * time.Second

// awsCredentials come from the environment, else from AWS's command line, which knows profiles, roles and single
// sign-on.
func (c *call) awsCredentials(ctx context.Context) (awsCredentials, error) {
	found := awsCredentials{
		c.firstOf("", "AWS_ACCESS_KEY_ID"), c.firstOf("", "AWS_SECRET_ACCESS_KEY"),
		c.firstOf("", "AWS_SESSION_TOKEN"),
	}
	if found.id == "" || found.secret == "" {
		var err error
		if found, err = c.exportedCredentials(ctx); err != nil {
			return found, err
		}
	}
	c.hides(found.id, found.secret, found.token)
	return found, nil
}

func (c *call) exportedCredentials(ctx context.Context) (awsCredentials, error) {
	ctx, cancel := context.WithTimeout(ctx, awsLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "aws", "configure", "export-credentials", "--format", "process")
	cmd.WaitDelay = time.Second
	cmd.Env = []string{}
	for _, name := range []string{
		"PATH", "HOME", "USERPROFILE", "TMPDIR", "TEMP", "AWS_PROFILE", "AWS_DEFAULT_PROFILE", "AWS_CONFIG_FILE",
		"AWS_SHARED_CREDENTIALS_FILE",
		"AWS_REGION", "AWS_DEFAULT_REGION", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy",
	} {
		if v := c.Getenv(name); v != "" {
			cmd.Env = append(cmd.Env, name+"="+v)
		}
	}
	var out, words bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &words
	hint := "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or sign in with `aws sso login`."
	if err := cmd.Run(); err != nil {
		why := strings.Join(strings.Fields(words.String()), " ")
		if why == "" {
			why = err.Error()
		}
		return awsCredentials{}, fault.New(fault.Usage,
			"No AWS credentials: AWS_ACCESS_KEY_ID is not set, and `aws configure export-credentials` says: %.200s", why).
			About("AWS_ACCESS_KEY_ID").WithHint("%s", hint)
	}
	var credentials struct {
		ID     string `json:"AccessKeyId"`
		Secret string `json:"SecretAccessKey"`
		Token  string `json:"SessionToken"`
	}
	if err := json.Unmarshal(out.Bytes(), &credentials); err != nil || credentials.ID == "" || credentials.Secret == "" {
		return awsCredentials{}, fault.New(fault.Usage, "`aws configure export-credentials` returned no credentials").
			About("AWS_ACCESS_KEY_ID").WithHint("%s", hint)
	}
	return awsCredentials{credentials.ID, credentials.Secret, credentials.Token}, nil
}
