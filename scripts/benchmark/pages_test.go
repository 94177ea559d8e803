//go:build linux

package main

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTablePageCounts(t *testing.T) {
	t.Parallel()
	tag := regexp.MustCompile(`<[a-z]`)
	shown := regexp.MustCompile(`<(h1|a|button|input|select)\b`)
	for _, elements := range []int{30, 31, 190, 1000, 10000} {
		t.Run(fmt.Sprint(elements), func(t *testing.T) {
			t.Parallel()
			p := tablePage("Orders", elements)
			body := p.body.String()
			require.Equal(t, elements, p.elements)
			require.Len(t, tag.FindAllString(body, -1), elements)
			require.Len(t, shown.FindAllString(body, -1), p.shown)
		})
	}
}
