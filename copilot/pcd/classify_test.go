package pcd

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKind(t *testing.T) {
	t.Parallel()
	button, link := ActionContext{Role: "button"}, ActionContext{Role: "link"}
	tests := []struct {
		name   string
		label  string
		around ActionContext
		want   string
	}{
		{"a verb", "Delete", button, KindDelete},
		{"a verb with what it is done to", "Delete order 17", button, KindDelete},
		{"the longest phrase wins", "Add to cart", button, KindAddToCart},
		{"a noun of a link", "Cart (3)", link, KindCart},
		{"case and signs do not matter", "  LOG-IN! ", button, KindLogin},
		{"accents do not matter", "Télécharger la facture", link, KindDownloadInvoice},
		{"German", "Abmelden", link, KindLogout},
		{"German, an order", "Zahlungspflichtig bestellen", button, KindConfirm},
		{"Spanish", "Iniciar sesión", link, KindLogin},
		{"Italian", "Aggiungi al carrello", button, KindAddToCart},
		{"Dutch", "Volgende pagina", link, KindNext},
		{"Portuguese", "Terminar sessão", link, KindLogout},
		{"consent in German", "Alle akzeptieren", button, KindCookieAccept},
		{"a headline does not do what it says", "How to search for a new home in the city of Berlin", link, ""},
		{"a headline that begins with a noun", "Home improvement for beginners and others", link, ""},
		{"a skip link", "Skip to results", link, ""},
		{"a download in a list of invoices", "Download", ActionContext{Role: "link", Invoices: true}, KindDownloadInvoice},
		{"a download elsewhere", "Download", link, KindDownload},
		{
			"a file in a list of invoices", "INV-1",
			ActionContext{Role: "link", Invoices: true, URL: "https://a.test/1.PDF?x=1"},
			KindDownloadInvoice,
		},
		{"a number among pages", "2", ActionContext{Role: "link", Paging: true}, KindPage},
		{"a number that leads to a page", "2", ActionContext{Role: "link", URL: "https://a.test/?page=2"}, KindPage},
		{"a number alone", "2", link, ""},
		{"an address", "Your things", ActionContext{Role: "link", URL: "https://a.test/de/cart/"}, KindCart},
		{"an icon that leads home", "", ActionContext{Role: "link", URL: "https://a.test/"}, KindHome},
		{"a link of a menu", "Lamps", ActionContext{Role: "link", Landmark: Nav, URL: "https://a.test/lamps"}, KindNavigate},
		{"what opens a menu", "AB", ActionContext{Role: "button", Pops: "menu"}, KindMenu},
		{"what opens a part of the page", "Color", ActionContext{Role: "button", Expands: true}, KindExpand},
		{"what submits a form", "Go", ActionContext{Role: "button", Submits: true, Purpose: PurposeSearch}, KindSearch},
		{"what submits a form of no known purpose", "Go", ActionContext{Role: "button", Submits: true}, KindSubmit},
		{"applying filters", "Apply", ActionContext{Role: "button", Purpose: PurposeFilter}, KindFilter},
		{"applying for a job", "Apply now", button, KindApply},
		{"consent", "I agree", ActionContext{Role: "button", Cookies: true}, KindCookieAccept},
		{"no consent", "Decline", ActionContext{Role: "button", Cookies: true}, KindCookieReject},
		{"a word of consent elsewhere", "I agree", button, ""},
		{"nothing", "", button, ""},
		{"another script", "شراء", button, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, Kind(tt.label, tt.around))
		})
	}
}

// Every phrase is found as the kind that it is listed for, unless another kind has the same words.
func TestEveryPhraseIsFound(t *testing.T) {
	t.Parallel()
	kinds := map[string][]string{}
	for _, phrases := range phrasesByWord() {
		for _, p := range phrases {
			text := ""
			for _, w := range p.words {
				text += w + " "
			}
			require.Equal(t, text, Normal(text)+" ", "a phrase is not written as Normal writes it")
			kinds[text] = append(kinds[text], p.kind)
		}
	}
	for text, of := range kinds {
		require.Contains(t, of, Kind(text, ActionContext{Role: "button"}), text)
	}
}

func TestNormal(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "  A  b ": "a b", "Größe": "grosse", "E-Mail": "e mail", "naïve café": "naive cafe",
		"re\u0301sume\u0301": "resume", "السلة": "السلة", "1.5€": "1 5",
	} {
		require.Equal(t, want, Normal(text))
	}
}

