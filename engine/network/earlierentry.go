package network

import "time"

// earlierScript reads the timings of a document in a world that its scripts cannot reach. A document keeps 250 unless
// it asks for more.
const earlierScript = `() => {
	const entry = (e) => ({
		url: e.name, type: e.entryType === 'navigation' ? 'navigation' : e.initiatorType, start: e.startTime, duration: e.duration,
		status: e.responseStatus, protocol: e.nextHopProtocol, transferred: e.transferSize, decoded: e.decodedBodySize, mime: e.contentType,
		cached: e.deliveryType === 'cache', dns: e.domainLookupEnd - e.domainLookupStart, connect: e.connectEnd - e.connectStart,
		ssl: e.secureConnectionStart ? e.connectEnd - e.secureConnectionStart : 0, request: e.requestStart, response: e.responseStart,
		fetch: e.fetchStart, lookup: e.domainLookupStart, end: e.responseEnd,
	});
	const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource').slice(-1000)];
	return {now: performance.now(), entries: all.map(entry)};
}`

type earlierEntry struct {
	URL         string  `json:"url"`
	Type        string  `json:"type"`
	Start       float64 `json:"start"`
	Duration    float64 `json:"duration"`
	Status      int     `json:"status"`
	Protocol    string  `json:"protocol"`
	Transferred float64 `json:"transferred"`
	Decoded     float64 `json:"decoded"`
	MIME        string  `json:"mime"`
	Cached      bool    `json:"cached"`
	DNS         float64 `json:"dns"`
	Connect     float64 `json:"connect"`
	SSL         float64 `json:"ssl"`
	Fetch       float64 `json:"fetch"`
	Lookup      float64 `json:"lookup"`
	Request     float64 `json:"request"`
	Response    float64 `json:"response"`
	End         float64 `json:"end"`
}

// earlierTypes are the protocol's words for those of the timings.
var earlierTypes = map[string]string{
	"navigation": "Document", "iframe": "Document", "frame": "Document", "img": "Image", "image": "Image",
	"input": "Image", "script": "Script",
	"link": "Stylesheet", "css": "Stylesheet", "fetch": "Fetch", "xmlhttprequest": "XHR", "beacon": "Ping",
	"audio": "Media", "video": "Media",
	"track": "TextTrack",
}

func (e *earlierEntry) into(x *Exchange, origin time.Time) {
	x.Type = earlierTypes[e.Type]
	if x.Type == "" {
		x.Type = "Other"
	}
	x.Started = origin.Add(time.Duration(e.Start * float64(time.Millisecond)))
	x.Status, x.Protocol, x.MimeType = e.Status, e.Protocol, e.MIME
	x.Decoded, x.Transferred = int64(e.Decoded), int64(e.Transferred)
	end := e.Duration // of a navigation, that is until the page was loaded
	if e.End > 0 {
		end = e.End - e.Start
	}
	x.Took = time.Duration(end * float64(time.Millisecond))
	if e.Cached {
		x.Source = "cache"
	}
	x.Phases = Phases{Blocked: -1, DNS: -1, Connect: -1, SSL: -1}
	if e.Request <= 0 || e.Response <= 0 { // another origin, which does not let the page see more
		return
	}
	x.Phases = Phases{
		Blocked: max(0, e.Lookup-e.Start),
		DNS:     e.DNS,
		Connect: e.Connect,
		SSL:     e.SSL,
		Wait:    max(0, e.Response-e.Request),
		Receive: max(0, e.End-e.Response),
		Known:   true,
	}
	if e.SSL == 0 {
		x.Phases.SSL = -1
	}
}
