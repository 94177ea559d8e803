package input

import "encoding/json"

// Schema is the JSON schema of the parameters. It is closed and short, since hosts show it to models with every
// request: what it cannot say in a word, the error for a mistake says. The modes that few calls use (lookups, electron)
// list the fields that most of their calls have, and are open for the others.
func Schema() json.RawMessage { return json.RawMessage(schema) }

// stepFields says which fields each action of a job takes.
const stepFields = `Fields: open url, loadState; click, check, uncheck, hover, fill: selector, or locator with value (role: role, name); fill also text; ` +
	`type text, selector, press, delayMs; press key, selector; select selector, value or values; upload selector, path or values; read url, or none; ` +
	`get value (text, value, attr, html, count, title, url), selector, name (attr); wait milliseconds; waitForText text, milliseconds; assertText text; assertUrl url; ` +
	`waitForDownload, screenshot path`

const schema = `{"type":"object","additionalProperties":false,"properties":{` +
	`"args":{"type":"array","minItems":1,"items":{"type":["string","array"],"items":{"type":"string"}},"description":"Command line without the program's name, e.g. [\"open\",\"https://example.com\"], [\"fill\",\"@e3\",\"a b\"]"},` +
	`"semanticAction":{"type":"object","additionalProperties":false,"required":["action"],"description":"Act on an element by what it is, e.g. {\"action\":\"click\",\"locator\":\"role\",\"role\":\"button\",\"name\":\"Save\"}; or by selector","properties":{` +
	`"action":{"enum":["check","click","fill","select"]},` +
	`"locator":{"enum":["alt","label","placeholder","role","testid","text","title"]},` +
	`"value":{"type":"string","description":"Of the locator; of select by selector or role: the option"},` +
	`"values":{"type":"array","items":{"type":"string"},"description":"Options of select"},` +
	`"role":{"type":"string"},"name":{"type":"string"},"selector":{"type":"string","description":"@ref, CSS"},"text":{"type":"string","description":"Of fill"},"session":{"type":"string"}}},` +
	`"job":{"type":"object","additionalProperties":false,"required":["steps"],"description":"Several steps in one call","properties":{"failFast":{"type":"boolean","description":"Default true"},` +
	`"steps":{"type":"array","minItems":1,"items":{"type":"object","additionalProperties":false,"required":["action"],"properties":{` +
	`"action":{"enum":["open","click","fill","type","press","select","check","uncheck","hover","upload","read","get","wait","waitForText","assertText","assertUrl","waitForDownload","screenshot","snapshot"],"description":"` + stepFields + `"},` +
	`"url":{"type":"string"},"loadState":{"enum":["domcontentloaded","load","networkidle"]},"selector":{"type":"string"},"locator":{"type":"string"},"role":{"type":"string"},"name":{"type":"string"},` +
	`"value":{"type":"string"},"values":{"type":"array","items":{"type":"string"}},"text":{"type":"string"},"key":{"type":"string"},"press":{"type":"string"},"delayMs":{"type":"integer"},"milliseconds":{"type":"integer"},"path":{"type":"string"}}}}}},` +
	`"qa":{"type":"object","additionalProperties":false,"description":"Check a page: texts, console, errors, network","properties":{` +
	`"url":{"type":"string"},"attached":{"type":"boolean","description":"The current page, in place of url"},"expectedText":{"type":["string","array"],"items":{"type":"string"}},"expectedSelector":{"type":"string"},"screenshotPath":{"type":"string"},` +
	`"checkConsole":{"type":"boolean"},"checkErrors":{"type":"boolean"},"checkNetwork":{"type":"boolean"},"loadState":{"enum":["domcontentloaded","load","networkidle"]}}},` +
	`"sourceLookup":{"type":"object","description":"Source file of an element","properties":{` +
	`"selector":{"type":"string"},"reactFiberId":{"type":"string"},"componentName":{"type":"string"}}},` +
	`"networkSourceLookup":{"type":"object","description":"Source file of a failed request","properties":{` +
	`"requestId":{"type":"string"},"filter":{"type":"string"},"url":{"type":"string"}}},` +
	`"electron":{"type":"object","required":["action"],"description":"Desktop apps","properties":{` +
	`"action":{"enum":["list","launch","status","cleanup","probe"]},"query":{"type":"string"},"appName":{"type":"string"},"appPath":{"type":"string"},` +
	`"launchId":{"type":"string"}}},` +
	`"script":{"type":"string","description":"JavaScript with await browser({args}) and emit(value) in a session of its own; with session=current: with await page.click(\"@e2\"), page.getText(\"h1\") ... in this one"},` +
	`"session":{"enum":["own","current"],"description":"Of script"},` +
	`"stdin":{"type":"string","description":"Of eval --stdin, batch, auth save --password-stdin"},` +
	`"outputPath":{"type":"string","description":"Also save the result there"},` +
	`"timeoutMs":{"type":"integer","minimum":1},` +
	`"sessionMode":{"enum":["auto","fresh"],"description":"fresh: a new browser session"},` +
	`"observe":{"type":"boolean","description":"With one acting command: also show what changed in the snapshot"}}}`
