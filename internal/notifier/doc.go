// Package notifier tells those who listen that something may have changed, and not what: they look for themselves. A
// [Notifier] costs next to nothing as long as none of them is there.
package notifier
