package main

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/fault"
)

// tokenVariable contains a token; only processes of the same user can read it.
const tokenVariable = "SKUA_MCP_TOKEN"

// maxToken is the longest token in bytes.
const maxToken = 4096

// mcpToken returns the token of `mcp`, whose standard input belongs to the agent unless it listens on a port.
func mcpToken(in *actions.Input) (string, error) {
	stdin := io.Reader(os.Stdin)
	if !in.Has("http") {
		stdin = nil
	}
	return givenToken(in, newLog(os.Stderr, slog.LevelWarn), stdin)
}

// givenToken returns the caller's token from a file, standard input or the environment; "" if there is none. It refuses
// a token on the command line, which every user of the machine can see. stdin is nil if it is used for something else.
func givenToken(in *actions.Input, log *slog.Logger, stdin io.Reader) (string, error) {
	file := in.String("token-file")
	switch {
	case in.Has("token") && in.String("token") != "-":
		return "", fault.New(fault.Usage, "--token: a token on the command line is visible to every user of this machine").
			About("--token").
			WithHint("Put another one into a file and name that with --token-file, set %s, or pipe it to `--token -`.",
				tokenVariable)
	case in.Has("token") && file != "":
		return "", fault.New(fault.Usage, "--token and --token-file both say where the token is; leave one out").
			About("--token")
	case in.Has("token") && stdin == nil:
		return "", fault.New(fault.Usage, "--token -: standard input is the agent's here; use --token-file or %s",
			tokenVariable).About("--token")
	case in.Has("token"):
		line, err := bufio.NewReader(io.LimitReader(stdin, maxToken+1)).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return "", fault.New(fault.File, "--token -: %w", err)
		}
		return checkToken("--token -", line)
	case file != "":
		return readTokenFile(file, log)
	case os.Getenv(tokenVariable) != "":
		return checkToken(tokenVariable, os.Getenv(tokenVariable))
	}
	return "", nil
}

func readTokenFile(path string, log *slog.Logger) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fault.New(fault.File, "--token-file: %w", err).About(path)
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 &&
		runtime.GOOS != "windows" {
		log.Warn("other users may read the token; chmod 600 keeps it to you", "file", path)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxToken+1))
	if err != nil {
		return "", fault.New(fault.File, "--token-file: %w", err).About(path)
	}
	return checkToken(path, string(text))
}

// checkToken trims a token and refuses one that no client could send.
func checkToken(source, text string) (string, error) {
	token := strings.TrimSpace(text)
	switch {
	case token == "":
		return "", fault.New(fault.Usage, "%s: there is no token; it must not be empty", source).About(source)
	case len(token) > maxToken:
		return "", fault.New(fault.Usage, "%s: the token is longer than %d bytes; use a shorter one", source, maxToken).
			About(source)
	case strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "", fault.New(fault.Usage, "%s: the token has a space or a character beyond ASCII; use letters and digits",
			source).About(source)
	}
	return token, nil
}

// tokenFile contains the service's token, for programs of the same user.
const tokenFile = "token"

// readToken returns the token of the service in a folder.
func readToken(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, tokenFile))
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no token of a service in %s; start `skua serve`, or give --token-file", dir)
	}
	return strings.TrimSpace(string(text)), err
}

// ensureToken returns the service's token and creates it, with its folder, if needed.
func ensureToken(dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	if token, err := readToken(dir); err == nil && token != "" {
		return token, nil
	}
	token := rand.Text()
	return token, os.WriteFile(filepath.Join(dir, tokenFile), []byte(token+"\n"), 0o600)
}
