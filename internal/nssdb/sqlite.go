package nssdb

import (
	"encoding/binary"
	"errors"
)

// The file format of SQLite, as far as a file with one table needs it: https://www.sqlite.org/fileformat2.html. The
// pages are as large as they may be, so that every row fits into one.
const (
	pageSize   = 1 << 16
	fileHeader = 100
	leafHeader = 8
	maxPayload = pageSize - 35 // of a row that needs no further page

	leafPage     = 0x0d
	interiorPage = 0x05
)

var errRow = errors.New("a certificate is too large for the database")

// sqlite returns a file with one table that holds these records.
func sqlite(table, schema string, records [][]byte) ([]byte, error) {
	const root = 2
	leaves, last, err := fill(records)
	if err != nil {
		return nil, err
	}
	master := &page{}
	master.add(cell(1, record([]any{"table", table, table, int64(root), schema})))
	pages := [][]byte{master.bytes(fileHeader)}
	if len(leaves) == 1 {
		pages = append(pages, leaves[0].bytes(0))
	} else {
		pages = append(pages, interior(root+1, last))
		for _, l := range leaves {
			pages = append(pages, l.bytes(0))
		}
	}
	var file []byte
	for _, p := range pages {
		file = append(file, p...)
	}
	copy(file, "SQLite format 3\x00")
	binary.BigEndian.PutUint16(file[16:], 1) // 65536
	copy(file[18:], []byte{1, 1, 0, 64, 32, 32})
	for at, value := range map[int]uint32{
		24: 1, 28: uint32(len(pages)), 40: 1, 44: 4, 56: 1, // change counter, pages, schema cookie, schema format, UTF-8
		92: 1, 96: 3040000,
	} {
		binary.BigEndian.PutUint32(file[at:], value)
	}
	return file, nil
}

// fill spreads the records over leaves, and returns the last row id of each.
func fill(records [][]byte) (leaves []*page, last []int64, err error) {
	leaf := &page{}
	leaves, last = append(leaves, leaf), append(last, 0)
	for i, r := range records {
		if len(r) > maxPayload {
			return nil, nil, errRow
		}
		id := int64(i + 1)
		c := cell(id, r)
		if !leaf.fits(c) {
			leaf = &page{}
			leaves, last = append(leaves, leaf), append(last, 0)
		}
		leaf.add(c)
		last[len(last)-1] = id
	}
	return leaves, last, nil
}

// page is a leaf of a table.
type page struct {
	cells [][]byte
	used  int
}

func (p *page) fits(c []byte) bool { return leafHeader+p.used+len(c)+2 <= pageSize }

func (p *page) add(c []byte) {
	p.cells = append(p.cells, c)
	p.used += len(c) + 2
}

// bytes lays the page out after a header of the file, if there is one.
func (p *page) bytes(before int) []byte {
	b := make([]byte, pageSize)
	b[before] = leafPage
	layOut(b, before, before+leafHeader, p.cells)
	return b
}

// interior is the page above leaves, the first of which has this number.
func interior(first int, last []int64) []byte {
	b := make([]byte, pageSize)
	b[0] = interiorPage
	var cells [][]byte
	for i, id := range last[:len(last)-1] {
		cells = append(cells, varint(binary.BigEndian.AppendUint32(nil, uint32(first+i)), uint64(id)))
	}
	binary.BigEndian.PutUint32(b[8:], uint32(first+len(last)-1))
	layOut(b, 0, 12, cells)
	return b
}

// layOut puts the cells at the end of a page, and where they are after its header.
func layOut(b []byte, header, pointers int, cells [][]byte) {
	binary.BigEndian.PutUint16(b[header+3:], uint16(len(cells)))
	at := len(b)
	for i, c := range cells {
		at -= len(c)
		copy(b[at:], c)
		binary.BigEndian.PutUint16(b[pointers+2*i:], uint16(at))
	}
	binary.BigEndian.PutUint16(b[header+5:], uint16(at)) // 65536 is written as 0
}

func cell(id int64, record []byte) []byte {
	return append(varint(varint(nil, uint64(len(record))), uint64(id)), record...)
}

// record writes a row of numbers, texts and blobs; a nil blob is NULL.
func record(fields []any) []byte {
	var types, body []byte
	for _, f := range fields {
		switch v := f.(type) {
		case int64:
			types = varint(types, 4) // 32 bits
			body = binary.BigEndian.AppendUint32(body, uint32(v))
		case string:
			types = varint(types, uint64(len(v))*2+13)
			body = append(body, v...)
		case []byte:
			if v == nil {
				types = varint(types, 0)
				continue
			}
			types = varint(types, uint64(len(v))*2+12)
			body = append(body, v...)
		}
	}
	size := len(types) + 1
	if size > 0x7f {
		size++ // the size counts itself
	}
	return append(append(varint(nil, uint64(size)), types...), body...)
}

// varint adds a number in SQLite's form, which fits into 8 bytes here.
func varint(b []byte, n uint64) []byte {
	groups := 1
	for v := n >> 7; v > 0; v >>= 7 {
		groups++
	}
	for i := groups - 1; i >= 0; i-- {
		c := byte(n>>(7*i)) & 0x7f
		if i > 0 {
			c |= 0x80
		}
		b = append(b, c)
	}
	return b
}
