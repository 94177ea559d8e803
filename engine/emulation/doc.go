// Package emulation is what pages of a context are told of the device and of the place that they are shown on: screen, touch, user agent,
// language, place, media features, time zone, processor, permissions. All of it holds for a whole context, its tabs that come included.
//
// It knows no other package on top of engine.
package emulation
