// Package packages makes the packages of Linux distributions, .deb and .rpm, by nfpm. They have no scripts: installing
// and removing them changes nothing but their files.
package packages
