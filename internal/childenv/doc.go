// Package childenv chooses what the programs that skua starts get of its environment: browsers, desktop apps, ffmpeg,
// tools of the system. The environment of a host holds the vault's key and the keys of providers and models. A page
// that takes over a browser's renderer, or a program that reports its environment, must not find them, so that a child
// gets only what is listed here.
//
// It must not know the programs.
package childenv
