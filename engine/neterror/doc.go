// Package neterror says what the browser's codes for a failed navigation mean, and what to do about each. It knows no
// page.
package neterror
