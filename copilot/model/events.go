package model

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// maxEvent is the largest line of a stream of events in bytes.
const maxEvent = 1 << 20

// events reads server-sent events until the last one or the end of the stream. Comments, ids and unknown fields are
// skipped.
func events(from io.Reader, each func(event, data string) (done bool, err error)) error {
	lines := bufio.NewScanner(from)
	lines.Buffer(make([]byte, 0, 16<<10), maxEvent)
	lines.Split(splitLines)
	event, data, some := "", strings.Builder{}, false
	for lines.Scan() {
		line := lines.Text()
		if line == "" {
			if some {
				if done, err := each(event, data.String()); done || err != nil {
					return err
				}
			}
			event, some = "", false
			data.Reset()
			continue
		}
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "event":
			event = value
		case "data":
			if some {
				data.WriteByte('\n')
			}
			data.WriteString(value)
			some = true
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return errors.New("an event of the answer is longer than 1 MiB")
	} else if err != nil {
		return err
	}
	if some { // some end without the empty line
		_, err := each(event, data.String())
		return err
	}
	return nil
}

// splitLines splits at \n, \r\n and \r.
func splitLines(data []byte, atEOF bool) (int, []byte, error) {
	i := bytes.IndexAny(data, "\r\n")
	switch {
	case i < 0 && atEOF && len(data) > 0:
		return len(data), data, nil
	case i < 0:
		return 0, nil, nil
	case data[i] == '\n':
		return i + 1, data[:i], nil
	case i+1 < len(data) && data[i+1] == '\n':
		return i + 2, data[:i], nil
	case i+1 < len(data) || atEOF:
		return i + 1, data[:i], nil
	}
	return 0, nil, nil // whether \n follows is not known yet
}
