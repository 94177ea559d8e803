//go:build !linux

package doctor

// limits and memory are looked at where containers are common.
func (l *list) limits() {}

func (l *list) memory() {}
