package hostdir

const separator = '\\'

// AppendBase adds the base directory for an environment to b: SKUA_SOCKET_DIR, AGENT_BROWSER_SOCKET_DIR, and else a
// directory of the user's local application data. The user's number is not needed: these are the user's own.
func AppendBase(b []byte, env []string, _ int) []byte {
	if dir := given(env); dir != "" {
		return append(b, dir...)
	}
	if dir := first(env, "LOCALAPPDATA"); dir != "" {
		return join(join(append(b, dir...), "skua"), "run")
	}
	return join(join(append(b, first(env, "USERPROFILE")...), ".skua"), "run")
}

// Ignored returns the first variable of the system whose folder AppendBase would take if it were usable; here none is
// looked at.
func Ignored([]string, int) (name, dir string) { return "", "" }
