// Package agreement compares two snapshots of one page: that of skua's own walk and that of Chrome's accessibility
// tree. [RowsOf] lists the nodes of a snapshot's tree that are compared, and [Compare] pairs those of the two sides and
// says where they differ in role, name, state or place.
//
// It is for tests and measurements, and must not know where the trees come from.
package agreement
