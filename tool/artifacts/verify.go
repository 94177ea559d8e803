package artifacts

import (
	"cmp"
	"context"
	"io"
	"mime"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/fact"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/internal/userfile"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
)

// slack is how far the clock of a file system may be from ours.
const slack = 2000 * time.Millisecond

// Statuses of files, and states of their verification.
const (
	Saved    = "saved"
	Pending  = "pending"
	Missing  = "missing"
	Stale    = "stale"
	Repaired = "repaired-from-temp"
	TempOnly = "upstream-temp-only"

	verified   = "verified"
	unverified = "unverified"
)

// Run is a command that has run: what its files are looked at with.
type Run struct {
	Line      *argv.Words
	Files     fact.Files // that its answer tells
	Cwd       string
	Session   string
	Namespace *string
	Began     time.Time
	Ended     time.Time
	Recording *Recording // that was under way in the session before the command
	Repair    bool       // a file that the program left elsewhere is brought to where the caller wants it
}

// Written returns the files that a command which succeeded says it wrote, as they are on the disk.
func (r *Run) Written() []contract.Artifact {
	p := r.Line.Writes()
	if p == nil {
		return nil
	}
	reported := r.Files.Path
	requested := ""
	folder := false
	if outs := OutputsOf(r.Line, r.Cwd); len(outs) > 0 {
		requested, folder = outs[0].Path, outs[0].Folder
	}
	starts, stops := r.Line.Begins(Video), r.Line.Ends(Video)
	if stops && !starts && requested == "" && r.Recording != nil {
		requested = r.Recording.Requested
	}
	if reported == "" && r.Files.Unchanged {
		return nil
	}
	var list []contract.Artifact
	if starts && stops {
		if previous := r.Files.Previous; previous != "" && local(previous) {
			list = append(list,
				r.look(previous, "", Video, "Previous recording saved", "Previous recording missing", "Previous recording stale"))
		} else if r.Recording != nil {
			list = append(list,
				r.look(r.Recording.Requested, "", Video, "Previous recording saved", "Previous recording missing",
					"Previous recording stale"))
		}
	}
	path := reported
	if path == "" {
		path = requested
	}
	if path == "" || !local(path) {
		return list
	}
	if r.Line.Begins(p.Kind) {
		a := r.describe(path, requested, p.Kind)
		a.Status, a.RecordingState, a.WillExistOnStop, a.Label = Pending, "openRecording", true, "Recording to"
		return append(list, a)
	}
	if r.Repair && requested != "" && reported != "" && !folder {
		if a, ok := r.repair(p, reported, requested); ok {
			return append(list, a)
		}
	}
	good, bad := labels(p)
	list = append(list, r.look(path, requested, p.Kind, good, bad, bad))
	if sheet := r.Files.Sheet; sheet != "" && stops && !starts {
		list = append(list,
			r.look(sheet, "", Image, "Saved image", "Image reported; file not verified", "Image reported; file not verified"))
	}
	return list
}

// labels are what the text says of a file that is there, and of one that is not.
func labels(p *trait.Output) (good, bad string) {
	const unsure = " reported; file not verified"
	good, bad = labelsOf(p.Kind)
	return cmp.Or(p.Saved, good), cmp.Or(p.Unverified, bad+unsure)
}

func labelsOf(kind Kind) (good, bad string) {
	switch kind {
	case Image:
		return "Saved image", "Image"
	case Download:
		return "Downloaded file verified", "Download event"
	case PDF:
		return "Saved PDF", "PDF"
	case HAR:
		return "Saved HAR", "HAR"
	case Trace:
		return "Saved trace", "Trace"
	case Profile:
		return "Saved profile", "Profile"
	case Video:
		return "Saved recording", "Recording"
	}
	return "Saved file", "File"
}

// describe is what can be said of a file by its name.
func (r *Run) describe(path, requested string, kind Kind) contract.Artifact {
	a := contract.Artifact{
		Path: path,
		AbsolutePath: Absolute(path,
			r.Cwd),
		Kind:          string(kind),
		ArtifactType:  string(kind),
		Cwd:           r.Cwd,
		Session:       r.Session,
		Namespace:     r.Namespace,
		RequestedPath: requested,
		Extension:     strings.ToLower(filepath.Ext(path)),
	}
	if requested != "" {
		a.Path = requested
	}
	a.MediaType = mediaType(a.Extension, kind)
	return a
}

// look describes a file as it is.
func (r *Run) look(path, requested string, kind Kind, good, missing, stale string) contract.Artifact {
	a := r.describe(path, requested, kind)
	info, err := os.Stat(a.AbsolutePath)
	there := err == nil && info.Mode().IsRegular()
	a.Exists = &there
	if !there {
		a.Status, a.Label = Missing, missing
		return a
	}
	size, at := info.Size(), info.ModTime().UnixMilli()
	a.SizeBytes, a.UpdatedAtMs = &size, &at
	a.Status, a.Label = Saved, good
	// what the command waited for may have been complete before
	early := kind == Download && !r.Line.Entry.Effect.Has(actions.Mutates)
	if !early && info.ModTime().Before(r.Began.Add(-slack)) || info.ModTime().After(r.Ended.Add(slack)) {
		a.Status, a.Label = Stale, stale
	}
	return a
}

