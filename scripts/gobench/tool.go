package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/contract"
)

// toolLibrary is skua's library for agents: commands with the checks and the reports that an agent gets.
type toolLibrary struct {
	tool    *tool.Tool
	picture string // where screenshots go
}

func startTool(ctx context.Context, s setup) (library, error) {
	opened, err := tool.Open(tool.Options{
		Cwd: s.dir,
		// No configuration of the user's is read.
		Env: map[string]string{"HOME": s.dir, "SKUA_EXECUTABLE_PATH": s.browser},
	})
	if err != nil {
		return nil, err
	}
	l := &toolLibrary{tool: opened, picture: filepath.Join(s.dir, "page.png")}
	_, err = l.call(ctx, "open", "about:blank")
	if err == nil {
		_, err = l.call(ctx, "set", "viewport", strconv.Itoa(viewWidth), strconv.Itoa(viewHeight))
	}
	if err != nil {
		return nil, errors.Join(err, l.close(ctx))
	}
	return l, nil
}

// call runs one command line.
func (l *toolLibrary) call(ctx context.Context, args ...string) (*contract.Result, error) {
	result := l.tool.Call(ctx, tool.Request{Params: contract.Params{Args: args}})
	if !result.IsError {
		return result, nil
	}
	var words []string
	for _, item := range result.Content {
		words = append(words, item.Text)
	}
	return nil, fmt.Errorf("%s: %s", args[0], strings.Join(words, "\n"))
}

func (l *toolLibrary) open(ctx context.Context, url string) error {
	_, err := l.call(ctx, "open", url)
	return err
}

func (l *toolLibrary) text(ctx context.Context, selector string) (string, error) {
	result, err := l.call(ctx, "get", "text", selector)
	if err != nil {
		return "", err
	}
	return field(result, "text")
}

func (l *toolLibrary) click(ctx context.Context, selector string) error {
	_, err := l.call(ctx, "click", selector)
	return err
}

func (l *toolLibrary) fill(ctx context.Context, selector, text string) error {
	_, err := l.call(ctx, "fill", selector, text)
	return err
}

func (l *toolLibrary) eval(ctx context.Context, expression string) (string, error) {
	result, err := l.call(ctx, "eval", expression)
	if err != nil {
		return "", err
	}
	return field(result, "result")
}

func (l *toolLibrary) screenshot(ctx context.Context) ([]byte, error) {
	result, err := l.call(ctx, "screenshot", l.picture)
	if err != nil {
		return nil, err
	}
	for _, item := range result.Content {
		if item.Type == "image" {
			return base64.StdEncoding.DecodeString(item.Data)
		}
	}
	return nil, errors.New("screenshot: the result has no picture")
}

func (l *toolLibrary) close(ctx context.Context) error { return l.tool.Close(ctx) }

// field returns a text of a result's data.
func field(result *contract.Result, name string) (string, error) {
	data := map[string]any{}
	if err := result.Details.ReadData(&data); err != nil {
		return "", err
	}
	text, ok := data[name].(string)
	if !ok {
		return "", fmt.Errorf("the result's data has no text %q: %v", name, data)
	}
	return text, nil
}
