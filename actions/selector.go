package actions

// SelectorArg is the element that most commands take first.
func SelectorArg() Arg {
	return Arg{
		Name: "selector",
		Kind: Selector,
		Help: "A ref such as @e2, CSS, xpath=…, text=…, role=…, label=…, placeholder=…, alt=…, title=…, testid=… or JSON",
	}
}

// AllOf returns the argument for a command that works on every element that its selector matches.
func AllOf(a Arg) Arg {
	a.Many = true
	return a
}
