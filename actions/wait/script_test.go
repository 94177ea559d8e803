package wait

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/pagescript"
	"github.com/skua-browser/skua/internal/testengine"
)

func TestPageScriptBundlesAreCurrent(t *testing.T) {
	t.Parallel()
	problems, err := pagescript.Stale(".")
	require.NoError(t, err)
	require.Empty(t, problems)
}

func TestAwaitScript(t *testing.T) {
	t.Parallel()
	p, s := testengine.OpenHTML(t, "<title>Main</title>")
	done := make(chan string, 1)
	go func() { // ends with the value
		v, err := awaitScript(testengine.Timed(t, testengine.Limit), p, "window.ready", testengine.Limit)
		if err != nil {
			v.JSON = []byte(err.Error())
		}
		done <- string(v.JSON)
	}()
	testengine.Eval(t, p, "0")
	testengine.Open(t, p, s.At("a")+"/") // the wait goes on in the next document
	testengine.Eval(t, p, `window.ready = {yes: 1}; 0`)
	require.JSONEq(t, `{"yes":1}`, testengine.Receive(t, done))
	for script, want := range map[string]string{
		"window.never": "undefined", "throw new Error('no')": "threw Error: no",
		"0": "0",
	} {
		_, err := awaitScript(testengine.Timed(t, testengine.Limit), p, script, 20*time.Millisecond)
		require.Equal(t, fault.Timeout, fault.CodeOf(err), "%s: %v", script, err)
		require.ErrorContains(t, err, want)
	}
}
