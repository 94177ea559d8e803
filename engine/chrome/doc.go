// Package chrome finds, starts and ends Chromium-family browsers on this machine.
//
// [Find] looks for an executable; [Launch] starts one that is driven over --remote-debugging-pipe and returns a
// [Process]: the two ends of that pipe, the news of its end, and the browser's own words when it would not start. A
// launched browser never outlives its owner: it ends when the pipe closes, which the kernel does for an owner that was
// killed.
//
// Unless the caller names a profile directory, a browser gets a temporary one of its own that is removed with it. Each
// has a lock that its owner holds, so that the profile of an owner that was killed is found and removed by a later
// launch.
//
// The package moves no protocol messages: it must not know CDP (package cdp speaks it over [Process.Pipe]), pages or
// sessions.
package chrome
