package nssdb

import (
	"crypto/md5" // NSS finds the trust in a certificate by it
	"crypto/sha1"
	"crypto/x509"
	"encoding/asn1"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// File is the name of the database in its folder.
const File = "cert9.db"

// What NSS calls the attributes and values that are needed here, see its pkcs11t.h and pkcs11n.h. An attribute's column
// is "a" and its number.
const (
	attrClass        = "a0"
	attrToken        = "a1"
	attrPrivate      = "a2"
	attrLabel        = "a3"
	attrValue        = "a11"
	attrCertType     = "a80"
	attrIssuer       = "a81"
	attrSerial       = "a82"
	attrSubject      = "a101"
	attrID           = "a102"
	attrModifiable   = "a170"
	attrServerAuth   = "ace536358"
	attrClientAuth   = "ace536359"
	attrCodeSigning  = "ace53635a"
	attrMail         = "ace53635b"
	attrStepUp       = "ace536360"
	attrSHA1         = "ace5363b4"
	attrMD5          = "ace5363b5"
	classCertificate = 1
	classTrust       = 0xce534353
	trustedDelegator = 0xce534352 // its certificates are trusted
	trustUnknown     = 0xce534355
	firstHandle      = 1 << 20
)

// columns are the columns of NSS's own table; it asks for any of them.
var columns = strings.Fields(
	`id a0 a1 a2 a3 a10 a11 a12 a80 a81 a82 a83 a84 a85 a86 a87 a88 a89 a8a a8b a90 a100 a101 a102 a103 a104 a105 a106 a107
	a108 a109 a10a a10b a10c a110 a111 a120 a121 a122 a123 a124 a125 a126 a127 a128 a129 a130 a131 a132 a133 a134 a160 a161 a162 a163 a164 a165
	a166 a170 a180 a181 a200 a201 a202 a210 a300 a301 a302 a400 a401 a402 a403 a404 a405 a406 a480 a481 a482 a500 a501 a502 a503 a40000211
	a40000212 a80000001 ace534351 ace534352 ace534353 ace534354 ace534355 ace534356 ace534357 ace534358 ace534364 ace534365 ace534366 ace534367
	ace534368 ace534369 ace534373 ace534374 ace536351 ace536352 ace536353 ace536354 ace536355 ace536356 ace536357 ace536358 ace536359 ace53635a
	ace53635b ace53635c ace53635d ace53635e ace53635f ace536360 ace5363b4 ace5363b5 ad5a0db00`)

// Write makes a database in dir, which must be there, in which these certificates are authorities for the identity of
// servers.
func Write(dir string, authorities []*x509.Certificate) error {
	var rows [][]byte
	id := int64(firstHandle)
	add := func(values map[string][]byte) {
		fields := []any{id}
		for _, column := range columns[1:] {
			fields = append(fields, values[column])
		}
		rows = append(rows, record(fields))
		id++
	}
	for _, c := range authorities {
		serial, err := asn1.Marshal(c.SerialNumber)
		if err != nil {
			return fmt.Errorf("serial number of %s: %w", c.Subject, err)
		}
		key, fingerprint, old := sha1.Sum(c.RawSubjectPublicKeyInfo), sha1.Sum(c.Raw), md5.Sum(c.Raw) // names, no protection
		yes, no := []byte{1}, []byte{0}
		add(map[string][]byte{
			attrClass:      number(classCertificate),
			attrToken:      yes,
			attrPrivate:    no,
			attrModifiable: yes,
			attrLabel:      []byte(c.Subject.CommonName),
			attrValue:      c.Raw,
			attrCertType:   number(0),
			attrIssuer:     c.RawIssuer,
			attrSerial:     serial,
			attrSubject:    c.RawSubject,
			attrID:         key[:],
		})
		add(map[string][]byte{
			attrClass:       number(classTrust),
			attrToken:       yes,
			attrPrivate:     no,
			attrModifiable:  yes,
			attrIssuer:      c.RawIssuer,
			attrSerial:      serial,
			attrServerAuth:  number(trustedDelegator),
			attrClientAuth:  number(trustUnknown),
			attrCodeSigning: number(trustUnknown),
			attrMail:        number(trustUnknown),
			attrStepUp:      no,
			attrSHA1:        fingerprint[:],
			attrMD5:         old[:],
		})
	}
	file, err := sqlite("nssPublic", "CREATE TABLE nssPublic ("+strings.Join(columns, ", ")+")", rows)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, File), file, 0o600)
}

// number is a number as NSS stores it.
func number(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }
