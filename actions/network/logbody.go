package network

import (
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/skua-browser/skua/engine/network"
	"github.com/skua-browser/skua/internal/wording"
)

func (d *requestDetail) postData(post string, err error, most int) {
	switch {
	case err != nil:
		d.data.PostDataError = err.Error()
		d.add("Request body: not available: " + err.Error())
	case post != "":
		text := wording.Head(post, most)
		d.data.PostData = text
		d.add("Request body:")
		d.add(strings.ToValidUTF8(text, "\uFFFD"))
		if len(text) < len(post) {
			d.data.PostDataTruncated, d.data.PostDataSize = true, len(post)
			d.addf("[cut: the first %d of %d bytes; --max-body shows more]", len(text), len(post))
		}
	default:
		return
	}
	d.add("")
}

func (d *requestDetail) body(body *network.Body, err error, most int) {
	switch {
	case err != nil:
		d.data.ResponseBodyError = err.Error()
		if d.x.Type != "WebSocket" {
			d.add("Response body: not available: " + err.Error())
		}
	case body.Binary:
		part := body.Content
		if len(part) > most {
			part = part[:most]
		}
		d.data.ResponseBody, d.data.ResponseBodyEncoding = new(base64.StdEncoding.EncodeToString(part)), "base64"
		d.addf("Response body: %d bytes that are not text; --json gives them in base64, --body-file saves them",
			len(body.Content))
		d.truncated(len(part), len(body.Content))
	case len(body.Content) == 0:
		d.data.ResponseBody = new("")
		d.add("Response body: empty")
	default:
		part := wording.Head(body.Content, most)
		d.data.ResponseBody = new(string(part))
		d.add("Response body:")
		d.add(string(part))
		if len(part) < len(body.Content) {
			d.addf("[cut: the first %d of %d bytes; --max-body shows more]", len(part), len(body.Content))
		}
		d.truncated(len(part), len(body.Content))
	}
}

func (d *requestDetail) truncated(shown, size int) {
	d.data.ResponseBodySize = &size
	if shown < size {
		d.data.ResponseBodyTruncated = true
	}
}

// messages writes the messages of a WebSocket or an event stream.
func (d *requestDetail) messages(most int) {
	x := d.x
	if len(x.Messages) == 0 {
		return
	}
	if x.Type == "WebSocket" {
		d.data.WebSocketFrames = messagesData(x)
	} else {
		d.data.ServerSentEvents = messagesData(x)
	}
	d.data.MessagesDropped = x.MessagesDropped
	d.add("")
	d.addf("Messages: %d", len(x.Messages)+x.MessagesDropped)
	if x.MessagesDropped > 0 {
		d.addf("  (the first %d were discarded)", x.MessagesDropped)
	}
	for _, m := range x.Messages {
		d.add("  " + m.At.Format("15:04:05.000") + " " + messageLine(&m, most))
	}
}

var opcodes = map[int]string{0: "continuation", 1: "text", 2: "binary", 8: "close", 9: "ping", 10: "pong"}

func messageLine(m *network.Message, most int) string {
	if m.Error != "" {
		return "error: " + m.Error
	}
	line := "←"
	if m.Sent {
		line = "→"
	}
	if m.Event != "" {
		line += " " + m.Event
	} else if kind := opcodes[m.Opcode]; kind != "text" {
		line += " " + kind
	}
	if m.ID != "" {
		line += " (id " + m.ID + ")"
	}
	part := wording.Head(m.Data, min(most, 2000))
	line += " " + part
	if len(part) < m.Size {
		line += fmt.Sprintf(" [cut: %d bytes]", m.Size)
	}
	return line
}

func messagesData(x *network.Exchange) []Message {
	all := make([]Message, len(x.Messages))
	for i, m := range x.Messages {
		row := Message{Time: m.At.UnixMilli(), Data: m.Data}
		if x.Type == "WebSocket" {
			row.Type, row.Opcode = "receive", &m.Opcode
			if m.Sent {
				row.Type = "send"
			}
			if m.Opcode == 2 {
				row.Encoding = "base64"
			}
		} else {
			row.Event, row.ID = &m.Event, &m.ID
		}
		if m.Error != "" {
			row.Type, row.Error = "error", m.Error
		}
		if len(m.Data) < m.Size {
			row.Truncated, row.Size = true, m.Size
		}
		all[i] = row
	}
	return all
}
