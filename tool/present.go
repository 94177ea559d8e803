package tool

import "github.com/skua-browser/skua/tool/contract"

// present makes what the model sees.
func (c *call) present() {
	text := c.answer.Text
	if !c.answer.Success && c.answer.Error != "" {
		text = c.answer.Error
	}
	c.content = []contract.Content{contract.TextOf(text)}
}
