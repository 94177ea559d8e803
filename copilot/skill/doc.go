// Package skill holds what can be done on most sites without knowing them: log in, search, fill a form, turn pages, go
// through a menu, go through a checkout up to its last control, download a row of a list.
//
// A [Skill] with its parameters is an [Invocation]. It is matched against a page's summary, bound to the details of the
// elements that a [Match] asks for, and planned: a few steps of package toolbox, the same ones for the same page. The
// [Check] values say what has to be seen behind them. A skill goes as far as the page that it sees: a login of two
// pages is two plans. The package has no side effects; the caller runs a plan and looks at the page again after it.
//
// Three rules hold for all of them. An element that a person cannot see is never bound. A label is compared with what
// the caller asked for, and says nothing else, whatever is in it. A step that pays, orders, deletes or uses a secret is
// of high risk, and follows a step that asks a person; a secret itself is in no plan, only the name of its grant.
package skill
