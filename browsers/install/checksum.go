package install

import (
	"crypto/md5" // it is what storage servers offer; it guards against damage, not against malice
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"os"
	"strings"
)

// sums are the checksums of a file: those that storage servers give, in their base64, and SHA-256 in hexadecimal
// digits.
type sums struct {
	SHA256 string `json:"sha256,omitempty"`
	MD5    string `json:"md5,omitempty"`
	CRC32C string `json:"crc32c,omitempty"`
}

// given reads what a server says of a file (x-goog-hash: crc32c=…,md5=…). What it does not say is empty.
func given(h http.Header) sums {
	var s sums
	for _, line := range h.Values("X-Goog-Hash") {
		for part := range strings.SplitSeq(line, ",") {
			switch name, value, _ := strings.Cut(strings.TrimSpace(part), "="); name {
			case "md5":
				s.MD5 = value
			case "crc32c":
				s.CRC32C = value
			}
		}
	}
	return s
}

// sumsOf reads a file and returns all its checksums.
func sumsOf(path string) (sums, error) {
	f, err := os.Open(path)
	if err != nil {
		return sums{}, err
	}
	defer f.Close()
	s, m, c := sha256.New(), md5.New(), crc32.New(crc32.MakeTable(crc32.Castagnoli))
	if _, err := io.Copy(io.MultiWriter(s, m, c), f); err != nil {
		return sums{}, err
	}
	encode := base64.StdEncoding.EncodeToString
	return sums{SHA256: hex.EncodeToString(s.Sum(nil)), MD5: encode(m.Sum(nil)), CRC32C: encode(c.Sum(nil))}, nil
}

// against returns how a file differs from what was promised of it, or "". by are the names of the checksums that were
// compared.
func (s sums) against(promised sums) (differs string, by []string) {
	for _, sum := range []struct{ name, is, want string }{
		{"sha256", s.SHA256, promised.SHA256}, {"md5", s.MD5, promised.MD5}, {"crc32c", s.CRC32C, promised.CRC32C},
	} {
		if sum.want == "" {
			continue
		}
		by = append(by, sum.name)
		if sum.is != sum.want && differs == "" {
			differs = fmt.Sprintf("its %s is %s and should be %s", sum.name, sum.is, sum.want)
		}
	}
	return differs, by
}

// sha256Of is the SHA-256 of a file.
func sha256Of(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
