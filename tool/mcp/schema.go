package mcp

import "encoding/json"

// outputSchema says what the structured content of agent_browser holds, as far as a client can rely on it.
var outputSchema = json.RawMessage(`{
"type":"object",
"properties":{
"resultCategory":{"enum":["success","failure"]},
"successCategory":{"type":"string"},
"failureCategory":{"type":"string"},
"retryable":{"type":"boolean"},
"command":{"type":"string"},
"sessionName":{"type":"string"},
"exitCode":{"type":"integer"},
"summary":{"type":"string"},
"error":{"type":"string"},
"code":{"type":"string"},
"validationError":{"type":"string"},
"data":{},
"nextActions":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"tool":{"type":"string"},"reason":{"type":"string"},"params":{"type":"object"}},"required":["id","tool"]}},
"pageChangeSummary":{"type":"object"},
"batchSteps":{"type":"array","items":{"type":"object"}},
"artifacts":{"type":"array","items":{"type":"object"}},
"fullOutputPath":{"type":"string"},
"inText":{"type":"array","items":{"type":"string"},"description":"fields left out here since the text has them"}
},
"required":["resultCategory"]
}`)

// observedSchema says of the structured content of the tools for page capabilities what a client needs first. It has
// the other members of outputSchema, too: the list of tools stays short.
var observedSchema = json.RawMessage(
	`{"type":"object","properties":{"resultCategory":{"enum":["success","failure"]},"retryable":{"type":"boolean"},` +
		`"error":{"type":"string"},"code":{"type":"string"},"data":{},"observation":{"type":"object","properties":{"url":{"type":"string"},` +
		`"title":{"type":"string"},"ts":{"type":"integer"},"urlChanged":{"type":"boolean"},"focusedRole":{"type":"string"},"collectionSummary":{"type":"array",` +
		`"items":{"type":"object","properties":{"id":{"type":"string"},"count":{"type":"integer"}},"required":["id","count"]}}},` +
		`"required":["url","title","ts"]}},"required":["resultCategory"]}`)
