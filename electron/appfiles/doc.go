// Package appfiles reads what the files of an installed desktop app say of it: archives (asar), property lists, desktop
// files and the command lines in them, shell scripts, and AppImages. From these it tells whether an app is built on
// Electron, by which marks, and what its code is.
//
// It reads files that it is given, runs none, and looks for no apps: that is electron's.
package appfiles
