package tool_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/contract"
)

func TestPromptGuard(t *testing.T) {
	t.Parallel()
	asked := func(c *caller, prompt string, args ...string) *contract.Result {
		return c.tool.Call(context.Background(), tool.Request{Params: contract.Params{Args: args}, Prompt: prompt})
	}
	const prompt = "Open the form, take a screenshot to out.png and do not submit it."
	t.Run("15.1 15.5 a close waits for the picture that was asked for", func(t *testing.T) {
		t.Parallel()
		c := showing(t, twoButtons)
		for _, args := range [][]string{{"close"}, {"quit"}, {"exit"}, {"close", "--all"}, {"batch", "get title", "close"}} {
			r := asked(c, "Take a screenshot to out.png.", args...)
			require.Equal(t, contract.PolicyBlocked, r.Details.FailureCategory, "%v", args)
			require.Contains(t, textOf(r), "requested artifact paths are missing or unverified: out.png")
			require.Equal(t, "requested-artifacts-missing-before-close", r.Details.PromptGuard.Reason)
			require.Equal(t, []contract.PromptRequested{{Path: "out.png", Kind: "screenshot"}}, r.Details.PromptGuard.Missing)
		}
		require.Equal(t, "Form", textOf(c.do("get", "title")), "it is still open")
		c.do("screenshot", "other.png")
		require.True(t, asked(c, "Take a screenshot to out.png.", "close").IsError)
		c.do("screenshot", "out.png")
		require.NoError(t, os.Rename(filepath.Join(c.dir, "out.png"), filepath.Join(c.dir, "gone.png")))
		require.True(t, asked(c, "Take a screenshot to out.png.", "close").IsError,
			"what is not there any more does not count")
		c.do("screenshot", "out.png")
		require.False(t, asked(c, "Take a screenshot to out.png.", "close").IsError)
	})
	t.Run("15.1 nothing but a close is ever refused", func(t *testing.T) {
		t.Parallel()
		c := showing(t, twoButtons)
		c.do("snapshot", "-i")
		require.False(t, asked(c, prompt+" Stop before you press Two.", "click", "@e2").IsError)
		require.Equal(t, "two", textOf(c.do("get", "title")))
	})
	t.Run("17.1 15.5 files of before a restart count", func(t *testing.T) {
		t.Parallel()
		c, kept := newCallerWith(t, tool.Options{SessionID: t.Name()}), &record{t: t}
		kept.keep(c.do("open", site.Show(twoButtons)), c.do("screenshot", "out.png"))
		require.NoError(t, c.tool.Leave(context.Background()))
		next := newCallerWith(t, tool.Options{SessionID: t.Name(), Cwd: c.dir})
		require.NoError(t, next.tool.Restore(context.Background(), kept.details()))
		require.False(t, asked(next, "Take a screenshot to out.png.", "close").IsError)
	})
}