func TestPurpose(t *testing.T) {
	t.Parallel()
	field := func(kind, label, auto string) FieldText {
		return FieldText{Field: Field{Type: kind, Label: label}, Autocomplete: auto}
	}
	email, password := field("email", "Email", ""), field("password", "Password", "")
	trap := field("text", "Card number", "")
	trap.Unseen = true
	tests := []struct {
		name   string
		text   FormText
		fields []FieldText
		want   string
	}{
		{"login", FormText{Submit: "Sign in"}, []FieldText{email, password}, PurposeLogin},
		{"login by its fields alone", FormText{Submit: "Go"}, []FieldText{email, password}, PurposeLogin},
		{"the first step of a login", FormText{Heading: "Sign in", Submit: "Next"}, []FieldText{email}, PurposeLogin},
		{"signup", FormText{Submit: "Create account"}, []FieldText{email, password}, PurposeSignup},
		{"signup by a second password", FormText{}, []FieldText{email, password, password}, PurposeSignup},
		{
			"a profile with a password",
			FormText{Submit: "Save changes"},
			[]FieldText{field("text", "Name", ""), password},
			PurposeProfile,
		},
		{
			"a new password",
			FormText{},
			[]FieldText{field("password", "New", "new-password"), field("password", "Again", "new-password")},
			PurposePasswordReset,
		},
		{"a forgotten password", FormText{Heading: "Forgot your password?"}, []FieldText{email}, PurposePasswordReset},
		{"one-time code", FormText{}, []FieldText{field("text", "Code", "one-time-code")}, PurposeOTP},
		{"search", FormText{Role: "search"}, []FieldText{field("text", "", "")}, PurposeSearch},
		{"search by its button", FormText{Submit: "Suchen"}, []FieldText{field("text", "", "")}, PurposeSearch},
		{"search for products", FormText{}, []FieldText{{Field: Field{Type: "search", Label: "Search"}}}, PurposeSearch},
		{
			"search of a shop",
			FormText{Label: "Search products"},
			[]FieldText{field("search", "Search", "")},
			PurposeSearchProducts,
		},
		{
			"payment",
			FormText{},
			[]FieldText{field("text", "Card number", ""), field("text", "CVC", "")},
			PurposePaymentMethod,
		},
		{"checkout", FormText{}, []FieldText{
			field("text", "Street", ""), field("text", "City", ""), field("text", "Zip", ""),
			field("text", "Card number", "cc-number"), field("text", "CVC", "cc-csc"),
		}, PurposeCheckout},
		{
			"shipping address",
			FormText{Heading: "Delivery"},
			[]FieldText{field("text", "Street", ""), field("text", "City", ""), field("text", "Zip", "")},
			PurposeShippingAddress,
		},
		{
			"billing address",
			FormText{Heading: "Billing address"},
			[]FieldText{field("text", "Street", ""), field("text", "City", ""), field("text", "Zip", "")},
			PurposeBilling,
		},
		{"newsletter", FormText{Submit: "Subscribe"}, []FieldText{email}, PurposeNewsletter},
		{"contact", FormText{Submit: "Send"}, []FieldText{email, field("textarea", "Message", "")}, PurposeContact},
		{"comment", FormText{Heading: "Leave a comment"}, []FieldText{field("textarea", "", "")}, PurposeComment},
		{"upload", FormText{Submit: "Upload"}, []FieldText{field("file", "File", "")}, PurposeUpload},
		{"schedule", FormText{Heading: "Book an appointment"}, []FieldText{field("date", "Day", ""), email}, PurposeSchedule},
		{
			"filter",
			FormText{Heading: "Filter"},
			[]FieldText{field("checkbox", "LED", ""), field("number", "Price to", "")},
			PurposeFilter,
		},
		{"profile", FormText{Label: "Profile"}, []FieldText{field("text", "Display name", "")}, PurposeProfile},
		{"hidden fields do not count", FormText{Submit: "Sign in"}, []FieldText{email, password, trap}, PurposeLogin},
		{"nothing tells", FormText{Submit: "Go"}, []FieldText{field("text", "Thing", "")}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, Purpose(tt.text, tt.fields))
		})
	}
}

func TestIsSecret(t *testing.T) {
	t.Parallel()
	for _, f := range []FieldText{
		{Field: Field{Type: "password"}},
		{Field: Field{Type: "text"}, Autocomplete: "section-a cc-number"},
		{Field: Field{Type: "text", Name: "cardNumber"}},
		{Field: Field{Type: "tel", Label: "CVV"}},
		{Field: Field{Type: "text"}, Autocomplete: "one-time-code"},
	} {
		require.True(t, IsSecret(f), "%+v", f)
	}
	for _, f := range []FieldText{
		{Field: Field{Type: "text", Label: "Name on card"}},
		{Field: Field{Type: "checkbox", Label: "Remember card number"}},
		{Field: Field{Type: "email", Label: "Email"}},
	} {
		require.False(t, IsSecret(f), "%+v", f)
	}
}

func TestCollectionName(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		text ListText
		want string
	}{
		{"its label", ListText{Label: "Your invoices"}, NameInvoices},
		{"the heading above it", ListText{Heading: "Search results"}, NameResults},
		{"what its author calls it", ListText{Words: "productGrid"}, NameProducts},
		{"the address", ListText{URL: "https://a.test/account/rechnungen?x=1"}, NameInvoices},
		{"its fields", ListText{Kind: "alike", Fields: []string{"title", "price"}}, NameProducts},
		{"a heading of no known meaning", ListText{Heading: "Danger zone"}, "dangerZone"},
		{"nothing", ListText{Kind: "table"}, "rows"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, CollectionName(tt.text))
		})
	}
}
