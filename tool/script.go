package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/artifacts"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/input"
	"github.com/skua-browser/skua/tool/judging"
	"github.com/skua-browser/skua/tool/lease"
	"github.com/skua-browser/skua/tool/redact"
	"github.com/skua-browser/skua/tool/reply"
	"github.com/skua-browser/skua/tool/script"
)

// scriptRun is a script with the session that is its own.
type scriptRun struct {
	caller  *Tool
	request Request
	secrets *redact.Redactor
	details *contract.Details
	tool    *Tool // of the script alone: its managed session is the script's
	session string
	held    *lease.Held
	used    bool // a call was accepted

	artifacts []contract.Artifact
}

// runScript runs JavaScript that drives the browser. Its calls go the way of all calls, in a tool of the script's own
// whose session ends with the script.
func (t *Tool) runScript(ctx context.Context, r Request, line *input.Line, secrets *redact.Redactor) *contract.Result {
	d := reply.Begin(line)
	d.Command = "script"
	limit := script.DefaultTimeout
	if line.TimeoutMs > 0 {
		limit = time.Duration(line.TimeoutMs) * time.Millisecond
	}
	to, refusal := t.reserveOutput(r.Backend, line)
	if refusal != nil {
		return reply.Refused(d, refusal, nil, r.Caller).Result(secrets)
	}
	name := lease.Name()
	r.Progress = r.reporter(secrets)
	run := &scriptRun{
		caller:  t,
		request: r,
		secrets: secrets,
		details: d,
		tool:    t.forScript(name),
		session: name,
	}
	r.Progress("Running agent-browser script")
	outcome := script.Run(ctx, script.Program{Source: *r.Script, Timeout: limit, Browser: run.browse})
	cleaned := run.close(ctx)
	run.account(&outcome, limit)
	draft := reply.Made(d, run.judge(&outcome, cleaned))
	draft.Save(to, t.files)
	return draft.Result(secrets)
}

// judge says how the script ended, and returns what the model sees of it.
func (s *scriptRun) judge(o *script.Outcome, cleaned bool) string {
	d := s.details
	d.Artifacts = s.artifacts
	d.ArtifactVerification = artifacts.Verify(d.Artifacts)
	if len(d.Artifacts) > 0 {
		if m := s.caller.files.Manifest(); m != nil {
			d.ArtifactManifest, d.ArtifactRetentionSummary = m, artifacts.Summary(m)
		}
	}
	switch {
	case !cleaned:
		d.NextActions = []contract.NextAction{{
			Tool:   contract.ToolName,
			ID:     "close-script-session-after-cleanup-failure",
			Reason: "Close the browser that the script left behind.",
			Params: contract.NextParams{Args: lease.CloseArgs(s.session)},
		}}
		return s.failed(contract.CleanupFailed,
			"cleanup failed: the session "+s.session+" of the script could not be closed. "+o.Message)
	case o.Failure != "":
		return s.failed(o.Failure, o.Message)
	}
	d.ResultCategory = contract.Success
	d.SuccessCategory = judging.SuccessOf(&judging.Outcome{
		Success:      true,
		Artifacts:    d.Artifacts,
		Verification: d.ArtifactVerification,
	})
	if o.HasData {
		d.Data = o.Data
	}
	return s.text(o)
}

// failed makes a failure of the script, and returns its text.
func (s *scriptRun) failed(category contract.FailureCategory, message string) string {
	d := s.details
	d.ResultCategory, d.FailureCategory, d.Error = contract.Failure, category, message
	if category == contract.ValidationError {
		d.ValidationError = message
	}
	var text strings.Builder
	text.WriteString(message)
	for _, step := range d.ScriptSteps {
		if step.ResultCategory == contract.Failure {
			fmt.Fprintf(&text, "\nCall %d — %s (failed): %s", step.Index+1, strings.Join(step.Args, " "), step.Error)
		}
	}
	return text.String()
}

// text is what the model sees of a script that ran to its end.
func (s *scriptRun) text(o *script.Outcome) string {
	if !o.HasData {
		return s.details.Summary + " It emitted and returned nothing."
	}
	if text, ok := o.Data.(string); ok {
		return text
	}
	raw, err := json.MarshalIndent(o.Data, "", "  ")
	if err != nil {
		return s.details.Summary
	}
	return string(raw)
}

// account reports what the script did.
func (s *scriptRun) account(o *script.Outcome, limit time.Duration) {
	d := s.details
	run := &contract.ScriptRun{
		CallCount:  len(o.Steps),
		EmitCount:  o.Emits,
		DurationMs: o.Took.Milliseconds(),
		TimeoutMs:  limit.Milliseconds(),
	}
	for i, step := range o.Steps {
		if step.Reply.OK {
			run.SuccessfulCallCount++
		} else {
			run.FailedCallCount++
		}
		if step.Reply.Refused {
			run.PreDispatchRejectedCallCount++
		}
		var stdin []byte
		if step.Call.Stdin != nil {
			stdin = []byte(*step.Call.Stdin)
		}
		d.ScriptSteps = append(d.ScriptSteps, contract.ScriptStep{
			Index: i,
			Args: redact.New(step.Call.Args, stdin).
				Args(step.Call.Args),
			ResultCategory:  step.Reply.ResultCategory,
			SuccessCategory: step.Reply.SuccessCategory,
			FailureCategory: step.Reply.FailureCategory,
			Summary:         step.Reply.Summary,
			Error:           step.Reply.Error,
			DurationMs:      step.Took.Milliseconds(),
		})
	}
	d.ScriptRun = run
	d.Summary = fmt.Sprintf("Script: %d of %d browser calls succeeded, %d values emitted.", run.SuccessfulCallCount,
		run.CallCount, run.EmitCount)
}

