// Package policy evaluates the rules of an owner: which actions an agent may take and which need confirmation
// ([Actions]), which hosts pages may reach ([Network]), and which folders files may be in ([Roots]). An [Owner]
// combines them for a process. A [Log] keeps recent refusals.
//
// The package only returns verdicts; the caller enforces them. It must not know browsers, sessions and command lines.
package policy
