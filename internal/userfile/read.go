package userfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// Limit is the time after which a file system counts as one that does not answer.
const Limit = 10 * time.Second

// Errors do not repeat the path: the caller's message has it as the user wrote it.
var (
	ErrFolder     = errors.New("is a directory")
	ErrNotRegular = errors.New("it is not a regular file")
	errSilent     = fmt.Errorf("its file system did not answer within %v", Limit)
)

// TooLargeError means that a file has more bytes than the caller takes.
type TooLargeError struct{ Size, Most int64 }

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("it has %d bytes, but at most %d are read", e.Size, e.Most)
}

// Read returns the content of a file, of at most most bytes.
func Read(ctx context.Context, path string, most int64) ([]byte, error) {
	return read(ctx, func() (*os.File, error) { return open(path) }, most)
}

// ReadIn is Read for a file below a folder that no link leads out of.
func ReadIn(ctx context.Context, root *os.Root, name string, most int64) ([]byte, error) {
	return read(ctx, func() (*os.File, error) {
		return openBy(func() (fs.FileInfo, error) { return root.Stat(name) }, func(flags int) (*os.File, error) {
			return root.OpenFile(name, flags, 0)
		})
	}, most)
}

func read(ctx context.Context, open func() (*os.File, error), most int64) ([]byte, error) {
	return bounded(ctx, func() ([]byte, error) {
		f, err := open()
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }()
		info, err := f.Stat()
		if err != nil {
			return nil, withoutPath(err)
		}
		if info.Size() > most {
			return nil, &TooLargeError{info.Size(), most}
		}
		text, err := io.ReadAll(io.LimitReader(f, most+1))
		if err != nil {
			return nil, withoutPath(err)
		}
		if size := int64(len(text)); size > most { // it grew, or its size was not known before
			return nil, &TooLargeError{size, most}
		}
		return text, nil
	}, nil)
}

// Open opens a regular file for reading.
func Open(ctx context.Context, path string) (*os.File, error) {
	return bounded(ctx, func() (*os.File, error) { return open(path) }, func(f *os.File) { _ = f.Close() })
}

// Stat describes a file or folder; anything else is an error.
func Stat(ctx context.Context, path string) (fs.FileInfo, error) {
	return bounded(ctx, func() (fs.FileInfo, error) {
		info, err := os.Stat(path)
		if err != nil {
			return nil, withoutPath(err)
		}
		if !info.IsDir() && !info.Mode().IsRegular() {
			return nil, ErrNotRegular
		}
		return info, nil
	}, nil)
}

func open(path string) (*os.File, error) {
	return openBy(func() (fs.FileInfo, error) { return os.Stat(path) }, func(flags int) (*os.File, error) {
		return os.OpenFile(path, flags, 0)
	})
}

// openBy opens a regular file. It does not wait for the writer of a pipe, whatever the path leads to by now.
func openBy(stat func() (fs.FileInfo, error), open func(flags int) (*os.File, error)) (*os.File, error) {
	info, err := stat()
	if err == nil {
		err = checkRegular(info)
	}
	if err != nil {
		return nil, withoutPath(err)
	}
	f, err := open(os.O_RDONLY | nonblocking)
	if err != nil {
		return nil, withoutPath(err)
	}
	if info, err = f.Stat(); err == nil {
		err = checkRegular(info)
	}
	if err != nil {
		_ = f.Close()
		return nil, withoutPath(err)
	}
	return f, nil
}

func checkRegular(info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return ErrFolder
	case !info.Mode().IsRegular():
		return ErrNotRegular
	}
	return nil
}

// bounded calls do, and gives up waiting for it when ctx ends or the limit is over. A system call on a file system that
// does not answer cannot be interrupted: its goroutine ends with it, and drop gets what came too late.
func bounded[T any](ctx context.Context, do func() (T, error), drop func(T)) (T, error) {
	var zero T
	if err := ctx.Err(); err != nil {
		return zero, context.Cause(ctx)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, Limit, errSilent)
	defer cancel()
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := do()
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		if drop != nil {
			go func() {
				if o := <-done; o.err == nil {
					drop(o.value)
				}
			}()
		}
		return zero, context.Cause(ctx)
	}
}

func withoutPath(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
