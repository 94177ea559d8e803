package input

import "encoding/json"

// Schema is the JSON schema of the parameters. It is closed and short, since hosts show it to models with every request: what it cannot say
// in a word, the error for a mistake says.
func Schema() json.RawMessage { return json.RawMessage(schema) }

const schema = `{"type":"object","additionalProperties":false,"properties":{` +
	`"args":{"type":"array","minItems":1,"items":{"type":["string","array"],"items":{"type":"string"}},"description":"Command line without the program's name, e.g. [\"open\",\"https://example.com\"], [\"fill\",\"@e3\",\"a b\"]"},` +
	`"semanticAction":{"type":"object","additionalProperties":false,"required":["action"],"description":"Act on an element by what it is, e.g. {\"action\":\"click\",\"locator\":\"role\",\"role\":\"button\",\"name\":\"Save\"}; or by selector","properties":{` +
	`"action":{"enum":["check","click","fill","select"]},` +
	`"locator":{"enum":["alt","label","placeholder","role","testid","text","title"]},` +
	`"value":{"type":"string","description":"Of the locator; of select by selector or role: the option"},` +
	`"values":{"type":"array","items":{"type":"string"},"description":"Options of select"},` +
	`"role":{"type":"string"},"name":{"type":"string"},"selector":{"type":"string","description":"@ref, CSS"},"text":{"type":"string","description":"Of fill"},"session":{"type":"string"}}},` +
	`"job":{"type":"object","additionalProperties":false,"required":["steps"],"description":"Several steps in one call","properties":{"failFast":{"type":"boolean","description":"Stop at the first failure (default)"},` +
	`"steps":{"type":"array","minItems":1,"items":{"type":"object","additionalProperties":false,"required":["action"],"properties":{` +
	`"action":{"enum":["open","click","fill","type","select","wait","assertText","assertUrl","waitForDownload","screenshot","snapshot"]},` +
	`"url":{"type":"string"},"loadState":{"enum":["domcontentloaded","load","networkidle"]},"selector":{"type":"string"},"locator":{"type":"string"},"role":{"type":"string"},"name":{"type":"string"},` +
	`"value":{"type":"string"},"values":{"type":"array","items":{"type":"string"}},"text":{"type":"string"},"press":{"type":"string"},"delayMs":{"type":"integer"},"milliseconds":{"type":"integer"},"path":{"type":"string"}}}}}},` +
	`"qa":{"type":"object","additionalProperties":false,"description":"Check a page: texts, console, errors, network","properties":{` +
	`"url":{"type":"string"},"attached":{"type":"boolean","description":"The current page, in place of url"},"expectedText":{"type":["string","array"],"items":{"type":"string"}},"expectedSelector":{"type":"string"},"screenshotPath":{"type":"string"},` +
	`"checkConsole":{"type":"boolean"},"checkErrors":{"type":"boolean"},"checkNetwork":{"type":"boolean"},"loadState":{"enum":["domcontentloaded","load","networkidle"]}}},` +
	`"sourceLookup":{"type":"object","additionalProperties":false,"description":"Which source file an element comes from (candidates)","properties":{` +
	`"selector":{"type":"string"},"reactFiberId":{"type":"string"},"componentName":{"type":"string"},"includeDomHints":{"type":"boolean"},"maxWorkspaceFiles":{"type":"integer"}}},` +
	`"networkSourceLookup":{"type":"object","additionalProperties":false,"description":"Which source file a failed request comes from (candidates)","properties":{` +
	`"requestId":{"type":"string"},"filter":{"type":"string"},"url":{"type":"string"},"session":{"type":"string"},"namespace":{"type":"string"},"maxWorkspaceFiles":{"type":"integer"}}},` +
	`"electron":{"type":"object","additionalProperties":false,"required":["action"],"description":"Desktop apps","properties":{` +
	`"action":{"enum":["list","launch","status","cleanup","probe"]},"query":{"type":"string"},"maxResults":{"type":"integer"},"launchId":{"type":"string"},"all":{"type":"boolean"},` +
	`"appPath":{"type":"string"},"appName":{"type":"string"},"bundleId":{"type":"string"},"executablePath":{"type":"string"},"appArgs":{"type":"array","items":{"type":"string"}},` +
	`"handoff":{"enum":["connect","tabs","snapshot"]},"targetType":{"enum":["page","webview","any"]},"timeoutMs":{"type":"integer"},` +
	`"allow":{"type":"array","items":{"type":"string"}},"deny":{"type":"array","items":{"type":"string"}}}},` +
	`"script":{"type":"string","description":"JavaScript with await browser({args}) and emit(value) in a session of its own; with session=current: with await page.click(\"@e2\"), page.getText(\"h1\") ... in this one"},` +
	`"session":{"enum":["own","current"],"description":"Of script"},` +
	`"stdin":{"type":"string","description":"Of eval --stdin, batch, auth save --password-stdin"},` +
	`"outputPath":{"type":"string","description":"Also save the result there"},` +
	`"timeoutMs":{"type":"integer","minimum":1},` +
	`"sessionMode":{"enum":["auto","fresh"],"description":"fresh: a new browser session"},` +
	`"observe":{"type":"boolean","description":"With one acting command: also show what changed in the snapshot"}}}`
