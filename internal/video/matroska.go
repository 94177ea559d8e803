package video

import (
	"encoding/binary"
	"io"
	"time"
)

// matroska writes JPEG pictures with their times, so that ffmpeg learns when each one was taken and not when it came.
// See RFC 9559.
type matroska struct {
	w       io.Writer
	buf     []byte
	cluster time.Duration // where the cluster that is open begins; negative means that none is
}

// Element ids.
const (
	idEBML      = 0x1A45DFA3
	idDocType   = 0x4282
	idSegment   = 0x18538067
	idInfo      = 0x1549A966
	idScale     = 0x2AD7B1
	idMuxer     = 0x4D80
	idWriter    = 0x5741
	idTracks    = 0x1654AE6B
	idTrack     = 0xAE
	idNumber    = 0xD7
	idUID       = 0x73C5
	idType      = 0x83
	idCodec     = 0x86
	idVideo     = 0xE0
	idWidth     = 0xB0
	idHeight    = 0xBA
	idCluster   = 0x1F43B675
	idTimestamp = 0xE7
	idBlock     = 0xA3
)

// unknownSize says that an element ends where the next one of its level begins.
const unknownSize = 0x01FFFFFFFFFFFFFF

// clusterSpan is how far times of a cluster may be from its beginning: they have 16 bits, in milliseconds.
const clusterSpan = 30 * time.Second

func newMatroska(w io.Writer, width, height int) (*matroska, error) {
	m := &matroska{w: w, cluster: -1}
	m.element(idEBML, element(idDocType, []byte("matroska")))
	m.id(idSegment)
	m.buf = binary.BigEndian.AppendUint64(m.buf, unknownSize)
	m.element(idInfo,
		join(number(idScale, uint64(time.Millisecond)), element(idMuxer, []byte("skua")), element(idWriter, []byte("skua"))))
	m.element(idTracks,
		element(idTrack, join(number(idNumber, 1), number(idUID, 1), number(idType, 1), element(idCodec, []byte("V_MJPEG")),
			element(idVideo, join(number(idWidth, uint64(width)), number(idHeight, uint64(height)))))))
	return m, m.flush()
}

// picture writes one that was taken at a time after the beginning.
func (m *matroska) picture(at time.Duration, jpeg []byte) error {
	at = at.Truncate(time.Millisecond)
	if m.cluster < 0 || at-m.cluster > clusterSpan {
		m.cluster = at
		m.id(idCluster)
		m.buf = binary.BigEndian.AppendUint64(m.buf, unknownSize)
		m.buf = append(m.buf, number(idTimestamp, uint64(at.Milliseconds()))...)
	}
	const track, keyframe = 0x81, 0x80
	head := binary.BigEndian.AppendUint16([]byte{track}, uint16((at - m.cluster).Milliseconds()))
	m.id(idBlock)
	m.buf = append(m.buf, size(len(head)+1+len(jpeg))...)
	m.buf = append(append(m.buf, head...), keyframe)
	m.buf = append(m.buf, jpeg...)
	return m.flush()
}

func (m *matroska) flush() error {
	_, err := m.w.Write(m.buf)
	m.buf = m.buf[:0]
	return err
}

func (m *matroska) id(id uint32)                   { m.buf = append(m.buf, idBytes(id)...) }
func (m *matroska) element(id uint32, body []byte) { m.buf = append(m.buf, element(id, body)...) }

func element(id uint32, body []byte) []byte { return join(idBytes(id), size(len(body)), body) }

func number(id uint32, n uint64) []byte { return element(id, binary.BigEndian.AppendUint64(nil, n)) }

func idBytes(id uint32) []byte {
	b := binary.BigEndian.AppendUint32(nil, id)
	for b[0] == 0 {
		b = b[1:]
	}
	return b
}

// size is a length in eight bytes, which is allowed for any.
func size(n int) []byte { return binary.BigEndian.AppendUint64(nil, 1<<56|uint64(n)) }

func join(parts ...[]byte) (all []byte) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}
