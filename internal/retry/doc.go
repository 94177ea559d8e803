// Package retry says whether an HTTP request that failed may be sent again, and when: by the status of its answer (RFC
// 9110, section 15), and by its Retry-After header (section 10.2.3).
//
// It sends nothing. How often a request is repeated, and whether it may be at all, is for its caller to know.
package retry
