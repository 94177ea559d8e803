package input

import "fmt"

// Error says what is wrong with the parameters of a call, as a sentence for the caller.
type Error struct{ Message string }

func (e *Error) Error() string { return e.Message }

func wrong(format string, args ...any) error { return &Error{Message: fmt.Sprintf(format, args...)} }
