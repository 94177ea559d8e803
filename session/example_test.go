package session_test

import (
	"context"
	"fmt"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
)

// A Manager runs whole command lines in this process: there is no host, and no socket.
func ExampleManager_Do() {
	ctx := context.Background()
	m, err := session.New(session.Options{Registry: catalog.Registry()})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer m.Close(ctx)
	for _, args := range [][]string{
		{"open", "data:text/html,<title>Form</title><label>Name <input></label><button>Send</button>"},
		{"fill", "@e1", "too early: no snapshot gave out this ref"},
		{"snapshot", "-i"},
		{"fill", "@e1", "Ada"},
		{"get", "value", "@e1"},
	} {
		reply := m.Do(ctx, session.Request{Args: args})
		if reply.Err != nil {
			fmt.Println(fault.CodeOf(reply.Err))
			continue
		}
		fmt.Println(reply.Result.Text)
	}
	// Output:
	// ✓ Form
	//   data:text/html,<title>Form</title><label>Name <input></label><button>Send</button>
	// ref-unknown
	// page "Form" data:text/html,<title>Form</title><label>Name <input></label><button>Send</button> [tab t1]
	// - textbox "Name" @e1
	// - button "Send" @e2
	// ✓ Done · value: "" → "Ada"
	// Ada
}
