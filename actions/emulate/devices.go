package emulate

import (
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/childenv"
	"github.com/skua-browser/skua/internal/fault"
)

func deviceCommands() []actions.Command {
	return []actions.Command{{
		Spec: actions.Spec{
			Name:    "device list",
			Group:   actions.GroupEmulation,
			Summary: "List the iOS simulators of this machine",
			Help: "Needs macOS with Xcode. To show pages as a phone or tablet does you need no simulator: `set device " +
				"list` prints the devices.",
			Upstream: []string{"device list"},
		},
		Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser, Sessionless: trait.OnMachineAlone},
		Safety:   actions.Safety{Families: policy.Does()},
		Bindings: actions.Bindings{Data: []any{Simulators{}}},
		Run:      runDeviceList,
	}}
}

func runDeviceList(ctx context.Context, _ *actions.Call) (actions.Result, error) {
	const need = "device list is only available on macOS with Xcode"
	if runtime.GOOS != "darwin" {
		return actions.Result{}, fault.New(fault.Usage, need).
			WithHint("`set device list` prints the devices that pages can be shown as")
	}
	cmd := exec.CommandContext(ctx, "xcrun", "simctl", "list", "devices", "available", "--json")
	cmd.Env = childenv.Own("DEVELOPER_DIR")
	out, err := cmd.Output()
	if err != nil {
		if failed, ok := errors.AsType[*exec.ExitError](err); ok && len(failed.Stderr) > 0 {
			err = errors.New(strings.TrimSpace(string(failed.Stderr)))
		}
		return actions.Result{}, fault.New(fault.InstallFailed, "%s: %v", need, err)
	}
	list, err := readSimulators(out)
	if err != nil {
		return actions.Result{}, err
	}
	lines := []string{"iOS simulators: " + strconv.Itoa(len(list))}
	for _, s := range list {
		lines = append(lines, "  "+s.Name+" ("+s.Runtime+", "+s.State+") "+s.UDID)
	}
	return actions.Result{Data: Simulators{list}, Text: strings.Join(lines, "\n")}, nil
}

// readSimulators reads what simctl prints: the devices of each runtime. Only those of iOS count.
func readSimulators(out []byte) ([]Simulator, error) {
	var printed struct {
		Devices map[string][]Simulator `json:"devices"`
	}
	if err := json.Unmarshal(out, &printed); err != nil {
		return nil, fault.New(fault.InstallFailed, "device list: xcrun simctl printed no JSON: %v", err)
	}
	list := []Simulator{}
	for id, devices := range printed.Devices {
		name := id[strings.LastIndexByte(id, '.')+1:]
		version, isIOS := strings.CutPrefix(name, "iOS-")
		if !isIOS {
			continue
		}
		for _, s := range devices {
			s.Runtime = "iOS " + strings.ReplaceAll(version, "-", ".")
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b Simulator) int {
		return strings.Compare(a.Runtime+"\x00"+a.Name, b.Runtime+"\x00"+b.Name)
	})
	return list, nil
}
