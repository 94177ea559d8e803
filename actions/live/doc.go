// Package live has the commands that let people watch sessions: a stream of one, and the dashboard of all.
package live
