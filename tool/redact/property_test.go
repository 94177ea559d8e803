package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/contract"
)

// planted is a call that was given, or gets back, a secret.
type planted struct {
	args  []string
	stdin string
	name  string // of the command, for its data
	data  any
}

// places are the ways in which a secret comes into a call.
var places = map[string]func(r *rand.Rand, secret string) planted{
	"9.2 flag": func(r *rand.Rand, secret string) planted {
		flag := []string{"--body", "--headers", "--password", "--proxy"}[r.IntN(4)]
		if r.IntN(2) == 0 {
			return planted{args: []string{"open", "http://a.test", flag + "=" + secret}}
		}
		return planted{args: []string{flag, secret, "open", "http://a.test"}}
	},
	"9.2 header": func(_ *rand.Rand, secret string) planted {
		object, _ := json.Marshal(map[string]string{"Authorization": "Bearer " + secret})
		return planted{args: []string{"set", "headers", string(object)}}
	},
	"9.2 proxy": func(_ *rand.Rand, secret string) planted {
		return planted{args: []string{"--proxy", "http://user:" + secret + "@p.test:80", "open", "a.test"}}
	},
	"9.2 cookie": func(_ *rand.Rand, secret string) planted {
		return planted{args: []string{"cookies", "set", "n", secret}}
	},
	"9.2 storage": func(r *rand.Rand, secret string) planted {
		return planted{args: []string{"storage", []string{"local", "session"}[r.IntN(2)], "set", "n", secret}}
	},
	"9.2 credentials": func(_ *rand.Rand, secret string) planted {
		return planted{args: []string{"set", "credentials", "me", secret}}
	},
	"9.2 clipboard": func(_ *rand.Rand, secret string) planted {
		return planted{args: []string{"clipboard", "write", secret}}
	},
	"9.2 9.3 address": func(r *rand.Rand, secret string) planted {
		names := []string{
			"access_token", "refresh_token", "id_token", "api_key", "authorization", "client_secret", "code",
			"cookie", "key", "password", "secret", "sentry_key", "session_id", "sig", "signature", "token", "write_key",
		}
		address := "https://a.test/x?page=1&" + names[r.IntN(len(names))] + "=" + escapedQuery(secret)
		return planted{args: []string{"open", address}, data: map[string]any{"url": address, "title": "at " + address}}
	},
	"9.2 bearer": func(_ *rand.Rand, secret string) planted {
		return planted{args: []string{"eval", "1"}, data: map[string]any{"result": "Authorization: Bearer " + token(secret)}}
	},
	"9.2 basic": func(_ *rand.Rand, secret string) planted {
		return planted{
			args: []string{"eval", "1"},
			data: map[string]any{"result": "sent Basic " + base64.StdEncoding.EncodeToString([]byte("me:"+secret))},
		}
	},
	"9.4 cookies": func(_ *rand.Rand, secret string) planted {
		return planted{
			args: []string{"cookies"}, name: "cookies get",
			data: map[string]any{"cookies": []any{map[string]any{"name": "n", "value": secret}}},
		}
	},
	"9.4 state": func(_ *rand.Rand, secret string) planted {
		return planted{
			args: []string{"state", "show", "x"}, name: "state show",
			data: map[string]any{
				"state": map[string]any{"origins": []any{map[string]any{"localStorage": []any{map[string]any{
					"name":  "n",
					"value": secret,
				}}}}},
			},
		}
	},
	"9.4 storage by its key": func(_ *rand.Rand, secret string) planted {
		return planted{
			args: []string{"storage", "local"}, name: "storage local get",
			data: map[string]any{"data": map[string]any{"authToken": secret}},
		}
	},
	"9.4 nested by name": func(r *rand.Rand, secret string) planted {
		name := []string{
			"password", "apiKey", "refreshToken", "client_secret", "Authorization", "set-cookie",
			"X-API-Key",
		}[r.IntN(7)]
		var v any = map[string]any{name: secret}
		for range r.IntN(5) {
			if r.IntN(2) == 0 {
				v = []any{1.0, v}
			} else {
				v = map[string]any{"inner": v}
			}
		}
		return planted{args: []string{"eval", "1"}, data: map[string]any{"result": v}}
	},
	"9.5 rows": func(_ *rand.Rand, secret string) planted {
		rows, _ := json.Marshal([][]string{
			{"open", "http://a.test"},
			{"storage", "local", "set", "k", secret},
			{"cookies", "set", "a", secret},
		})
		return planted{args: []string{"batch"}, stdin: string(rows)}
	},
	"9.5 rows that are strings": func(_ *rand.Rand, secret string) planted {
		return planted{args: []string{"batch", "get title", "cookies set a '" + secret + "'"}}
	},
	"9.5 password on standard input": func(_ *rand.Rand, secret string) planted {
		return planted{args: []string{"auth", "save", "x", "--password-stdin"}, stdin: secret + "\n"}
	},
	"9.7 password field": func(_ *rand.Rand, secret string) planted {
		return planted{args: []string{"fill", "input[name=password]", secret}}
	},
}

