package actions

// SelectorArg is the element that most commands take first.
func SelectorArg() Arg {
	return Arg{Name: "selector", Kind: Selector, Help: "A ref such as @e2, CSS, xpath=…, text=…, role=…, label=…, placeholder=…, alt=…, title=…, testid=… or JSON"}
}

// AllOf is an argument for a command that means everything that its selector matches.
func AllOf(a Arg) Arg {
	a.Many = true
	return a
}
