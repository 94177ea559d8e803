package plugin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/atomicfile"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/userfile"
)

// Resolve returns the plugin for a reference, without a name and capabilities: a path (which starts with /, ./, ../ or
// ~/), an npm package, or a GitHub repository as owner/repo. npx fetches and runs packages and repositories.
func (h Host) Resolve(reference string) (Plugin, error) {
	switch {
	case strings.TrimSpace(reference) == "" || strings.HasPrefix(reference, "-"):
		return Plugin{}, fault.New(fault.Usage, "plugin add requires a package or repository reference")
	case isPath(reference):
		found, err := h.find(reference)
		if err != nil {
			return Plugin{}, fault.New(fault.File, "%s is not a program: %w", reference, err).About(reference).
				WithHint("Is the file there, and executable?")
		}
		return Plugin{Command: found, Source: "file:" + found}, nil
	case strings.ContainsAny(reference, " \t\n\"'`$;&|<>\\"):
		return Plugin{}, fault.New(fault.Usage, "%q is neither a package, nor a repository, nor a path", reference).
			About(reference)
	}
	p := Plugin{Command: "npx", Args: []string{"-y", reference}, Source: "npm:" + reference}
	if owner, repo, ok := strings.Cut(reference, "/"); ok && !strings.HasPrefix(owner, "@") {
		if strings.Contains(repo, "/") || owner == "" || repo == "" {
			return Plugin{}, fault.New(fault.Usage, "%q is not a repository: write owner/repo", reference).About(reference)
		}
		p.Args[1], p.Source = "github:"+reference, "github:"+reference
	}
	if _, err := h.find(p.Command); err != nil {
		return Plugin{}, fault.New(fault.PluginFailed,
			"npx, which runs plugins from packages and repositories, is not on the PATH").About(reference).
			WithHint("Install Node.js, or give the path of an executable.")
	}
	return p, nil
}

func isPath(reference string) bool {
	for _, begin := range []string{"/", "./", "../", "~/"} {
		if strings.HasPrefix(reference, begin) {
			return true
		}
	}
	return runtime.GOOS == "windows" && strings.ContainsAny(reference, `\:`) && !strings.HasPrefix(reference, "@")
}

// NameOf returns a plugin's name for a reference: its last part, without the common prefixes.
func NameOf(reference string) string {
	name := path.Base(filepath.ToSlash(reference))
	if at := strings.LastIndexByte(name, '@'); at > 0 { // a version
		name = name[:at]
	}
	name = strings.TrimSuffix(name, ".exe")
	for _, prefix := range []string{"agent-browser-plugin-", "skua-plugin-"} {
		if rest := strings.TrimPrefix(name, prefix); rest != "" {
			name = rest
		}
	}
	return name
}

// member is a key of a JSON object with its value, in file order.
type member struct {
	key   string
	value json.RawMessage
}

// maxConfiguration is the largest configuration file.
const maxConfiguration = 1 << 20

// Write adds a plugin to a configuration file, or replaces one with the same name. Everything else stays, in its order.
// The file is created if it is missing, and is replaced as a whole or not at all.
func Write(file string, p Plugin) (replaced bool, err error) {
	text, err := userfile.Read(context.Background(), file, maxConfiguration)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, fault.New(fault.File, "the configuration cannot be read: %w", err).About(file)
	}
	damaged := func() error {
		return fault.New(fault.ConfigInvalid, "%s is not a JSON object with a list of plugins; it was not changed", file).
			About(file).WithHint("Repair it, or move it away.")
	}
	var members []member
	if len(bytes.TrimSpace(text)) > 0 {
		if members, err = membersOf(text); err != nil {
			return false, damaged()
		}
	}
	at := slices.IndexFunc(members, func(m member) bool { return m.key == "plugins" })
	if at < 0 {
		at = len(members)
		members = append(members, member{key: "plugins", value: json.RawMessage("[]")})
	}
	var list []json.RawMessage
	if json.Unmarshal(members[at].value, &list) != nil {
		return false, damaged()
	}
	entry, err := json.Marshal(p)
	if err != nil {
		return false, err
	}
	same := slices.IndexFunc(list, func(raw json.RawMessage) bool {
		var other struct {
			Name string `json:"name"`
		}
		return json.Unmarshal(raw, &other) == nil && other.Name == p.Name
	})
	if replaced = same >= 0; replaced {
		list[same] = entry
	} else {
		list = append(list, entry)
	}
	if members[at].value, err = json.Marshal(list); err != nil {
		return false, err
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real // write through a symbolic link
	}
	if err := atomicfile.Write(file, encodeMembers(members)); err != nil {
		return false, fault.New(fault.File, "the configuration cannot be written: %w", err).About(file)
	}
	return replaced, nil
}

// membersOf returns the members of a JSON object in their order.
func membersOf(text []byte) (members []member, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("no object")
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		m := member{key: key.(string)}
		if err := d.Decode(&m.value); err != nil {
			return nil, err
		}
		members = append(members, m)
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if d.More() {
		return nil, errors.New("more than an object")
	}
	return members, nil
}

func encodeMembers(members []member) []byte {
	var b, out bytes.Buffer
	b.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			b.WriteByte(',')
		}
		key, _ := json.Marshal(m.key) // strings always encode
		b.Write(key)
		b.WriteByte(':')
		b.Write(m.value)
	}
	b.WriteByte('}')
	if json.Indent(&out, b.Bytes(), "", "  ") != nil {
		return b.Bytes()
	}
	out.WriteByte('\n')
	return out.Bytes()
}