// token is a secret in the alphabet of tokens.
func token(secret string) string { return base64.RawURLEncoding.EncodeToString([]byte(secret)) }

func escapedQuery(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if isAlnum(s[i]) {
			b.WriteByte(s[i])
		} else {
			fmt.Fprintf(&b, "%%%02X", s[i])
		}
	}
	return b.String()
}

func randomSecret(r *rand.Rand) string {
	const signs = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.!:/+&=% \"\\"
	b := make([]byte, 8+r.IntN(24))
	for i := range b {
		b[i] = signs[r.IntN(len(signs))]
	}
	b[0], b[len(b)-1] = 'q', 'Z' // blanks at the ends do not survive the reading of rows
	return string(b)
}

func TestPlantedSecretsNeverAppear(t *testing.T) {
	t.Parallel()
	for name, plant := range places {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seed := rand.Uint64()
			t.Logf("seed %d", seed)
			r := rand.New(rand.NewPCG(seed, 1))
			for range 200 {
				secret := randomSecret(r)
				p := plant(r, secret)
				forms := []string{
					secret, escapedQuery(secret), escaped(secret), token(secret),
					base64.StdEncoding.EncodeToString([]byte("me:" + secret)),
				}
				shown := strings.Join(echo(t, p, secret), "\n")
				for _, form := range forms {
					require.NotContains(t, shown, form, "seed %d: %q", seed, p)
				}
			}
		})
	}
}

// echo is all that leaves a call which says what it was given in every place that it has.
func echo(t *testing.T, p planted, secret string) []string {
	r := New(p.args, []byte(p.stdin))
	data := r.Data(p.name, p.data)
	known := ""
	if p.data == nil { // the call was given the secret: an error may speak of it
		known = "could not use " + secret + " for that; " + fmt.Sprintf("%q", secret)
	}
	step := contract.BatchStep{Command: p.args, Error: known, Data: map[string]any{"deep": []any{known}}, Text: known}
	res := &contract.Result{Content: []contract.Content{contract.TextOf("Error: " + known + " (" +
		strings.Join(r.Args(p.args), " ") + ")")}, Details: &contract.Details{
		CallDetails: contract.CallDetails{
			Args: p.args, EffectiveArgs: append([]string{"--json", "--session", "s"}, p.args...), Data: p.data, Stderr: known,
			Error: known, Stdout: known,
			Facts: map[string]any{"value": known, "args": p.args}, Warnings: []string{known}, Summary: known,
		},
		CompiledDetails: contract.CompiledDetails{CompiledJob: &contract.CompiledJob{
			Args: p.args, Stdin: p.stdin,
			Steps: []contract.JobStep{{Action: "x", Args: p.args}},
		}},
		OutcomeDetails: contract.OutcomeDetails{
			ValidationError: known, BatchSteps: []contract.BatchStep{step},
			BatchFailure: &contract.BatchFailure{FailedStep: step},
			NextActions:  []contract.NextAction{{ID: "x", Params: contract.NextParams{Args: p.args, Stdin: p.stdin}}},
		},
		SessionDetails: contract.SessionDetails{SessionTabTarget: &contract.PageTarget{Title: known}},
	}}
	r.Result(res)
	all, err := json.Marshal(res)
	require.NoError(t, err)
	again, err := json.Marshal(data)
	require.NoError(t, err)
	var log bytes.Buffer
	logger := slog.New(Log(slog.NewTextHandler(&log, nil)))
	logger.Info("ran", "args", p.args)
	return []string{
		string(all), string(again), r.Text(known), strings.Join(r.Args(p.args), " "), r.Stdin(p.stdin),
		log.String(),
	}
}
