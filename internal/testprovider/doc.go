// Package testprovider is a test double of services that rent browsers out: it answers as the documentation of their
// API says, hands out a browser that the test started, and records requests, started and ended browsers. Only tests
// import it.
package testprovider
