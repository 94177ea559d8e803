package conversation_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/conversation"
)

func TestMerge(t *testing.T) {
	t.Parallel()
	known := contract.PageTarget{TabID: "t1", URL: "http://a/", Title: "A"}
	tests := map[string]struct{ seen, want contract.PageTarget }{
		"the same address": {contract.PageTarget{URL: "http://a/"}, known},
		"another address": {
			contract.PageTarget{URL: "http://b/"},
			contract.PageTarget{TabID: "t1", URL: "http://b/"},
		},
		"a title": {
			contract.PageTarget{Title: "B"},
			contract.PageTarget{TabID: "t1", URL: "http://a/", Title: "B"},
		},
		"another tab": {contract.PageTarget{TabID: "t2"}, contract.PageTarget{TabID: "t2"}},
		"another tab with its address": {
			contract.PageTarget{TabID: "t2", URL: "http://a/"},
			contract.PageTarget{TabID: "t2", URL: "http://a/"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, conversation.Merge(known, tt.seen))
		})
	}
}
