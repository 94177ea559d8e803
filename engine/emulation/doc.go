// Package emulation overrides the device and location that pages of a context see: screen, touch, user agent, language,
// geolocation, media features, time zone, CPU, permissions. Overrides apply to a whole context, including its future
// tabs.
//
// It knows no other package on top of engine.
package emulation
