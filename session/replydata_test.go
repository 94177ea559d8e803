package session_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/session/replydata"
)

// checkData returns what in the data of a reply is not as the command's definition says. Each command of a page test is checked: programs in other
// languages are typed by the definitions.
func checkData(m *session.Manager, req session.Request, reply session.Reply) error {
	if reply.Err != nil || reply.Text != "" || reply.Result.Held {
		return nil
	}
	in, err := m.Registry().Parse(req.Args, actions.ParseOptions{Getenv: req.Getenv})
	if err != nil {
		return nil // the test brings a configuration file
	}
	raw, err := json.Marshal(reply.Result.Data)
	if err != nil {
		return err
	}
	var data any
	if err := json.Unmarshal(raw, &data); err != nil {
		return err
	}
	if data == nil {
		data = object{}
	}
	if host, is := data.(object); is && reply.Bare() && host["data"] != nil && len(host) == 2 {
		data = host["data"]
	}
	var errs []error
	for _, form := range replydata.Of(in.Command()) {
		if form.Given != "" && !in.Has(form.Given) {
			continue
		}
		err := form.Check(data)
		if err == nil {
			return nil
		}
		errs = append(errs, err)
	}
	return fmt.Errorf("the data of `%s` is not as its definition says: %w; %.2000s", strings.Join(req.Args, " "), errors.Join(errs...), raw)
}
