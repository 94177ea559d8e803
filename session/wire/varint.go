package wire

// maxVarint is the longest encoding of a uint64.
const maxVarint = 10

func appendUvarint(b []byte, v uint64) []byte {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

func sizeUvarint(v uint64) int {
	n := 1
	for v >= 0x80 {
		v >>= 7
		n++
	}
	return n
}

// uvarint returns the number at the start of b and its length. The length is 0 if b is incomplete and negative if it is
// not a uint64 in its shortest form.
func uvarint(b []byte) (v uint64, n int) {
	var shift uint
	for i, c := range b {
		if i == maxVarint || i == maxVarint-1 && c > 1 {
			return 0, -1
		}
		if c < 0x80 {
			if c == 0 && i > 0 {
				return 0, -1
			}
			return v | uint64(c)<<shift, i + 1
		}
		v |= uint64(c&0x7f) << shift
		shift += 7
	}
	return 0, 0
}

func appendString(b []byte, s string) []byte {
	return append(appendUvarint(b, uint64(len(s))), s...)
}

func sizeString(s string) int { return sizeUvarint(uint64(len(s))) + len(s) }

func appendStrings(b []byte, list []string) []byte {
	b = appendUvarint(b, uint64(len(list)))
	for _, s := range list {
		b = appendString(b, s)
	}
	return b
}

func sizeStrings(list []string) int {
	n := sizeUvarint(uint64(len(list)))
	for _, s := range list {
		n += sizeString(s)
	}
	return n
}

// decoder takes fields off the front of a body. After the first bad field every further one is zero and bad stays true.
type decoder struct {
	rest []byte
	bad  bool
}

func (d *decoder) uint() uint64 {
	v, n := uvarint(d.rest)
	if n <= 0 {
		d.bad, d.rest = true, nil
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

func (d *decoder) bytes() []byte {
	n := d.uint()
	if n > uint64(len(d.rest)) {
		d.bad, d.rest = true, nil
		return nil
	}
	p := d.rest[:n:n]
	d.rest = d.rest[n:]
	return p
}

func (d *decoder) string() string { return string(d.bytes()) }

// maxStrings bounds a list. No system takes as many arguments, and a list of empty strings takes sixteen times the
// memory of its encoding.
const maxStrings = 1 << 18

// strings reads a list. A count that the remaining bytes cannot hold is refused before anything is allocated for it.
func (d *decoder) strings() []string {
	n := d.uint()
	if n > maxStrings || n > uint64(len(d.rest)) {
		d.bad, d.rest = true, nil
		return nil
	}
	if n == 0 {
		return nil
	}
	list := make([]string, 0, n)
	for range n {
		list = append(list, d.string())
	}
	if d.bad {
		return nil
	}
	return list
}
