package procgroup

// Guard is what has to be done when the owner of a group is killed, and cannot do it itself.
type Guard struct {
	Mark   string   // an absolute path: processes whose command line names it end with the group, wherever they went
	Remove []string // absolute paths of files and folders that are removed then
}
