// Package stats holds the measurements of a benchmark and reduces them to what its reports show: medians, ratios and
// table cells. [Series] is what one of the compared programs or libraries measured for one operation.
//
// It must not know what is measured, nor how.
package stats
