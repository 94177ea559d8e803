//go:build linux

package main

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSiteReportsWhatPagesSay(t *testing.T) {
	t.Parallel()
	s, err := openSite()
	require.NoError(t, err)
	t.Cleanup(s.close)
	address := s.publish("t1", "A & B", "<h1>Hello</h1>")

	require.Contains(t, get(t, address), "<title>A &amp; B</title>")

	response, err := http.Post(s.base+"/event", "application/json",
		strings.NewReader(`{"token":"t1","kind":"click","value":"1","at":1.5}`))
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	seen, err := s.await(t.Context(), "t1", "click", "1")
	require.NoError(t, err)
	require.InDelta(t, 1.5, seen.At, 0)
	require.Equal(t, 1, s.count("t1", "click"))
	require.Zero(t, s.count("t2", "click"))

	told := make(chan string, 1)
	go func() { told <- get(t, s.base+"/signal?token=t1") }() // ends when the signal below was given
	s.signal("t1", "now")
	require.Equal(t, "now", <-told)

	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = s.await(canceled, "t1", "click", "2")
	require.ErrorIs(t, err, context.Canceled)
}

func get(t *testing.T, address string) string {
	response, err := http.Get(address)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Error(err)
	}
	return string(text)
}
