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
