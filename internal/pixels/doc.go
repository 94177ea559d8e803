// Package pixels compares pictures as people see them: small differences of color below a threshold do not count, nor
// do edges that were only smoothed in another way. It knows nothing of files, pages or browsers.
package pixels
