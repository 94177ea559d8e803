package tool

// save writes the result to outputPath.
func (c *call) save() {}
