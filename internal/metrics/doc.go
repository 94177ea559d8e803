// Package metrics counts, and writes what it counted in Prometheus' text form
// (https://prometheus.io/docs/instrumenting/exposition_formats/, version 0.0.4).
//
// It is the small part of a client library that a service with some ten metrics needs: counters, histograms, and gauges
// that are read when they are written.
package metrics
