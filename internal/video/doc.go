// Package video makes a video of pictures: ffmpeg encodes them, each shown from the moment at which it was taken. It
// draws a pointer into them and lays the ones that differ side by side. It knows nothing of pages or browsers.
package video
