package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"
)

const (
	// healthPath answers without a token, since what watches a container has none. It says no more than that the service
	// works.
	healthPath = "/healthz"
	healthText = "skua serves\n"
	// healthPatience is how long a service may take to answer `serve --check`. It answers before any page does.
	healthPatience = 5 * time.Second
)

func sayHealthy(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, healthText) // the client may be gone
}

// checkService asks the service that listens at an address whether it serves.
func checkService(ctx context.Context, address string) error {
	host, port, err := net.SplitHostPort(onLoopback(address))
	if err != nil {
		return fmt.Errorf("--http %s: it has no port; give the address that the service listens at: %w", address, err)
	}
	if ip, err := netip.ParseAddr(host); err == nil && ip.IsUnspecified() { // it listens everywhere
		host = "localhost"
	}
	ctx, cancel := context.WithTimeout(ctx, healthPatience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+healthPath, nil)
	if err != nil {
		return err
	}
	// a service is reached from its own machine without a proxy
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	reply, err := client.Do(request)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("service at %s: it did not answer within %s; restart it", address, healthPatience)
	case err != nil:
		return fmt.Errorf("service at %s: it does not answer; start it with `skua serve --http %s`: %w", address, address,
			err)
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(io.LimitReader(reply.Body, 1024))
	if err != nil {
		return fmt.Errorf("service at %s: its answer broke off: %w", address, err)
	}
	if reply.StatusCode != http.StatusOK || string(body) != healthText {
		return fmt.Errorf("service at %s: another program answers there (%s, %q); give the address of `skua serve`", address,
			reply.Status, strings.TrimSpace(string(body)))
	}
	return nil
}
