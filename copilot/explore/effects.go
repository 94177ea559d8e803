package explore

import (
	"net/url"
	"path"
	"strings"

	"github.com/skua-browser/skua/copilot/relevance"
)

// A link is followed with GET, which is not to change anything; many a site deletes, buys and logs out that way all the
// same. So what a link says of itself counts: its label, its address, and the kind that perception gave it. Where it is
// in doubt it is left alone: a page that is not looked at costs less than one that should not have been asked for.

// effectful reports whether a link reads as if following it did something.
func effectful(kind, label string, u *url.URL) bool {
	return actingKinds[kind] || actsByLabel(label) || actsByAddress(u)
}

// actingKinds are kinds of actions that do something and lead to no page.
var actingKinds = set("logout delete add_to_cart confirm submit save cancel close cookie_accept cookie_reject")

// doing are words that say what happens. A label that begins with one is an order, and so is a part of an address that
// begins or ends with one.
var doing = set(
	"logout logoff signout signoff delete remove destroy erase purge wipe unsubscribe deactivate revoke terminate " +
		"uninstall addtocart addtobasket addtobag addtowishlist buynow upvote downvote unfollow unfriend disconnect unlink " +
		"abmelden ausloggen löschen loeschen entfernen kündigen kuendigen deconnexion déconnexion supprimer desconectar " +
		"eliminar borrar")

// alone are words that are an order only when they are the whole label.
var alone = set(
	"cancel confirm approve reject accept decline archive publish unpublish reset restart restore rollback like dislike " +
		"vote follow save submit send disable block ban mute dismiss merge shutdown reboot drop clear empty leave pay add " +
		"undo refund resend toggle duplicate clone")

// phrases are orders of several words at the beginning of a label.
var phrases = []string{
	"log out", "log off", "log me out", "sign out", "sign off", "sign me out", "add to cart", "add to basket",
	"add to bag", "add to wishlist", "buy now", "buy it now",
	"order now", "pay now", "place order", "mark as", "mark all", "close account", "close my account",
	"cancel subscription", "cancel my", "cancel order",
	"cancel this", "confirm order", "confirm payment", "empty cart", "clear cart", "clear all", "reset all",
	"in den warenkorb", "jetzt kaufen", "ajouter au panier",
	"se déconnecter", "cerrar sesión", "añadir al carrito",
}

// orders are parameters whose value says what the server is to do.
var orders = set("action do cmd command op oper operation act task method _method mode event verb a")

func actsByLabel(label string) bool {
	words := relevance.Words(label)
	if len(words) == 0 {
		return false
	}
	if doing[words[0]] || len(words) == 1 && alone[words[0]] {
		return true
	}
	padded := " " + strings.Join(words, " ") + " "
	for _, p := range phrases {
		if strings.HasPrefix(padded, " "+p+" ") {
			return true
		}
	}
	return false
}

func actsByAddress(u *url.URL) bool {
	parts := strings.Split(u.Path, "/")
	if strings.HasPrefix(u.Fragment, "/") || strings.HasPrefix(u.Fragment, "!") {
		parts = append(parts, strings.Split(u.Fragment, "/")...)
	}
	for _, segment := range parts {
		if orderIn(strings.TrimSuffix(segment, path.Ext(segment))) {
			return true
		}
	}
	for name, values := range u.Query() {
		if orderIn(name) && !alone[strings.ToLower(name)] { // ?like=, ?clear= and the like filter as often as not
			return true
		}
		for _, v := range values {
			if orders[strings.ToLower(name)] && orderIn(v) {
				return true
			}
		}
	}
	return false
}

// orderIn reports whether a part of an address is an order, by how it begins and ends.
func orderIn(part string) bool {
	words := relevance.Words(part)
	switch len(words) {
	case 0:
		return false
	case 1:
		return doing[words[0]] || alone[words[0]]
	}
	first, last, pair := words[0], words[len(words)-1], words[0]+words[1]
	return doing[first] || doing[last] || doing[pair] || len(words) > 2 && doing[pair+words[2]]
}

// leadsToFile reports whether an address, by its name, is a file that browsers save or that is not a page.
func leadsToFile(kind string, u *url.URL) bool {
	if kind == "download" || kind == "download_invoice" {
		return true
	}
	name := strings.ToLower(path.Base(u.Path))
	return files[strings.TrimPrefix(path.Ext(name), ".")]
}

var files = set(
	"pdf zip gz tgz bz2 xz zst 7z rar tar exe msi msix dmg pkg deb rpm apk ipa iso img appimage jar doc docx odt rtf " +
		"xls xlsx ods csv tsv ppt pptx odp epub mobi mp3 wav flac ogg m4a mp4 m4v mkv mov avi webm png jpg jpeg gif webp " +
		"svg avif bmp tif tiff ico psd ttf otf woff woff2 json xml rss atom ics vcf bin sql bak log torrent css js " +
		"mjs map wasm")

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}
