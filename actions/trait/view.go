package trait

// View is how the result of a command is shown to agents; empty: by its own text, or by what its data looks like.
type View string

// The views.
const (
	ViewTree       View = "tree"
	ViewValue      View = "value"
	ViewScript     View = "script"
	ViewQuestion   View = "question"
	ViewOpened     View = "opened"
	ViewClicked    View = "clicked"
	ViewMoved      View = "moved"
	ViewTabs       View = "tabs"
	ViewScrolled   View = "scrolled"
	ViewArticle    View = "article"
	ViewCookies    View = "cookies"
	ViewStorage    View = "storage"
	ViewRequests   View = "requests"
	ViewConsole    View = "console"
	ViewPageErrors View = "page errors"
	ViewSessions   View = "sessions"
	ViewStates     View = "states"
	ViewDiagnosis  View = "diagnosis"
	ViewGuides     View = "guides"
)
