package diskspace

import "golang.org/x/sys/windows"

// Free returns how many bytes a user may still put into a folder. Files are not counted here: -1.
func Free(dir string) (bytes, files int64, err error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, 0, err
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(name, &free, nil, nil); err != nil {
		return 0, 0, err
	}
	return int64(free), -1, nil // no disk is that large
}
