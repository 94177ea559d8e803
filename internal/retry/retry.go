package retry

import (
	"math"
	"net/http"
	"strconv"
	"time"
)

// IsTransient reports whether a server that answered with this status may answer otherwise later: it is busy, or
// broken.
func IsTransient(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooManyRequests:
		return true
	case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported:
		return false
	}
	return status >= 500
}

// After is how long a server wants to be left alone, by the Retry-After header of its answer: a number of seconds, or a
// date. It is 0 where the server does not say.
func After(h http.Header) time.Duration {
	text := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(text, 64); err == nil && s > 0 && s < math.MaxInt64/float64(time.Second) {
		return time.Duration(s * float64(time.Second))
	}
	if t, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(t))
	}
	return 0
}
