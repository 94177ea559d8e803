// Package npm makes the packages for npm: skua, and one with the programs for each system, which npm chooses by its os
// and cpu. None has a script that runs at installation, which package managers warn of or refuse, and none downloads
// anything.
package npm
