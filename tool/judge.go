package tool

import "github.com/skua-browser/skua/tool/contract"

// judge says how the call ended and what may be done next.
func (c *call) judge() {
	d := c.details
	if c.answer.Success {
		d.ResultCategory, d.SuccessCategory = contract.Success, contract.Completed
		return
	}
	d.ResultCategory, d.FailureCategory = contract.Failure, contract.UpstreamError
}