// repair brings a file from where the program wrote it to where the caller asked for it. It reports false when there is
// nothing to repair.
func (r *Run) repair(p *trait.Output, reported, requested string) (contract.Artifact, bool) {
	from, to := Absolute(reported, r.Cwd), Absolute(requested, r.Cwd)
	good, bad := labels(p)
	if PlaceOf(from).Same(PlaceOf(to)) {
		return contract.Artifact{}, false
	}
	if a := r.look(to, requested, p.Kind, good, bad, bad); a.Status == Saved {
		return a, true // it is there as well
	}
	if _, err := os.Stat(from); err != nil {
		return r.look(to, requested, p.Kind, good, bad, bad), true
	}
	if err := copyFile(from, to); err != nil {
		a := r.look(from, requested, p.Kind, good, bad, bad)
		a.AbsolutePath, a.TempPath, a.Status, a.Label = to, from, TempOnly, bad
		no := false
		a.Exists, a.SizeBytes, a.UpdatedAtMs = &no, nil, nil
		return a, true
	}
	a := r.look(to, requested, p.Kind, good, bad, bad)
	if a.Status == Saved {
		a.Status, a.TempPath = Repaired, from
	}
	return a, true
}

func copyFile(from, to string) error {
	in, err := userfile.Open(context.Background(), from)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	return err
}

// mediaTypes are the types that systems do not agree on.
var mediaTypes = map[string]string{
	".webm": "video/webm", ".mp4": "video/mp4", ".webp": "image/webp", ".json": "application/json",
	".har": "application/json", ".pdf": "application/pdf",
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif",
	".heapsnapshot": "application/json", ".cpuprofile": "application/json",
}

func mediaType(ext string, kind Kind) string {
	if t := mediaTypes[ext]; t != "" {
		return t
	}
	if ext == "" {
		return map[Kind]string{
			PDF:     "application/pdf",
			HAR:     "application/json",
			Trace:   "application/json",
			Profile: "application/json",
		}[kind]
	}
	t, _, _ := strings.Cut(mime.TypeByExtension(ext), ";")
	return t
}

// Verify says which of these files are really there; nil when there are none.
func Verify(list []contract.Artifact) *contract.ArtifactVerification {
	if len(list) == 0 {
		return nil
	}
	v := &contract.ArtifactVerification{Artifacts: make([]contract.VerifiedArtifact, 0, len(list))}
	for _, a := range list {
		row := contract.VerifiedArtifact{
			Path:          a.Path,
			AbsolutePath:  a.AbsolutePath,
			RequestedPath: a.RequestedPath,
			Kind:          a.Kind,
			MediaType:     a.MediaType,
			Exists:        a.Exists,
			SizeBytes:     a.SizeBytes,
			Status:        a.Status,
		}
		switch a.Status {
		case Saved, Repaired:
			row.State = verified
			v.VerifiedCount++
		case Pending:
			row.State, row.Limitation = Pending, "The file is written when the recording is stopped."
			v.PendingCount++
		case Missing:
			row.State, row.Limitation = Missing, "The command reported the file, but it does not exist."
			v.MissingCount++
		case Stale:
			row.State, row.Limitation = unverified,
				"The file was not written while the command ran; it is an older or a newer one."
			v.UnverifiedCount++
		default:
			row.State, row.Limitation = unverified, "The file is where the program put it, not at the requested path."
			v.UnverifiedCount++
		}
		v.Artifacts = append(v.Artifacts, row)
	}
	v.Verified = v.VerifiedCount == len(list)
	return v
}

// VerifySpills adds outputs that were kept on disk since they were too long to show.
func VerifySpills(v *contract.ArtifactVerification, spilled []contract.ManifestEntry) *contract.ArtifactVerification {
	if len(spilled) == 0 {
		return v
	}
	if v == nil {
		v = &contract.ArtifactVerification{}
	}
	for _, e := range spilled {
		info, err := os.Stat(e.AbsolutePath)
		there := err == nil && info.Mode().IsRegular()
		row := contract.VerifiedArtifact{
			Path:         e.Path,
			AbsolutePath: e.AbsolutePath,
			Kind:         e.Kind,
			MediaType: mediaType(strings.ToLower(filepath.Ext(e.Path)),
				Spill),
			Exists:         &there,
			RetentionState: e.RetentionState,
			StorageScope:   e.StorageScope,
			State:          verified,
		}
		if there {
			size := info.Size()
			row.SizeBytes = &size
		}
		switch {
		case !there:
			row.State, row.Limitation = Missing, "The output is no longer kept."
			v.MissingCount++
		case e.RetentionState != "live":
			row.State, row.Limitation = unverified, "The file is removed with the process that wrote it; copy it to keep it."
			v.UnverifiedCount++
		default:
			v.VerifiedCount++
		}
		v.Artifacts = append(v.Artifacts, row)
	}
	v.Verified = v.VerifiedCount == len(v.Artifacts)
	return v
}

// Failure says what is wrong with files that should be there, or empty.
func Failure(list []contract.Artifact) string {
	for _, a := range list {
		switch a.Status {
		case Missing:
			return "Artifact verification failed: " + a.AbsolutePath + " was reported as saved, but does not exist."
		case Stale:
			return "Artifact verification failed: " + a.AbsolutePath + " exists, but this command did not write it."
		case TempOnly:
			return "Artifact verification failed: " + a.AbsolutePath + " could not be written; the file is in " + a.TempPath +
				"."
		}
	}
	return ""
}
