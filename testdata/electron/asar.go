package electronapp

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// file is a file that goes into an archive, or beside it.
type file struct {
	data     []byte
	unpacked bool // its data is in the folder app.asar.unpacked
}

// node is a file or folder of an archive's header.
type node struct {
	Files     map[string]*node `json:"files,omitempty"`
	Size      *int             `json:"size,omitempty"`
	Offset    string           `json:"offset,omitempty"`
	Unpacked  bool             `json:"unpacked,omitempty"`
	Integrity *integrity       `json:"integrity,omitempty"`
}

type integrity struct {
	Algorithm string   `json:"algorithm"`
	Hash      string   `json:"hash"`
	BlockSize int      `json:"blockSize"`
	Blocks    []string `json:"blocks"`
}

// archive returns the bytes of an asar archive with the files, whose names are slash-separated paths: a pickle with the size of the header's
// pickle, the header's pickle, and the data of the files one after another.
func archive(files map[string]file) ([]byte, error) {
	root := &node{Files: map[string]*node{}}
	var data bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f := files[name]
		dir := root
		parts := strings.Split(name, "/")
		for _, part := range parts[:len(parts)-1] {
			if dir.Files[part] == nil {
				dir.Files[part] = &node{Files: map[string]*node{}}
			}
			dir = dir.Files[part]
		}
		size := len(f.data)
		n := &node{Size: &size, Unpacked: f.unpacked, Integrity: integrityOf(f.data)}
		if !f.unpacked {
			n.Offset = strconv.Itoa(data.Len())
			data.Write(f.data)
		}
		dir.Files[parts[len(parts)-1]] = n
	}
	header, err := json.Marshal(root)
	if err != nil {
		return nil, err
	}
	padded := (len(header) + 3) / 4 * 4
	var out bytes.Buffer
	for _, word := range []int{4, padded + 8, padded + 4, len(header)} {
		_ = binary.Write(&out, binary.LittleEndian, uint32(word)) // no writing to a Buffer fails
	}
	out.Write(header)
	out.Write(make([]byte, padded-len(header)))
	out.Write(data.Bytes())
	return out.Bytes(), nil
}

func integrityOf(data []byte) *integrity {
	const block = 4 << 20
	hash := func(b []byte) string {
		sum := sha256.Sum256(b)
		return hex.EncodeToString(sum[:])
	}
	i := &integrity{Algorithm: "SHA256", Hash: hash(data), BlockSize: block}
	for chunk := range slices.Chunk(data, block) {
		i.Blocks = append(i.Blocks, hash(chunk))
	}
	if i.Blocks == nil {
		i.Blocks = []string{hash(nil)}
	}
	return i
}
