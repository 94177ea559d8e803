// Package states has the state commands: saving and loading cookies and storage, and the files that these are in.
package states
