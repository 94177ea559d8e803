package nssdb

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/binary"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func authority(t *testing.T, name string) *x509.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	c := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, IsCA: true,
		BasicConstraintsValid: true,
		NotBefore:             time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	require.NoError(t, err)
	c, err = x509.ParseCertificate(der)
	require.NoError(t, err)
	return c
}

// TestRowsSurviveTheFile reads the file by the description of its format, as another program would. That a browser
// trusts its certificates is tested where browsers are launched.
func TestRowsSurviveTheFile(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 3, 300} { // 300 need pages below pages
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			var all []*x509.Certificate
			for i := range n {
				all = append(all, authority(t, "authority "+strconv.Itoa(i)))
			}
			require.NoError(t, Write(dir, all))
			path := filepath.Join(dir, File)
			info, err := os.Stat(path)
			require.NoError(t, err)
			require.Zero(t, info.Mode().Perm()&0o077)
			file, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, "SQLite format 3\x00", string(file[:16]))
			require.Zero(t, len(file)%pageSize)
			require.EqualValues(t, len(file)/pageSize, binary.BigEndian.Uint32(file[28:]))
			rows := read(t, file, 2)
			require.Len(t, rows, 2*n)
			for i, c := range all {
				cert, trust := rows[2*i], rows[2*i+1]
				require.Equal(t, c.Raw, cert[attrValue])
				require.Equal(t, c.RawSubject, cert[attrSubject])
				require.Equal(t, c.RawIssuer, trust[attrIssuer])
				require.Equal(t, number(trustedDelegator), trust[attrServerAuth])
				require.Equal(t, number(trustUnknown), trust[attrMail])
				require.NotEqual(t, cert["id"], trust["id"])
			}
		})
	}
}

func read(t *testing.T, file []byte, number int) (rows []map[string][]byte) {
	t.Helper()
	p := file[(number-1)*pageSize : number*pageSize]
	count := int(binary.BigEndian.Uint16(p[3:]))
	if p[0] == interiorPage {
		for i := range count {
			at := binary.BigEndian.Uint16(p[12+2*i:])
			rows = append(rows, read(t, file, int(binary.BigEndian.Uint32(p[at:])))...)
		}
		return append(rows, read(t, file, int(binary.BigEndian.Uint32(p[8:])))...)
	}
	require.EqualValues(t, leafPage, p[0])
	for i := range count {
		c := p[binary.BigEndian.Uint16(p[leafHeader+2*i:]):]
		_, c = uvarint(c) // its size
		_, c = uvarint(c) // its id
		size, types := uvarint(c)
		body := c[size:]
		types = types[:int(size)-(len(c)-len(types))]
		row := map[string][]byte{}
		for _, column := range columns {
			var kind uint64
			kind, types = uvarint(types)
			length := 0
			switch {
			case kind == 4:
				length = 4
			case kind >= 12:
				length = int(kind-12) / 2
			}
			row[column], body = body[:length], body[length:]
		}
		require.Empty(t, types)
		rows = append(rows, row)
	}
	return rows
}

func uvarint(b []byte) (n uint64, rest []byte) {
	for i, c := range b {
		n = n<<7 | uint64(c&0x7f)
		if c < 0x80 {
			return n, b[i+1:]
		}
	}
	return n, nil
}
