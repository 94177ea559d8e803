package network

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPhases(t *testing.T) {
	t.Parallel()
	none := resourceTiming{
		RequestTime: 10, DNSStart: -1, DNSEnd: -1, ConnectStart: -1, ConnectEnd: -1, SSLStart: -1,
		SSLEnd: -1,
	}
	reused := none
	reused.SendStart, reused.SendEnd, reused.ReceiveHeadersEnd = 2, 3, 13
	fresh := resourceTiming{
		RequestTime: 10, DNSStart: 1, DNSEnd: 5, ConnectStart: 5, ConnectEnd: 25, SSLStart: 10, SSLEnd: 25, SendStart: 25,
		SendEnd:           26,
		ReceiveHeadersEnd: 56,
	}
	tests := map[string]struct {
		timing               *resourceTiming
		start, response, end float64
		want                 Phases
		total                float64
	}{
		"connection that was open": {
			&reused, 9.995, 10.020, 10.033,
			Phases{Blocked: 7, DNS: -1, Connect: -1, SSL: -1, Send: 1, Wait: 10, Receive: 20, Known: true},
			38,
		},
		"new connection": {
			&fresh, 10, 10.056, 10.060,
			Phases{Blocked: 1, DNS: 4, Connect: 20, SSL: 15, Send: 1, Wait: 30, Receive: 4, Known: true},
			60,
		},
		"from a cache": {
			nil, 10, 10.002, 10.003,
			Phases{Blocked: -1, DNS: -1, Connect: -1, SSL: -1, Wait: 2, Receive: 1, Known: true},
			3,
		},
		"from the page's memory, with the times of an earlier request": {
			&reused, 50, 50.002, 50.003,
			Phases{Blocked: -1, DNS: -1, Connect: -1, SSL: -1, Wait: 2, Receive: 1, Known: true},
			3,
		},
		"failed":   {nil, 10, 0, 10.5, Phases{Blocked: 500, DNS: -1, Connect: -1, SSL: -1, Known: true}, 500},
		"not over": {nil, 10, 0, 0, Phases{Blocked: -1, DNS: -1, Connect: -1, SSL: -1, Known: true}, 0},
		"body not over": {
			&reused, 10, 10.020, 0,
			Phases{Blocked: 2, DNS: -1, Connect: -1, SSL: -1, Send: 1, Wait: 10, Known: true},
			13,
		},
		"nothing at all": {nil, 0, 0, 0, Phases{Blocked: -1, DNS: -1, Connect: -1, SSL: -1, Known: true}, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := phases(tt.timing, tt.start, tt.response, tt.end)
			for _, pair := range [][2]float64{
				{tt.want.Blocked, got.Blocked},
				{tt.want.DNS, got.DNS},
				{tt.want.Connect, got.Connect},
				{tt.want.SSL, got.SSL},
				{tt.want.Send, got.Send},
				{tt.want.Wait, got.Wait},
				{tt.want.Receive, got.Receive},
				{tt.total, got.Total()},
			} {
				require.InDelta(t, pair[0], pair[1], 0.001, "%+v", got)
			}
		})
	}
}

func TestShortURL(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		url, want string
		whole     int
	}{
		{"http://a/", "http://a/", 0},
		{"data:,x", "data:,x", 0},
		{"data:," + strings.Repeat("ä", 100), "data:," + strings.Repeat("ä", 29) + "…", 206},
		{"http://a/" + strings.Repeat("x", 20_000), "http://a/" + strings.Repeat("x", 16<<10-9) + "…", 20_009},
	} {
		got, whole := shortURL(tt.url)
		require.Equal(t, tt.want, got)
		require.Equal(t, tt.whole, whole)
	}
}

func TestIsText(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]bool{
		"text/html; charset=utf-8": true, "application/json": true, "application/problem+json": true, "image/svg+xml": true,
		"text/plain":             true,
		"application/javascript": true, "application/octet-stream": false, "image/png": false, "": false, "font/woff2": false,
	} {
		require.Equal(t, want, IsText(kind), kind)
	}
}
