// Package testapps writes files for tests as desktop apps have them: the folder of an Electron app, asar archives,
// AppImages.
package testapps
