package sandbox_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/sandbox"
)

var errMissing = errors.New("there is no such element")

// page has a method that returns its arguments, one that fails, one whose answer is too large, and one that ends the
// script.
func page() []sandbox.Function {
	return []sandbox.Function{
		{Name: "page.echo", Call: func(_ context.Context, args []any) sandbox.Answer { return sandbox.Answer{Value: args} }},
		{Name: "page.fail", Call: func(context.Context, []any) sandbox.Answer {
			return sandbox.Answer{Error: &sandbox.Error{
				Message: "Element not found",
				Fields:  map[string]any{"code": "missing", "facts": map[string]any{"count": 0}}, Cause: errMissing,
			}}
		}},
		{Name: "page.large", Call: func(context.Context, []any) sandbox.Answer {
			return sandbox.Answer{Value: strings.Repeat("x", sandbox.MessageBytes)}
		}},
		{Name: "page.end", Call: func(context.Context, []any) sandbox.Answer {
			return sandbox.Answer{End: "held", Message: "a person has to agree"}
		}},
		{Name: "page.wait", Call: func(ctx context.Context, _ []any) sandbox.Answer {
			<-ctx.Done()
			return sandbox.Answer{Error: &sandbox.Error{Message: "late"}, TimedOut: true}
		}},
	}
}

func run(t *testing.T, source string, calls int, limit time.Duration) sandbox.Outcome {
	t.Helper()
	return sandbox.Run(t.Context(), sandbox.Program{
		Source: source, Timeout: limit, Calls: calls, Functions: page(),
		Values: map[string]any{"params": map[string]any{"name": "Ada"}},
	})
}

func TestMethods(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		source string
		want   any
	}{
		"arguments come as JSON": {
			`return page.echo("a", 1, {b: [true, null]})`,
			[]any{"a", 1.0, map[string]any{"b": []any{true, nil}}},
		},
		"those at the end may be undefined": {`return page.echo("a", undefined)`, []any{"a"}},
		"a failure is thrown with its fields": {
			`try { await page.fail() } catch (e) { return [e instanceof Error, e.message, e.code, e.facts.count] }`,
			[]any{true, "Element not found", "missing", 0.0},
		},
		"an answer that is too large": {
			`try { await page.large() } catch (e) { return e.message.includes("1048576 bytes or less") }`, true,
		},
		"an argument that is not JSON": {
			`try { await page.echo("x", () => 1) } catch (e) { return e.message }`,
			"page.echo was called with something that is not JSON: argument 2 is a function.",
		},
		"a method that is not there": {
			`try { page.ech("a") } catch (e) { return e.message }`,
			"page has no method ech. Did you mean page.echo?",
		},
		"an object may be awaited": {
			`return [await page === page, JSON.stringify(page), Object.keys(page).length]`, []any{true, "{}", 5.0},
		},
		"constants": {`return params.name`, "Ada"},
		"one after the other": {
			`return (await Promise.all([page.echo(1), page.echo(2)])).flat()`,
			[]any{1.0, 2.0},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := run(t, tt.source, 0, time.Minute)
			require.Empty(t, got.Failure, got.Message)
			require.Equal(t, tt.want, got.Data)
		})
	}
}

func TestMethodsThatEndTheScript(t *testing.T) {
	t.Parallel()
	t.Run("a failure that nothing catches says its line and cause", func(t *testing.T) {
		t.Parallel()
		got := run(t, "const a = 1\nawait page.echo(a)\nawait page.fail()", 0, time.Minute)
		require.Equal(t, sandbox.ScriptError, got.Failure)
		require.Equal(t, "The script failed: Element not found (line 3)", got.Message)
		require.Equal(t, 3, got.Line)
		require.ErrorIs(t, got.Thrown.Cause, errMissing)
		require.Len(t, got.Steps, 2)
	})
	t.Run("one that the script wraps is the script's own", func(t *testing.T) {
		t.Parallel()
		got := run(t, `try { await page.fail() } catch (e) { throw new Error("row 3: " + e.message) }`, 0, time.Minute)
		require.Nil(t, got.Thrown)
		require.Contains(t, got.Message, "row 3: Element not found")
	})
	t.Run("the end of a call is that of the script", func(t *testing.T) {
		t.Parallel()
		got := run(t, `try { await page.end() } catch {} await page.echo("after"); return 1`, 0, time.Minute)
		require.Equal(t, sandbox.Failure("held"), got.Failure)
		require.Equal(t, "a person has to agree", got.Message)
		require.Len(t, got.Steps, 1, "nothing runs after it")
	})
	t.Run("more calls than it may make", func(t *testing.T) {
		t.Parallel()
		got := run(t, `for (;;) await page.echo()`, 3, time.Minute)
		require.Equal(t, sandbox.ValidationError, got.Failure)
		require.Equal(t, "Script call limit exceeded: a script may call page 3 times.", got.Message)
		require.Len(t, got.Steps, 3)
	})
	t.Run("a call that takes all of its time", func(t *testing.T) {
		t.Parallel()
		got := run(t, `try { await page.wait() } catch {} return 1`, 0, 100*time.Millisecond)
		require.Equal(t, sandbox.TimedOut, got.Failure, got.Message)
	})
}
