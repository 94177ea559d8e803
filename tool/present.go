package tool

import "github.com/skua-browser/skua/tool/contract"

// present makes what the model sees.
func (c *call) present() {
	text := c.answer.Text
	if d := c.details; d.ResultCategory == contract.Failure && d.Error != "" {
		text = d.Error // of the command, or what was found out after it
	}
	c.content = []contract.Content{contract.TextOf(text)}
}
