package agents

import (
	"path/filepath"
	"slices"
)

// Program is one that an agent lives in.
type Program struct {
	ID     string // as commands name it
	Name   string // as its makers write it
	Guides Guides // where it looks for guides; zero means nowhere that is known
	MCP    MCP    // where it keeps its MCP servers; zero means nowhere
}

// Guides are the places for guides.
type Guides struct {
	User    Path   // a folder with one Agent Skill in each folder
	Project Path   // the same in a project, below its root
	Rules   string // in a project, in place of skills: a folder with one rule a file, below its root
	Section string // in a project, beside the skills: the file that every agent reads, below its root
}

// MCP says where a program keeps the servers that it starts, and how an entry looks there.
type MCP struct {
	User    Path   // the file for all of a user's projects
	Project Path   // the file for one project, below its root; zero means that it has no such file
	Format  Format // of both
	Key     string // the member whose members are the servers
	Entry   Entry
	Then    string // what makes the program see a change
}

// Format is the format of a configuration file.
type Format string

// The formats. All JSON is read with comments and commas behind the last member, which some programs allow.
const (
	JSON Format = "json"
	TOML Format = "toml"
)

// Entry returns a server's entry as a program writes it.
type Entry func(command string, args []string) Members

// Members are the members of an entry in the order in which they are written.
type Members []Member

// Member is one member of an entry: a text, a list of texts, or a truth value.
type Member struct {
	Key   string
	Value any
}

// Path is where a file or folder is, by system. The zero Path means that there is not one.
type Path struct {
	Base  Base
	Below string // with slashes

	Variable string // its value takes the place of Base and Skips when it is set
	Skips    string // how much of Below the variable's folder stands for

	Mac, Windows *Path // where that system has another place
}

// Base is what a path starts at.
type Base string

// The bases.
const (
	Home    Base = "home"
	Root    Base = "project"
	Config  Base = "config"   // XDG_CONFIG_HOME, else .config in the home folder
	AppData Base = "app-data" // of Windows, for settings that roam
)

// Place is what a path is resolved against.
type Place struct {
	System  string // as runtime.GOOS has it
	Getenv  func(string) string
	Project string // the root of the project; empty means not in a project
}

// Resolve returns a path of this machine. It is empty where the machine has no such place, as without a home folder.
func (p Path) Resolve(at Place) string {
	switch {
	case at.System == "darwin" && p.Mac != nil:
		return p.Mac.Resolve(at)
	case at.System == "windows" && p.Windows != nil:
		return p.Windows.Resolve(at)
	case p.Below == "":
		return ""
	}
	below := filepath.FromSlash(p.Below)
	if p.Variable != "" {
		if dir := at.Getenv(p.Variable); filepath.IsAbs(dir) {
			rest, err := filepath.Rel(filepath.FromSlash(p.Skips), below)
			if err != nil {
				return ""
			}
			return filepath.Join(dir, rest)
		}
	}
	base := at.base(p.Base)
	if base == "" {
		return ""
	}
	return filepath.Join(base, below)
}

func (at Place) base(b Base) string {
	home := ""
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if dir := at.Getenv(name); filepath.IsAbs(dir) {
			home = dir
			break
		}
	}
	switch b {
	case Root:
		return at.Project
	case Config:
		if dir := at.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
			return dir
		}
	case AppData:
		if dir := at.Getenv("APPDATA"); filepath.IsAbs(dir) {
			return dir
		}
	}
	if home == "" {
		return ""
	}
	switch b {
	case Config:
		return filepath.Join(home, ".config")
	case AppData:
		return filepath.Join(home, "AppData", "Roaming")
	}
	return home
}

// WithMCP returns the programs that start MCP servers.
func WithMCP() []Program {
	return slices.DeleteFunc(Programs(), func(p Program) bool { return p.MCP.Key == "" })
}

// WithGuides returns the programs that look for guides somewhere.
func WithGuides() []Program {
	return slices.DeleteFunc(Programs(), func(p Program) bool { return p.Guides.User.Below == "" })
}

// Find returns the program of an ID.
func Find(id string) (Program, bool) {
	all := Programs()
	at := slices.IndexFunc(all, func(p Program) bool { return p.ID == id })
	if at < 0 {
		return Program{}, false
	}
	return all[at], true
}

// IDs returns the IDs of programs.
func IDs(of []Program) []string {
	ids := make([]string, len(of))
	for i, p := range of {
		ids[i] = p.ID
	}
	return ids
}
