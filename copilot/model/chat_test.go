package model

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/testmodel"
)

func TestChat(t *testing.T) {
	t.Parallel()
	script := func(t *testing.T) testmodel.Script {
		return testmodel.Say(t,
			testmodel.Answer{
				Text: "Looking.",
				Calls: []testmodel.Call{
					{Name: "look", Args: map[string]any{"at": "1"}},
					{Name: "look", Args: map[string]any{"at": "2"}},
				},
			},
			testmodel.Answer{Calls: []testmodel.Call{{Name: "look", Args: map[string]any{"at": "3"}}}},
			testmodel.Answer{Text: "All seen."},
			testmodel.Answer{Text: "Again."},
		)
	}
	each(t, script, func(t *testing.T, c *Client, s *testmodel.Server, onText func(string)) {
		var did []string
		chat := Chat{Model: c, Tools: ask("").Tools, OnText: onText, Do: func(_ context.Context, call Call) (Outcome, error) {
			did = append(did, string(call.Args))
			return Outcome{Text: "seen " + strconv.Itoa(len(did))}, nil
		}}
		turn, err := chat.Say(t.Context(), "look around")
		require.NoError(t, err)
		require.Equal(t, Turn{Text: "Looking.All seen.", Last: "All seen.", Usage: Usage{Input: 33, Output: 21}}, turn)
		require.Len(t, did, 3)
		_, err = chat.Say(t.Context(), "and again")
		require.NoError(t, err)
		last := s.Turns()[3]
		require.Equal(t, []string{"look around", "and again"}, last.User)
		require.Len(t, last.Results, 3)
		require.Equal(t, "seen 3", last.Results[2].Text)
	})
}

// What ended a turn in its middle leaves a conversation that goes on.
func TestChatGoesOnAfterAnError(t *testing.T) {
	t.Parallel()
	script := func(t *testing.T) testmodel.Script {
		return testmodel.Say(t,
			testmodel.Answer{Status: 400},
			testmodel.Answer{Calls: []testmodel.Call{{Name: "look", Args: map[string]any{}}, {Name: "look", Args: "no JSON"}}},
			testmodel.Answer{Text: "Fine."},
		)
	}
	each(t, script, func(t *testing.T, c *Client, s *testmodel.Server, onText func(string)) {
		if c.Name() == "claude-sonnet-4-6" { // whose inputs are always JSON
			return
		}
		stop := errors.New("stop")
		chat := Chat{Model: c, OnText: onText, Do: func(context.Context, Call) (Outcome, error) { return Outcome{}, stop }}
		_, err := chat.Say(t.Context(), "one")
		require.ErrorContains(t, err, "answered 400")
		_, err = chat.Say(t.Context(), "two")
		require.ErrorIs(t, err, stop)
		_, err = chat.Say(t.Context(), "three")
		require.NoError(t, err)
		last := s.Turns()[2]
		require.Equal(t, []string{"two", "three"}, last.User)
		require.Equal(t, []string{"stop", "Nothing was done: the person ended the turn."},
			[]string{last.Results[0].Text, last.Results[1].Text})
	})
}

func TestChatEndsWithoutAnEnd(t *testing.T) {
	t.Parallel()
	s := testmodel.Start(t, func(testmodel.Turn) testmodel.Answer {
		return testmodel.Answer{Calls: []testmodel.Call{{Name: "look", Args: map[string]any{}}}}
	})
	big := strings.Repeat("x", maxHistory/10)
	chat := Chat{Model: open(t, dialects(s.URL)["openai"]), Do: func(context.Context, Call) (Outcome, error) {
		return Outcome{Text: big}, nil
	}}
	_, err := chat.Say(t.Context(), "go")
	require.ErrorContains(t, err, "did not finish in 50 answers")
	turns := s.Turns()
	require.Len(t, turns, maxRounds)
	total, last := 0, turns[maxRounds-1].Results
	for _, r := range last {
		total += len(r.Text)
	}
	require.Less(t, total, maxHistory+maxHistory/10)
	require.Len(t, last, maxRounds-1)
	require.Contains(t, last[0].Text, "left out")
	require.Equal(t, big, last[maxRounds-2].Text)
}

// Of an answer whose calls do not fit the schemas of their tools nothing is done. The model is told so once in a row.
func TestChatChecksCalls(t *testing.T) {
	t.Parallel()
	unfit := testmodel.Call{Name: "look", Args: map[string]any{"at": 7}}
	fit := testmodel.Call{Name: "look", Args: map[string]any{"at": "7"}}
	for _, tt := range []struct {
		name    string
		answers []testmodel.Answer
		did     []string
		last    string
		fails   string
	}{
		{
			name: "once",
			answers: []testmodel.Answer{
				{Text: "I look.", Calls: []testmodel.Call{fit, unfit}},
				{Calls: []testmodel.Call{fit}},
				{Text: "Seen."},
			},
			did: []string{`{"at":"7"}`}, last: "Seen.",
		},
		{
			name: "once and, after one that fits, once more",
			answers: []testmodel.Answer{
				{Calls: []testmodel.Call{unfit}},
				{Calls: []testmodel.Call{fit}},
				{Calls: []testmodel.Call{unfit}},
				{Text: "Enough."},
			},
			did: []string{`{"at":"7"}`}, last: "Enough.",
		},
		{
			name:    "twice",
			answers: []testmodel.Answer{{Calls: []testmodel.Call{unfit}}, {Calls: []testmodel.Call{unfit}}, {Text: "Fine."}},
			fails:   "answered twice with arguments that do not fit the schema: look",
		},
		{
			name:    "a tool that there is not is for the caller",
			answers: []testmodel.Answer{{Calls: []testmodel.Call{{Name: "rm", Args: map[string]any{"at": 7}}}}, {Text: "No."}},
			did:     []string{`{"at":7}`}, last: "No.",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T) testmodel.Script {
				return testmodel.Say(t, tt.answers...)
			}, func(t *testing.T, c *Client, s *testmodel.Server, onText func(string)) {
				var did []string
				chat := Chat{
					Model: c, Tools: ask("").Tools, OnText: onText,
					Do: func(_ context.Context, call Call) (Outcome, error) {
						did = append(did, string(call.Args))
						return Outcome{Text: "seen"}, nil
					},
				}
				turn, err := chat.Say(t.Context(), "look")
				require.Equal(t, tt.did, did)
				told := s.Turns()[1].Last
				if tt.fails == "" {
					require.NoError(t, err)
					require.Equal(t, tt.last, turn.Last)
				} else {
					require.ErrorContains(t, err, tt.fails)
					f, ok := errors.AsType[*fault.Error](err)
					require.True(t, ok)
					require.Equal(t, fault.ModelFailed, f.Code)
					_, err = chat.Say(t.Context(), "go on") // the conversation is still one that endpoints take
					require.NoError(t, err)
				}
				if tt.did == nil || len(tt.did) > 0 && tt.did[0] == `{"at":"7"}` {
					for _, r := range told {
						require.True(t, strings.HasPrefix(r.Text, "Nothing was done: the arguments do not fit the tool's schema. look: "),
							r.Text)
					}
				}
			})
		})
	}
}
