package perceive

import (
	"strconv"
	"strings"

	"github.com/skua-browser/skua/copilot/pcd"
)

// collections takes what the documents say of their lists.
func (b *builder) collections() {
	for d := range b.page.docs {
		doc := &b.page.docs[d]
		for l := range doc.reply.Lists {
			list := &doc.reply.Lists[l]
			c := b.collection(int32(d), list)
			at := len(b.page.Collections)
			for i, item := range list.Items {
				for _, token := range item.in {
					b.items[place{int32(d), token}] = itemAt{at, i}
				}
				c.Items = append(c.Items, Item{Token: item.token})
			}
			b.page.Collections = append(b.page.Collections, c)
		}
	}
	b.tellApart()
}

// tellApart numbers collections of the same name. Hidden ones come last, so that visible ones keep the plain name.
func (b *builder) tellApart() {
	names := map[string]int{}
	for _, unseen := range []bool{false, true} {
		for i := range b.page.Collections {
			c := &b.page.Collections[i]
			if c.Unseen != unseen {
				continue
			}
			if names[c.Name]++; names[c.Name] > 1 {
				c.Name += strconv.Itoa(names[c.Name])
			}
		}
	}
}

func (b *builder) collection(doc int32, list *listReply) Collection {
	d := &b.page.docs[doc]
	c := Collection{Kind: list.Kind, Words: list.Words, Heads: list.Heads}
	at := b.node(doc, list.Token)
	if at < 0 { // its first item tells where it is
		at = b.firstOf(doc, list)
	}
	if at >= 0 {
		c.At = b.element(at)
		if b.nodes[at].Token != list.Token {
			c.At.Near = b.headingBefore(at)
		}
		c.Landmark = b.spots[at].landmark
	}
	around := c.At
	c.At = b.elementOf(doc, list.Token)
	c.At.Landmark, c.At.Near = around.Landmark, around.Near
	c.At.Role, c.At.Name = listRoles[list.Kind], list.Name
	if own := b.node(doc, list.Token); own >= 0 {
		c.At.Role, c.At.Nth = b.nodes[own].Role, int(b.nodes[own].Nth)
	}
	c.ID = give(b.page.refs, b.page.tab, c.At)
	c.ItemFields = list.Fields
	if c.ItemFields == nil {
		c.ItemFields = []string{}
	}
	c.ApproxCount = max(list.Count, list.Total)
	c.AboveFold, c.Unseen = list.Above && d.fold, list.Unseen
	c.FramePath = d.path
	c.Name = pcd.CollectionName(pcd.ListText{
		Kind:    list.Kind,
		Label:   list.Name,
		Heading: c.At.Near,
		Words:   list.Words,
		Fields:  list.Fields,
		URL:     d.URL,
	})
	return c
}

var listRoles = map[string]string{"table": "table", "list": "list", "feed": "feed", "alike": "generic"}

// firstOf returns the node of the first element in the items of a list, or -1.
func (b *builder) firstOf(doc int32, list *listReply) int32 {
	for _, item := range list.Items {
		for _, token := range item.in {
			if at := b.node(doc, token); at >= 0 {
				return at
			}
		}
	}
	return -1
}

// headingBefore returns the heading above a node, or the node itself when it is a heading.
func (b *builder) headingBefore(at int32) string {
	if at == 0 || b.nodes[at-1].Doc != b.nodes[at].Doc || b.spots[at-1].landmark != b.spots[at].landmark {
		return ""
	}
	return b.spots[at-1].heading
}

// isInvoices reports whether a collection holds invoices, and can be seen.
func (b *builder) isInvoices(collection int) bool {
	return collection >= 0 && !b.page.Collections[collection].Unseen &&
		strings.HasPrefix(b.page.Collections[collection].Name, "invoices")
}
