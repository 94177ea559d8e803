package conversation_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/conversation"
)

func TestNames(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ session, cwd, want string }{
		"3.1 a plain folder":            {"s", "/home/u/shop", `^piab-shop-[0-9a-f]{12}-[0-9a-f]{8}$`},
		"3.1 the root has no name":      {"s", "/", `^piab-project-[0-9a-f]{12}-[0-9a-f]{8}$`},
		"3.1 other signs become dashes": {"s", "/w/My Shop (2)", `^piab-my-shop-2-[0-9a-f]{12}-[0-9a-f]{8}$`},
		"3.1 letters of other scripts":  {"s", "/w/Größe", `^piab-gr-e-[0-9a-f]{12}-[0-9a-f]{8}$`},
		"3.1 nothing readable":          {"s", "/w/…", `^piab-project-[0-9a-f]{12}-[0-9a-f]{8}$`},
		"3.1 at most 24 signs": {
			"s", "/w/abcdefghijklmnopqrstuvwxyz",
			`^piab-abcdefghijklmnopqrstuvwx-[0-9a-f]{12}-[0-9a-f]{8}$`,
		},
		"3.1 no dash at the cut": {
			"s", "/w/abcdefghijklmnopqrstuvw-yz",
			`^piab-abcdefghijklmnopqrstuvw-[0-9a-f]{12}-[0-9a-f]{8}$`,
		},
		// The digits are those of `printf session:abc | sha256sum` and `printf cwd:/w/x | sha256sum`.
		"3.1 the digests": {"A-B-C", "/w/x", `^piab-x-a29d803b477e-d0555781$`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Regexp(t, tt.want, conversation.NewNames(tt.session, tt.cwd, "e").Base())
		})
	}
}

func TestNamesDiffer(t *testing.T) {
	t.Parallel()
	t.Run("3.1 the same conversation and folder: the same name", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, conversation.NewNames("a-b", "/w", "1").Base(), conversation.NewNames("AB", "/w", "2").Base())
	})
	t.Run("3.1 other folders of one name, other conversations, other seeds", func(t *testing.T) {
		t.Parallel()
		seen := map[string]bool{}
		for _, n := range []*conversation.Names{
			conversation.NewNames("a", "/w/x", ""), conversation.NewNames("a", "/v/x", ""),
			conversation.NewNames("b", "/w/x", ""),
			conversation.NewNames("", "/w/x", "1"), conversation.NewNames("", "/w/x", "2"),
		} {
			require.False(t, seen[n.Base()], n.Base())
			seen[n.Base()] = true
		}
	})
	t.Run("3.2 17.5 fresh names never come twice", func(t *testing.T) {
		t.Parallel()
		n, seen := conversation.NewNames("a", "/w/x", ""), map[string]bool{}
		for range 50 {
			name := n.Fresh()
			require.Regexp(t, `^piab-x-[0-9a-f]{12}-[0-9a-f]{8}-fresh-[0-9a-f]{10}$`, name)
			require.False(t, seen[name])
			seen[name] = true
		}
		after := conversation.NewNames("a", "/w/x", "")
		after.Skip(50)
		require.False(t, seen[after.Fresh()])
		after.Skip(3)
		require.Equal(t, 51, after.Ordinal(), "the ordinal only grows")
	})
	t.Run("3.2 a fresh name tells its ordinal to its own conversation alone", func(t *testing.T) {
		t.Parallel()
		n := conversation.NewNames("a", "/w/x", "")
		n.Fresh()
		second := n.Fresh()
		ordinal, ours := n.Ours(second)
		require.True(t, ours)
		require.Equal(t, 2, ordinal)
		ordinal, ours = n.Ours(n.Base())
		require.True(t, ours)
		require.Zero(t, ordinal)
		_, ours = conversation.NewNames("b", "/w/x", "").Ours(second)
		require.False(t, ours)
		_, ours = n.Ours(n.Base() + "-fresh-0123456789")
		require.False(t, ours)
	})
}

func TestIsReserved(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"piab-x": true, "PIAB-x": true, "Piab-": true, "piab": false,
		"mypiab-x": false, "": false,
	} {
		require.Equal(t, want, conversation.IsReserved(name), "3.21 %q", name)
	}
}
