// Package invisible takes invisible characters out of texts that models read in them: tags, runs of variation selectors
// and of characters without a width, in which whole sentences can be spelled. It knows no pages and no commands.
package invisible
