package emulate

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadSimulators(t *testing.T) {
	t.Parallel()
	list, err := readSimulators(
		[]byte(
			`{"devices":{"com.apple.CoreSimulator.SimRuntime.iOS-18-2":[{"name":"iPhone 16","udid":"B","state":"Shutdown"},{"name":"iPad","udid":"A","state":"Booted"}],
		"com.apple.CoreSimulator.SimRuntime.watchOS-11-0":[{"name":"Watch","udid":"C","state":"Shutdown"}]}}`))
	require.NoError(t, err)
	require.Equal(t, []Simulator{{"iPad", "A", "Booted", "iOS 18.2"}, {"iPhone 16", "B", "Shutdown", "iOS 18.2"}}, list)
	_, err = readSimulators([]byte("xcrun: error"))
	require.ErrorContains(t, err, "device list: xcrun simctl printed no JSON")
}