// browse runs one call of the script.
func (s *scriptRun) browse(ctx context.Context, sc script.Call) script.Reply {
	if why := notInScripts(new(argv.Read(sc.Args))); why != "" {
		return script.Refusal(contract.PolicyBlocked, why)
	}
	if err := s.begin(); err != nil {
		return script.Refusal(contract.PolicyBlocked,
			"policy-blocked: the script's session cannot be recorded, so it was not started: "+err.Error())
	}
	ms := float64(max(sc.Timeout.Milliseconds(), 1))
	p := contract.Params{Args: sc.Args, Stdin: sc.Stdin}
	if w := float64(s.tool.limits.Watchdog.Milliseconds()); ms < w {
		p.TimeoutMs = &ms
	}
	result := s.tool.run(ctx, Request{
		Params:   p,
		Backend:  s.request.Backend,
		Prompt:   s.request.Prompt,
		Progress: s.request.Progress,
		Approve:  s.request.Approve,
		Hand:     s.request.Hand,
	})
	d := result.Details
	s.artifacts = append(s.artifacts, d.Artifacts...)
	s.secrets.Learn(redact.New(sc.Args, stdinOf(sc)))
	s.secrets.Learn(result.secrets) // it knows which fields do not show what they hold
	answer := script.Reply{
		OK:              !result.IsError,
		Data:            result.data,
		Error:           d.Error,
		FailureCategory: d.FailureCategory,
		NextActions:     d.NextActions,
		ResultCategory:  d.ResultCategory,
		SuccessCategory: d.SuccessCategory,
		Summary:         d.Summary,
		Text:            result.Text(),
		Refused:         d.ValidationError != "" && d.ExitCode == nil,
	}
	if answer.Error == "" {
		answer.Error = d.ValidationError
	}
	if !answer.OK && answer.Error == "" {
		answer.Error = answer.Text
	}
	if len(d.Artifacts) > 0 || d.RefSnapshot != nil || d.PageChangeSummary != nil || d.Code != "" {
		answer.Details = scriptDetails{d.Artifacts, d.ArtifactVerification, d.PageChangeSummary, d.Code, d.Facts, d.Warnings}
	}
	return answer
}

// scriptDetails is what a script gets of a result's details.
type scriptDetails struct {
	Artifacts            []contract.Artifact            `json:"artifacts,omitempty"`
	ArtifactVerification *contract.ArtifactVerification `json:"artifactVerification,omitempty"`
	PageChangeSummary    *contract.PageChangeSummary    `json:"pageChangeSummary,omitempty"`
	Code                 string                         `json:"code,omitempty"`
	Facts                map[string]any                 `json:"facts,omitempty"`
	Warnings             []string                       `json:"warnings,omitempty"`
}

func stdinOf(c script.Call) []byte {
	if c.Stdin == nil {
		return nil
	}
	return []byte(*c.Stdin)
}

// begin puts the session on record before the first call that is accepted.
func (s *scriptRun) begin() error {
	if s.used {
		return nil
	}
	if dir := s.caller.leases(); dir != "" {
		held, err := lease.Take(dir, lease.Lease{
			Session:   s.session,
			Backend:   string(s.request.Backend.Name()),
			CloseArgs: lease.CloseArgs(s.session),
		})
		if err != nil {
			return err
		}
		s.held = held
		if err := held.Launching(); err != nil {
			return err
		}
	}
	s.used = true
	return nil
}

// close ends the script's session, whatever the script's result.
func (s *scriptRun) close(ctx context.Context) bool {
	if !s.used {
		return true
	}
	sessions := s.tool.on(s.request.Backend)
	sessions.StopIdle()
	key := conversation.Key{Name: s.session}
	answer := sessions.Close(context.WithoutCancel(ctx), key)
	closed := answer.ClosedSession()
	if closed && !answer.Success { // its state is not saved
		s.details.Warnings = append(s.details.Warnings, answer.Error)
	}
	s.tool.mu.Lock()
	s.tool.closed = true
	s.tool.mu.Unlock()
	s.tool.files.End(artifacts.Holder{Session: s.session})
	account := &contract.ScriptSession{
		SessionName:      s.session,
		Cleanup:          "closed",
		CloseCommandArgs: lease.CloseArgs(s.session),
		LaunchAttempted:  true,
	}
	if !closed {
		account.Cleanup = "failed"
		s.caller.on(s.request.Backend).Own(key) // so that the caller may close it by its name, and the tool's end does
	}
	s.details.ScriptSession = account
	switch {
	case s.held == nil:
	case closed:
		s.held.Done()
	default:
		s.held.Leave()
	}
	return closed
}
