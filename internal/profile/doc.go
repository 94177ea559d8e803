// Package profile makes the temporary user data directories of browsers and apps: private to the user, with a lock that
// lives as long as their owner, so that what a killed owner left behind is known and swept away.
//
// It must not know what runs in them.
package profile
