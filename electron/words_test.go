package electron

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSift(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, said, own, all string }{
		{name: "the app's", said: "synced 1\n", own: "synced 1\n", all: "synced 1\n"},
		{name: "for debuggers", said: "Debugger attached.\nsynced\n", own: "synced\n", all: "synced\n"},
		{
			name: "of Chromium's log",
			said: "[12:1128/044351.641056:ERROR:bus.cc(399)] no bus\n",
			all:  "[12:1128/044351.641056:ERROR:bus.cc(399)] no bus\n",
		},
		{
			name: "of the helper that writes crash reports",
			said: "[1129/031744.027471:ERROR:file_io_posix.cc(144)] open /sys\n",
			all:  "[1129/031744.027471:ERROR:file_io_posix.cc(144)] open /sys\n",
		},
		{
			name: "a fatal error",
			said: "[12:1128/044351.641056:FATAL:gpu.cc(1)] Goodbye\n",
			own:  "[12:1128/044351.641056:FATAL:gpu.cc(1)] Goodbye\n",
			all:  "[12:1128/044351.641056:FATAL:gpu.cc(1)] Goodbye\n",
		},
		{name: "colors", said: "\x1b[1m\x1b[47mError\x1b[0m\n", own: "Error\n", all: "Error\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			own, all := sift(tc.said)
			require.Equal(t, tc.own, own)
			require.Equal(t, tc.all, all)
		})
	}
}
