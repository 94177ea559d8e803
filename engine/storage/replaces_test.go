package storage

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReplaces(t *testing.T) {
	t.Parallel()
	have := Cookie{Name: "a", Domain: "example.com", Path: "/x", Secure: true}
	for name, tt := range map[string]struct {
		other Cookie
		want  bool
	}{
		"the same":              {have, true},
		"another value":         {Cookie{Name: "a", Value: "v", Domain: "example.com", Path: "/x", Secure: true}, true},
		"no longer secure":      {Cookie{Name: "a", Domain: "example.com", Path: "/x"}, true},
		"another name":          {Cookie{Name: "b", Domain: "example.com", Path: "/x", Secure: true}, false},
		"another path":          {Cookie{Name: "a", Domain: "example.com", Path: "/", Secure: true}, false},
		"of hosts below it too": {Cookie{Name: "a", Domain: ".example.com", Path: "/x", Secure: true}, false},
		"another host":          {Cookie{Name: "a", Domain: "example.org", Path: "/x", Secure: true}, false},
		"partitioned": {Cookie{
			Name: "a", Domain: "example.com", Path: "/x", Secure: true,
			PartitionKey: &CookiePartition{TopLevelSite: "https://b.example"},
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			again := tt.other.Again()
			require.Equal(t, tt.want, again.Replaces(&have))
			require.Equal(t, tt.want, tt.other.same(&have), "as the engine compares them itself")
		})
	}
}
