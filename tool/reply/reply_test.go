package reply_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/testbackend"
	"github.com/skua-browser/skua/tool/artifacts"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/input"
	"github.com/skua-browser/skua/tool/planning"
	"github.com/skua-browser/skua/tool/redact"
	"github.com/skua-browser/skua/tool/reply"
	"github.com/skua-browser/skua/tool/running"
	"github.com/skua-browser/skua/tool/verdict"
)

// judged is a call that has been judged.
func judged(t *testing.T, a backend.Answer, v *verdict.Verdict, words ...string) reply.Case {
	line, err := input.Compile(&contract.Params{Args: words})
	require.NoError(t, err)
	spills := artifacts.NewSpills(t.TempDir(), 1<<20)
	t.Cleanup(func() { require.NoError(t, spills.Close()) })
	return reply.Case{
		Plan:   &planning.Plan{Line: line, Args: line.Args, Words: line.Words, Rows: line.Rows, Stdin: line.Stdin},
		Answer: &running.Answer{Answer: a, Command: line.Args}, Verdict: v, Secrets: redact.New(line.Args, line.Stdin),
		Cwd: t.TempDir(), Files: artifacts.NewLedger(10), Spills: spills, InlineImageBytes: 1 << 20,
	}
}

func success() *verdict.Verdict {
	return &verdict.Verdict{OutcomeDetails: contract.OutcomeDetails{
		ResultCategory:  contract.Success,
		SuccessCategory: contract.Completed,
	}}
}

func failure(message string, after ...contract.NextAction) *verdict.Verdict {
	return &verdict.Verdict{
		Error: message,
		OutcomeDetails: contract.OutcomeDetails{
			ResultCategory: contract.Failure, FailureCategory: contract.UpstreamError,
			NextActions: after,
		},
	}
}

func result(c reply.Case) *contract.Result { return reply.Of(c).Result(c.Secrets) }

func TestReply(t *testing.T) {
	t.Parallel()
	t.Run("a success has its text and what was found", func(t *testing.T) {
		t.Parallel()
		v := success()
		v.Warnings, v.Notes = []string{"careful"}, []string{"A note."}
		r := result(judged(t, backend.Answer{Started: true, Success: true, Data: map[string]any{"title": "One"}, Text: "One"},
			v, "get", "title"))
		require.False(t, r.IsError)
		require.Contains(t, r.Text(), "One")
		require.Contains(t, r.Text(), "⚠ careful")
		require.Contains(t, r.Text(), "A note.")
		require.Equal(t, map[string]any{"title": "One"}, r.Details.Data)
		require.Equal(t, 0, *r.Details.ExitCode)
		require.Nil(t, r.Details.Started)
	})
	t.Run("a failure has its message and the follow-ups", func(t *testing.T) {
		t.Parallel()
		v := failure("It broke.",
			contract.NextAction{
				Tool: contract.ToolName, ID: "look", Reason: "See it.",
				Params: contract.NextParams{Args: []string{"snapshot", "-i"}},
			})
		r := result(judged(t, backend.Answer{Started: true, ExitCode: 1, Error: "It broke."}, v, "get", "title"))
		require.True(t, r.IsError)
		require.Contains(t, r.Text(), "It broke.")
		require.Contains(t, r.Text(), "look")
		require.Equal(t, 1, *r.Details.ExitCode)
	})
	t.Run("secrets of the line are nowhere", func(t *testing.T) {
		t.Parallel()
		const secret = "hunter2hunter2"
		a := backend.Answer{Started: true, Success: true, Data: map[string]any{"value": secret}, Text: secret}
		r := result(judged(t, a, success(), "--headers", `{"Authorization":"Bearer `+secret+`"}`, "get", "value", "#a"))
		require.NotContains(t, r.Text(), secret)
		require.NotContains(t, fmt.Sprint(r.Details.Data), secret)
		require.NotContains(t, strings.Join(r.Details.EffectiveArgs, " "), secret)
	})
	t.Run("output that could not be read is not shown", func(t *testing.T) {
		t.Parallel()
		r := result(judged(t, backend.Answer{Started: true, ParseError: "no JSON", Text: "anything at all"},
			failure("no JSON"), "get", "title"))
		require.NotContains(t, r.Text(), "anything at all")
		require.NotEmpty(t, r.Details.FullOutputUnavailable)
	})
	t.Run("JSON has nothing around it", func(t *testing.T) {
		t.Parallel()
		v := success()
		v.Notes = []string{"A note."}
		r := result(judged(t, backend.Answer{Started: true, Success: true, Data: map[string]any{"title": "One"}}, v, "--json",
			"get", "title"))
		require.NotContains(t, r.Text(), "A note.")
	})
	t.Run("a long output goes to a file", func(t *testing.T) {
		t.Parallel()
		const secret = "hunter2hunter2"
		long := strings.Repeat("word ", 40_000)
		c := judged(t,
			backend.Answer{Started: true, Success: true, Data: map[string]any{"text": long + secret}, Text: long + secret},
			success(),
			"--headers", `{"Authorization":"Bearer `+secret+`"}`, "get", "text", "body")
		r := result(c)
		require.Less(t, len(r.Text()), len(long))
		kept, err := os.ReadFile(r.Details.FullOutputPath)
		require.NoError(t, err)
		require.Contains(t, string(kept), strings.TrimSpace(long))
		require.NotContains(t, string(kept), secret)
		require.NotEmpty(t, r.Details.ArtifactManifest.Entries)
	})
}

// shout says all in capitals, and sends no follow-ups that look.
type shout struct{}

func (shout) FollowUp(a contract.NextAction) (contract.NextAction, bool) { return a, a.ID != "look" }

func (shout) Text(text string) string { return strings.ToUpper(text) }

func TestReplyInTheWordsOfTheCaller(t *testing.T) {
	t.Parallel()
	v := failure("it broke", contract.NextAction{ID: "look"}, contract.NextAction{ID: "act"})
	v.Notes = []string{"a note"}
	c := judged(t, backend.Answer{Started: true, Error: "it broke"}, v, "get", "title")
	c.Caller = shout{}
	r := result(c)
	require.Contains(t, r.Text(), "IT BROKE")
	require.Contains(t, r.Text(), "A NOTE")
	require.Len(t, r.Details.NextActions, 1)
	require.Equal(t, "it broke", c.Answer.Error, "the answer itself stays as it is")
	require.Len(t, v.NextActions, 2, "and so does the verdict")
}

func TestReplyGoesToAFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "out.json")
	a := backend.Answer{Started: true, Success: true, Data: map[string]any{"title": "One"}}
	save := func(v *verdict.Verdict) *contract.Result {
		c := judged(t, a, v, "get", "title")
		c.Plan.Output = planning.NewOutput(&file, &testbackend.StandIn{}, backend.Invocation{Cwd: t.TempDir()})
		return result(c)
	}
	r := save(failure("It broke."))
	require.Nil(t, r.Details.OutputFile)
	require.NoFileExists(t, file, "of a failure nothing is written")
	r = save(success())
	require.Equal(t, "saved", r.Details.OutputFile.Status, r.Details.OutputFile.Error)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.JSONEq(t, `{"title":"One"}`, string(text))
	v := success()
	v.Artifacts = []contract.Artifact{{Path: "out.json", AbsolutePath: file, Status: "saved"}}
	r = save(v)
	require.True(t, r.IsError)
	require.Contains(t, r.Text(), "same destination")
}
