package capture

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func box(kind string, body int) string {
	return string(binary.BigEndian.AppendUint32(nil, uint32(8+body))) + kind + strings.Repeat("x", body)
}

func TestBoxes(t *testing.T) {
	t.Parallel()
	large := string(binary.BigEndian.AppendUint32(nil, 1)) + "mdat" + string(binary.BigEndian.AppendUint64(nil, 20)) +
		"1234"
	start := box("ftyp", 4) + box("moov", 9)
	for name, tt := range map[string]struct {
		written        string
		isVideo, isEnd bool
	}{
		"nothing":                {"", false, false},
		"half a head":            {"\x00\x00", false, false},
		"no pictures":            {box("ftyp", 4), false, false},
		"a fragment's head":      {start + box("moof", 3), false, false},
		"a fragment":             {start + box("moof", 3) + box("mdat", 5), true, false},
		"a part of a fragment":   {start + box("moof", 3) + box("mdat", 5)[:9], false, false},
		"a size of eight bytes":  {start + large, true, false},
		"a part of a large box":  {start + large[:17], false, false},
		"an empty box":           {start + box("mdat", 0), true, false},
		"the index of fragments": {start + box("moof", 3) + box("mdat", 5) + box("mfra", 8), false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, piece := range []int{1, 3, 1000} {
				var b boxes
				for rest := tt.written; rest != ""; {
					n := min(piece, len(rest))
					written, err := b.Write([]byte(rest[:n]))
					require.NoError(t, err)
					require.Equal(t, n, written)
					rest = rest[n:]
				}
				require.Equal(t, []bool{tt.isVideo, tt.isEnd}, []bool{b.isVideo(), b.isEnd()}, "in pieces of %d bytes", piece)
			}
		})
	}
}
