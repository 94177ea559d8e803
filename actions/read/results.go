package read

// DocumentResult is the data of `read` about one address. What the document says of itself is there when it says it.
type DocumentResult struct {
	Byline      string `json:"byline,omitempty"`
	Content     string `json:"content"`
	ContentType string `json:"contentType"`
	Excerpt     string `json:"excerpt,omitempty"`
	FinalURL    string `json:"finalUrl"` // after redirects
	Lang        string `json:"lang,omitempty"`
	// whether the content without what is around it was found, when that was looked for
	MainContent *bool  `json:"mainContent,omitempty"`
	Published   string `json:"published,omitempty"` // as RFC 3339 writes it
	SiteName    string `json:"siteName,omitempty"`
	Source      string `json:"source"` // what the content was made from
	Status      int    `json:"status,omitempty"`
	Title       string `json:"title,omitempty"`
	Truncated   bool   `json:"truncated"`
	URL         string `json:"url"`
}

// DocumentsResult is the data of `read` about several addresses, in their order.
type DocumentsResult struct {
	Failed int   `json:"failed"`
	Pages  []any `json:"pages"` // a DocumentResult or an UnreadResult each
}

// UnreadResult says why an address could not be read.
type UnreadResult struct {
	Code  string `json:"code"`
	Error string `json:"error"`
	URL   string `json:"url"`
}
