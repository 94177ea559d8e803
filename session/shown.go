package session

// Shown is the page that a session shows, as the browser last reported it.
type Shown struct{ Tab, URL, Title string }

// shown returns the page of the active tab, without asking it. Without a tab it is nil.
func (s *Session) shown() *Shown {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holds == nil || s.holds.browser.Err() != nil || s.active == nil || s.active.Page.Err() != nil {
		return nil
	}
	return &Shown{Tab: s.active.ID, URL: s.active.Page.URL(), Title: s.active.Page.Title()}
}
