package chrome

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"runtime"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/nssdb"
	"github.com/skua-browser/skua/internal/userfile"
)

// trustDir is the folder, in a temporary profile, in which the browser finds the certificates of authorities as below
// XDG_DATA_HOME.
const trustDir = "skua-trust"

// systemBundles are the files in which systems keep the authorities that they trust, and those that their
// administrators added.
var systemBundles = []string{
	"/etc/ssl/certs/ca-certificates.crt",                // Debian, Ubuntu, Alpine
	"/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", // Fedora, RHEL
	"/etc/ssl/ca-bundle.pem",                            // openSUSE
	"/etc/pki/tls/certs/ca-bundle.crt",
	"/etc/ssl/cert.pem",
}

// trusts reports whether the browser is to trust more than it does by itself. Elsewhere than on Linux browsers trust
// what the system does anyway.
func (o Options) trusts() bool { return len(o.CACerts) > 0 || o.SystemCA && runtime.GOOS == "linux" }

// trust makes the browser with this temporary profile trust the authorities of o, and returns what its environment
// needs for that.
func (o Options) trust(ctx context.Context, profileDir string) (env []string, err error) {
	if !o.trusts() {
		return nil, nil
	}
	if runtime.GOOS != "linux" {
		return nil, fault.New(fault.Usage, "--ca-cert is supported only with the Chrome engine on Linux").About("--ca-cert").
			WithHint("Elsewhere a browser trusts what the system does: add the certificate there.")
	}
	if o.UserDataDir != "" {
		return nil, fault.New(fault.Usage, "Cannot use --ca-cert with the kept profile %s: what it trusts belongs to it",
			o.UserDataDir).About("--ca-cert").
			WithHint("Leave --profile out, or name one of Chrome's profiles, which is copied.")
	}
	authorities, err := o.Authorities(ctx)
	if err != nil {
		return nil, err
	}
	data := filepath.Join(profileDir, trustDir)
	dir := filepath.Join(data, "pki", "nssdb")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fault.New(fault.File, "the store of trusted certificates cannot be made: %w", err).About(dir)
	}
	if err := nssdb.Write(dir, authorities); err != nil {
		return nil, fault.New(fault.File, "the store of trusted certificates cannot be written: %w", err).About(dir)
	}
	return []string{"XDG_DATA_HOME=" + data}, nil
}

// mostCertificates is more than a list of all authorities has.
const mostCertificates = 64 << 20

// Authorities reads the certificates that the browser is to trust beside those that it trusts by itself.
func (o Options) Authorities(ctx context.Context) ([]*x509.Certificate, error) {
	var all []*x509.Certificate
	for _, path := range o.CACerts {
		text, err := userfile.Read(ctx, path, mostCertificates)
		if err != nil {
			return nil, fault.New(fault.File, "Failed to read CA certificate '%s': %w", path, err).About(path)
		}
		found, err := parseAuthorities(text)
		if err == nil && len(found) == 0 {
			err = errNoAuthority
		}
		if err != nil {
			return nil, fault.New(fault.Usage, "Failed to parse CA certificate '%s': %w", path, err).About(path).
				WithHint("Give the certificate of the authority itself, in PEM or DER form, not that of a server.")
		}
		all = append(all, found...)
	}
	if !o.SystemCA {
		return all, nil
	}
	bundles := systemBundles
	if own := o.getenv("SSL_CERT_FILE"); own != "" {
		bundles = []string{own}
	}
	for _, path := range bundles {
		if text, err := userfile.Read(ctx, path, mostCertificates); err == nil {
			found, _ := parseAuthorities(text) // one that is damaged must not take the others along
			return append(all, found...), nil
		}
	}
	return nil, fault.New(fault.File, "this system keeps no list of the authorities that it trusts").
		About("--use-system-ca").
		WithHint("Install the package ca-certificates, or name a certificate with --ca-cert.").With("looked", bundles)
}

var errNoAuthority = errNotAuthority("it holds no certificate of an authority")

type errNotAuthority string

func (e errNotAuthority) Error() string { return string(e) }

// parseAuthorities returns the certificates of authorities in PEM or DER text, and what was wrong with the first other
// one.
func parseAuthorities(text []byte) (found []*x509.Certificate, err error) {
	add := func(der []byte) {
		c, parseErr := x509.ParseCertificate(der)
		switch {
		case parseErr != nil:
			err = parseErr
		case !c.IsCA && (c.BasicConstraintsValid || !bytes.Equal(c.RawIssuer, c.RawSubject)):
			// old authorities do not say that they are one
			err = errNotAuthority("the certificate of " + c.Subject.String() + " is not that of an authority")
		default:
			found = append(found, c)
		}
	}
	blocks := 0
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if block.Type == "CERTIFICATE" {
			add(block.Bytes)
		}
		blocks++
	}
	if blocks == 0 {
		add(text)
	}
	return found, err
}
