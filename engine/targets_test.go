package engine

import "context"

// TargetsOf returns the addresses of the pages that the browser has in a context, for tests of what is left.
func TargetsOf(ctx context.Context, c *Context) ([]string, error) {
	infos, err := c.browser.targets(ctx)
	addresses := []string{}
	for _, info := range infos {
		if string(info.BrowserContextID) == c.id && info.Type == pageType {
			addresses = append(addresses, info.URL)
		}
	}
	return addresses, err
}
