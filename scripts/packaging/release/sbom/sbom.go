package sbom

import (
	"crypto/sha1" // which SPDX requires of each file
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/spdx/tools-golang/spdx/v2/common"
	"github.com/spdx/tools-golang/spdx/v2/v2_3"

	"github.com/skua-browser/skua/scripts/packaging/release/licenses"
	"github.com/skua-browser/skua/scripts/packaging/release/spec"
	"github.com/skua-browser/skua/scripts/packaging/release/stage"
)

const noAssertion = "NOASSERTION"

// product is the identifier of the release itself.
const product = common.ElementID("Package-skua")

// Write writes the document of a release.
func Write(r *spec.Release, folders []stage.Folder, to string) error {
	d := document(r)
	modules := map[common.ElementID]licenses.Module{}
	for _, f := range folders {
		for _, program := range f.Programs() {
			file, err := fileOf(f, program)
			if err != nil {
				return err
			}
			d.Files = append(d.Files, file)
			d.relate(product, common.TypeRelationshipContains, file.FileSPDXIdentifier)
			for _, m := range f.Modules {
				if m.In[program] {
					modules[idOf(m)] = m
					d.relate(file.FileSPDXIdentifier, common.TypeRelationshipStaticLink, idOf(m))
				}
			}
		}
		for _, m := range f.Modules {
			if m.In == nil && modules[idOf(m)].Name == "" {
				modules[idOf(m)] = m
				d.relate(product, common.TypeRelationshipContains, idOf(m))
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(modules)) {
		d.Packages = append(d.Packages, packageOf(id, modules[id]))
	}
	text, err := json.MarshalIndent(d.Document, "", "  ")
	if err != nil {
		return fmt.Errorf("SPDX document: %w", err)
	}
	return os.WriteFile(to, append(text, '\n'), 0o644)
}

// writing is a document that is written.
type writing struct{ *v2_3.Document }

func document(r *spec.Release) writing {
	name := "skua-" + r.Version
	d := writing{&v2_3.Document{
		SPDXVersion:       v2_3.Version,
		DataLicense:       v2_3.DataLicense,
		SPDXIdentifier:    "DOCUMENT",
		DocumentName:      name,
		DocumentNamespace: r.Download(name + ".spdx.json"), // an address that no other document has
		CreationInfo: &v2_3.CreationInfo{
			Creators: []common.Creator{{CreatorType: "Tool", Creator: "skua-scripts-release"}, {
				CreatorType: "Organization",
				Creator:     "skua",
			}},
			Created: r.Time.Format("2006-01-02T15:04:05Z"),
		},
		Packages: []*v2_3.Package{{
			PackageSPDXIdentifier: product,
			PackageName:           "skua",
			PackageVersion:        r.Version,
			PackageDownloadLocation: spec.Home +
				"/releases/tag/v" + r.Version,
			PackageHomePage:           spec.Home,
			PackageSummary:            spec.Summary,
			PackageSourceInfo:         "built from commit " + r.Commit,
			PackageLicenseConcluded:   spec.License,
			PackageLicenseDeclared:    spec.License,
			PackageCopyrightText:      noAssertion,
			IsFilesAnalyzedTagPresent: true,
			PrimaryPackagePurpose:     "APPLICATION",
			PackageExternalReferences: []*v2_3.PackageExternalReference{
				purl("pkg:golang/" + spec.Module + "@v" + r.Version),
			},
		}},
	}}
	d.relate("DOCUMENT", common.TypeRelationshipDescribe, product)
	return d
}

func (d writing) relate(a common.ElementID, how string, b common.ElementID) {
	d.Relationships = append(d.Relationships, &v2_3.Relationship{
		RefA:         common.DocElementID{ElementRefID: a},
		Relationship: how,
		RefB:         common.DocElementID{ElementRefID: b},
	})
}

// notInID is what an identifier may not have.
var notInID = regexp.MustCompile(`[^A-Za-z0-9.-]+`)

func idOf(m licenses.Module) common.ElementID {
	return common.ElementID("Package-" + string(m.Kind) + "-" + notInID.ReplaceAllString(m.Name+"-"+m.Version, "-"))
}

func purl(locator string) *v2_3.PackageExternalReference {
	return &v2_3.PackageExternalReference{
		Category: common.CategoryPackageManager,
		RefType:  common.TypePackageManagerPURL,
		Locator:  locator,
	}
}

func packageOf(id common.ElementID, m licenses.Module) *v2_3.Package {
	return &v2_3.Package{
		PackageSPDXIdentifier:     id,
		PackageName:               m.Name,
		PackageVersion:            m.Version,
		PackageDownloadLocation:   noAssertion,
		IsFilesAnalyzedTagPresent: true,
		PackageLicenseConcluded:   m.SPDX,
		PackageLicenseDeclared:    m.SPDX,
		PackageCopyrightText:      noAssertion,
		PackageExternalReferences: []*v2_3.PackageExternalReference{purl("pkg:" + string(m.Kind) + "/" + m.Name + "@" +
			m.Version)},
	}
}

func fileOf(f stage.Folder, program string) (*v2_3.File, error) {
	content, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	name := f.Target.OS + "_" + f.Target.Arch + "/" + stage.Bin + "/" + filepath.Base(program)
	return &v2_3.File{
		FileName: "./" +
			name,
		FileSPDXIdentifier: common.ElementID("File-" + notInID.ReplaceAllString(name, "-")),
		FileTypes:          []string{"BINARY"},
		Checksums: []common.Checksum{
			{Algorithm: common.SHA1, Value: fmt.Sprintf("%x", sha1.Sum(content))},
			{Algorithm: common.SHA256, Value: fmt.Sprintf("%x", sha256.Sum256(content))},
		},
		LicenseConcluded:   spec.License,
		LicenseInfoInFiles: []string{noAssertion},
		FileCopyrightText:  noAssertion,
	}, nil
}
