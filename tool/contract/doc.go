// Package contract is the vocabulary of the agent_browser tool: what a call may say and what a result holds, as plain
// data with the JSON names that callers know. Other packages of the tool fill it; it knows none of them.
//
// Details is put together from one struct for each concern, in a file of its own; JSON shows them as one flat object.
package contract
