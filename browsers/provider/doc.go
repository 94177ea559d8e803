// Package provider gets browsers from elsewhere: from services that rent them out (Browserbase, Browserless, Browser
// Use, Kernel, AWS AgentCore), from a Selenium Grid, from a chromedriver, or from a given address. Start starts one and
// returns where it is; Browser.Release ends it there, so that nothing that costs money is left behind.
//
// Keys and addresses that carry tokens never appear in an error or in words for people. The package must not know
// sessions or commands.
package provider
