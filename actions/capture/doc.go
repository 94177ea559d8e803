// Package capture has the commands that make files of what a page shows: screenshot, pdf and record.
package capture
