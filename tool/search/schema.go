package search

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Name is what the tool is called by.
const Name = "agent_browser_web_search"

// Title is what people see in its place.
const Title = "Agent Browser Web Search"

// Description says when to use the tool.
const Description = "Search the web (Exa or Brave Search) and get titles, URLs and short excerpts. Use it to find " +
	"current facts, documentation, news or the address of a page; do not drive a search engine's form with " +
	"agent_browser, which meets CAPTCHAs. Use agent_browser to read or work in a page that was found. One search at a " +
	"time: searches are sent at least 1.1 s apart."

// Schema returns the JSON schema of the parameters. It is closed.
func Schema() json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"type":"object","additionalProperties":false,"required":["query"],"properties":{`+
		`"query":{"type":"string","minLength":1,"description":"What to look for"},`+
		`"provider":{"type":"string","enum":%s,"description":"Who is asked; auto takes one that has a key (default auto)"},`+
		`"searchType":{"type":"string","enum":%s,"description":"Exa only: how hard to look; deep ones take up to 45 s (default auto)"},`+
		`"count":{"type":"integer","minimum":1,"maximum":%d,"description":"Results (default %d)"},`+
		`"offset":{"type":"integer","minimum":0,"maximum":%d,"description":"Exa: results to leave out; Brave: pages (default 0)"},`+
		`"country":{"type":"string","pattern":"^[A-Za-z]{2}$","description":"Such as US"},`+
		`"searchLang":{"type":"string","minLength":%d,"maxLength":%d,"description":"Brave only, such as en"},`+
		`"safesearch":{"type":"string","enum":%s},`+
		`"freshness":{"type":"string","enum":%s,"description":"Of the last day, week, month, year"}}}`,
		list(providers), list(searchTypes), maxCount, defaultCount, maxOffset, minLang, maxLang, list(safesearches),
		list(freshnesses)))
}

func list(words []string) string { return `["` + strings.Join(words, `","`) + `"]` }
