// Package doctor looks for what keeps skua from working: in the environment, the browser, the hosts, the user's files,
// the network, and by starting a browser.
//
// A [Report] has the checks in a fixed order, whatever their order in time: all groups run at once, each under a
// deadline of its own. A check that fails says what to do about it. With [Options].Fix what is safe is repaired, named,
// and looked at again. Secrets are never read aloud: of keys only the names are told.
//
// The package knows no sessions and no commands; callers tell it about hosts and configuration files, see [HostInfo]
// and [Config].
package doctor
