package inpage

import (
	"context"
	"reflect"
	"slices"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/internal/fault"
)

// Op is an op of the script, with what it takes and what it answers. These types stand beside their users. The script's
// own are generated from them (js/ops.d.ts), so that the type checker of the script sees where the two sides disagree.
type Op[Arg, Answer any] struct{ name string }

// None is the argument, or the answer, of an op that has none.
type None struct{}

// Typed is an op's name with its types.
type Typed struct {
	Name        string
	Arg, Answer reflect.Type
}

// ops are the ops that the packages of a program define when they are initialized.
var ops []Typed

// Define makes an op known by its name in the script. It is for variables of packages.
func Define[Arg, Answer any](name string) Op[Arg, Answer] {
	ops = append(ops, Typed{name, reflect.TypeFor[Arg](), reflect.TypeFor[Answer]()})
	return Op[Arg, Answer]{name}
}

// Ops are all ops that the program's packages define.
func Ops() []Typed { return slices.Clone(ops) }

// Document is where ops run: what a frame shows.
type Document interface {
	// CallRaw calls an op with arg, which is JSON, and returns its answer and the id of the document.
	CallRaw(ctx context.Context, op string, arg []byte) (jsonv2.Value, string, error)
	// CallHere is CallRaw in the document that is there, and in no other.
	CallHere(ctx context.Context, op string, arg []byte) (jsonv2.Value, string, error)
}

// Name is what the script calls the op.
func (o Op[Arg, Answer]) Name() string { return o.name }

// In calls the op in a frame's document.
func (o Op[Arg, Answer]) In(ctx context.Context, frame Document, arg Arg) (answer Answer, err error) {
	_, err = call(ctx, frame.CallRaw, o.name, arg, &answer)
	return answer, err
}

// Here is In for the document that is there, and in no other. It returns that document's id as well.
func (o Op[Arg, Answer]) Here(ctx context.Context, frame Document, arg Arg) (answer Answer, doc string, err error) {
	doc, err = call(ctx, frame.CallHere, o.name, arg, &answer)
	return answer, doc, err
}

// Raw is In for callers that look at the answer before they read it. It returns the id of the document as well.
func (o Op[Arg, Answer]) Raw(ctx context.Context, frame Document, arg Arg) (jsonv2.Value, string, error) {
	return raw(ctx, frame.CallRaw, o.name, arg)
}

// JSON is the argument as the script gets it.
func (o Op[Arg, Answer]) JSON(arg Arg) ([]byte, error) { return jsonv2.Marshal(arg, text) }

// Read reads what the op answered into answer, which keeps what is not in it. What an op says that has no answer is not
// looked at.
func (o Op[Arg, Answer]) Read(value []byte, answer *Answer) error { return read(o.name, value, answer) }

// What follows is not generic, so that the program has it once and not for each op.

// road is CallRaw or CallHere of a document.
type road func(ctx context.Context, op string, arg []byte) (jsonv2.Value, string, error)

func raw(ctx context.Context, by road, op string, arg any) (jsonv2.Value, string, error) {
	encoded, err := jsonv2.Marshal(arg, text)
	if err != nil {
		return nil, "", err
	}
	return by(ctx, op, encoded)
}

func call(ctx context.Context, by road, op string, arg, answer any) (doc string, err error) {
	value, doc, err := raw(ctx, by, op, arg)
	if err != nil {
		return doc, err
	}
	return doc, read(op, value, answer)
}

func read(op string, value []byte, answer any) error {
	if _, none := answer.(*None); none {
		return nil
	}
	if err := jsonv2.Unmarshal(value, answer, text); err != nil {
		return fault.New(fault.Internal, "reading the result of %s: %w", op, err)
	}
	return nil
}

// Failure is the answer of an op that could not do its work, as a member error.
type Failure struct {
	Code  fault.Code   `json:"code"`
	Facts jsonv2.Value `json:"facts"` // see DefineFacts
}

// text is how JSON of pages is read, whose strings may not be valid text.
var text = jsonv2.AllowInvalidUTF8(true)

// Facts is what a failure of ops says of itself, by its code.
type Facts struct {
	Code string
	Type reflect.Type
}

var facts []Facts

// DefineFacts makes known what failures with a code say of themselves. It is for variables of packages.
func DefineFacts[T any](code string) Facts {
	f := Facts{code, reflect.TypeFor[T]()}
	facts = append(facts, f)
	return f
}

// AllFacts returns the facts that the program's packages define.
func AllFacts() []Facts { return slices.Clone(facts) }
