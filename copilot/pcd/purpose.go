package pcd

import (
	"slices"
	"strings"
)

// FormText is the known facts about a form besides its fields.
type FormText struct {
	Label   string // its own
	Heading string // above it
	Words   string // its id, name, classes and action
	Submit  string // the label of what submits it
	Role    string // form, search, dialog, …
}

// FieldText is the known facts about one of its fields.
type FieldText struct {
	Field
	Autocomplete string // the attribute, in lower case
}

// purposeWords are words in a form's texts that tell what it is for, as [Normal] writes them. They are looked for in
// this order.
var purposeWords = []struct {
	purpose string
	words   string
}{
	{
		PurposePasswordReset,
		"forgot password|forgot your password|reset password|reset your password|password reset|recover password|lost " +
			"password|passwort vergessen|passwort zurucksetzen|mot de passe oublie|reinitialiser|olvidaste tu " +
			"contrasena|restablecer contrasena|recuperar contrasena|password dimenticata|reimposta password|wachtwoord " +
			"vergeten|esqueceu a senha|redefinir senha|recuperar senha",
	},
	{
		PurposeNewsletter,
		"newsletter|subscribe|mailing list|abonnieren|s abonner|suscribete|suscribirse|iscriviti alla " +
			"newsletter|nieuwsbrief|inscreva se",
	},
	{
		PurposeSchedule,
		"schedule|appointment|booking|reservation|book a|book now|termin|terminbuchung|buchung|reservierung|rendez " +
			"vous|cita|reserva|prenota|prenotazione|appuntamento|afspraak|reservering|agendamento",
	},
	{
		PurposeShippingAddress,
		"shipping address|delivery address|shipping|delivery|lieferadresse|lieferung|versand|versandadresse|adresse de " +
			"livraison|livraison|direccion de envio|envio|indirizzo di spedizione|spedizione|bezorgadres|verzending|endereco " +
			"de entrega|entrega",
	},
	{
		PurposeBilling,
		"billing|billing address|billing details|rechnungsadresse|rechnungsanschrift|adresse de " +
			"facturation|facturation|facturacion|direccion de facturacion|fatturazione|indirizzo di " +
			"fatturazione|factuuradres|facturering|faturamento|cobranca",
	},
	{
		PurposeCheckout,
		"checkout|place order|place your order|kasse|bestellung|zur kasse|passer la commande|finalizar compra|realizar " +
			"pedido|effettua ordine|afrekenen|bestelling plaatsen",
	},
	{
		PurposeComment,
		"comment|comments|reply|review|write a review|kommentar|kommentieren|antworten|bewertung " +
			"schreiben|commentaire|commenter|comentario|comentar|commento|commenta|recensione|reactie|reageren",
	},
	{
		PurposeContact,
		"contact|contact us|get in touch|message|enquiry|kontakt|kontaktformular|nachricht|contactez " +
			"nous|contacto|mensaje|contatti|contattaci|messaggio|bericht|contato|mensagem|fale conosco",
	},
	{PurposeFilter, "filter|filters|refine|facets|filtern|filtrer|filtres|filtrar|filtros|filtra|filtri|filteren"},
	{
		PurposeProfile,
		"profile|account details|personal details|personal information|your details|profil|personliche daten|mein " +
			"profil|informations personnelles|perfil|datos personales|informacion personal|profilo|dati " +
			"personali|profiel|persoonlijke gegevens|dados pessoais",
	},
}

// Purpose returns what a form is for, "" when nothing tells. The kinds of its fields come before words, which are
// vague.
func Purpose(t FormText, fields []FieldText) string {
	f := countFields(fields)
	text := " " + Normal(strings.Join([]string{t.Label, t.Heading, separated(t.Words), t.Submit}, " | ")) + " "
	says := func(purpose string) bool {
		for _, p := range purposeWords {
			if p.purpose == purpose {
				return containsPhrase(text, p.words)
			}
		}
		return false
	}
	submit, _ := kindOfWords(strings.Fields(Normal(t.Submit)), false)
	switch {
	case f.oneTime > 0 && f.passwords == 0:
		return PurposeOTP
	case f.cards >= 1:
		if f.cards >= 2 || f.texts <= 4 {
			if f.addresses >= 3 {
				return PurposeCheckout
			}
			return PurposePaymentMethod
		}
		return PurposeCheckout
	case f.passwords > 0:
		return purposeWithPassword(f, submit, text)
	case f.files > 0 && (f.texts <= 2 || submit == KindUpload):
		return PurposeUpload
	case t.Role == "search" || f.searches > 0 && f.texts <= 2:
		return searching(text)
	}
	if f.texts >= 1 && f.texts <= 2 && !f.long &&
		(submit == KindSearch || f.queries > 0 && f.emails == 0 ||
			containsPhrase(text, "search|suche|recherche|buscar|cerca|zoeken|pesquisa") && f.emails == 0) {
		return searching(text)
	}
	if f.emails > 0 && f.texts == 1 {
		switch {
		case says(PurposePasswordReset):
			return PurposePasswordReset
		case submit == KindLogin ||
			containsPhrase(text, "login|log in|sign in|anmelden|connexion|iniciar sesion|accedi|inloggen"):
			return PurposeLogin // the first of two steps
		case submit == KindSignup && !says(PurposeNewsletter):
			return PurposeSignup
		case says(PurposeNewsletter):
			return PurposeNewsletter
		}
		return ""
	}
	if submit == KindSearch && f.emails == 0 && !f.long {
		return searching(text)
	}
	if f.dates > 0 && says(PurposeSchedule) {
		return PurposeSchedule
	}
	if f.addresses >= 3 {
		return purposeOfAddress(text)
	}
	if f.long && says(PurposeComment) && !says(PurposeContact) {
		return PurposeComment
	}
	if f.long && f.emails > 0 {
		return PurposeContact
	}
	if submit == KindSignup && f.emails > 0 {
		return PurposeSignup
	}
	if submit == KindLogin && f.texts <= 3 {
		return PurposeLogin
	}
	for _, p := range purposeWords {
		if containsPhrase(text, p.words) && fitsFields(p.purpose, f) {
			return p.purpose
		}
	}
	if submit == KindFilter || f.choices >= 2 && f.texts == 0 && submit == KindApply {
		return PurposeFilter
	}
	return ""
}

// fitsFields reports whether a form with such fields may be for that.
func fitsFields(purpose string, f fieldCounts) bool {
	switch purpose {
	case PurposeNewsletter, PurposePasswordReset:
		return f.emails > 0 && f.texts <= 2
	case PurposeComment:
		return f.long
	case PurposeContact:
		return f.long || f.emails > 0
	case PurposeSchedule:
		return f.dates > 0
	case PurposeFilter:
		return !f.long && f.emails == 0
	case PurposeShippingAddress, PurposeBilling, PurposeCheckout:
		return f.texts > 0
	}
	return f.texts > 0
}

func purposeWithPassword(f fieldCounts, submit, text string) string {
	switch {
	case submit == KindSignup:
		return PurposeSignup
	case submit == KindLogin:
		return PurposeLogin
	case submit == KindSave && f.texts > f.passwords:
		return PurposeProfile
	case f.newPasswords > 0 && f.texts == f.passwords, f.passwords >= 2 && f.texts == f.passwords:
		return PurposePasswordReset
	case f.newPasswords > 0 || f.passwords >= 2 || f.texts-f.passwords >= 3:
		return PurposeSignup
	case containsPhrase(text,
		"sign up|signup|register|registration|create "+
			"account|registrieren|inscription|registro|registrazione|registreren|cadastro"):
		return PurposeSignup
	}
	return PurposeLogin
}

func searching(text string) string {
	if containsPhrase(text,
		"product|products|produkt|produkte|produit|produits|producto|productos|prodotto|prodotti|producten|produto|"+
			"produtos|shop|store|catalog|catalogue|artikel") {
		return PurposeSearchProducts
	}
	return PurposeSearch
}

func purposeOfAddress(text string) string {
	for _, purpose := range []string{PurposeShippingAddress, PurposeBilling, PurposeCheckout, PurposeProfile} {
		for _, p := range purposeWords {
			if p.purpose == purpose && containsPhrase(text, p.words) {
				return purpose
			}
		}
	}
	return PurposeShippingAddress
}

// fieldCounts is how many fields of each sort a form has. Hidden fields do not count.
type fieldCounts struct {
	texts, passwords, newPasswords, emails, searches, queries, files, dates, cards, addresses, oneTime, choices int
	long                                                                                                        bool
}

func countFields(fields []FieldText) (n fieldCounts) {
	for _, f := range fields {
		if f.Unseen {
			continue
		}
		text := " " + Normal(separated(f.Name)+" "+f.Label) + " "
		switch f.Type {
		case "checkbox", "radio", "switch", "select", "listbox", "range", "slider", "color":
			n.choices++
		case "file":
			n.files++
		case "textarea", "editable":
			n.long = true
			n.texts++
		case "date", "datetime-local", "time", "month", "week", "datetime", "inputtime":
			n.dates++
			n.texts++
		default:
			n.texts++
		}
		auto := strings.Fields(f.Autocomplete)
		is := func(token string) bool { return slices.Contains(auto, token) }
		switch {
		case f.Type == "password" && !is("one-time-code"):
			n.passwords++
			if is("new-password") {
				n.newPasswords++
			}
		case is("one-time-code") ||
			f.Type != "checkbox" &&
				containsPhrase(text,
					"otp|one time code|verification code|security code sent|authentication code|2fa|bestatigungscode|code de "+
						"verification|codigo de verificacion|codice di verifica|verificatiecode"):
			n.oneTime++
		case f.Type == "email" || is("email") ||
			containsPhrase(text, "email|e mail|email address|e mail adresse|courriel|correo|correo electronico|e mailadres"):
			n.emails++
		case f.Type == "search":
			n.searches++
		case isCardField(f, text):
			n.cards++
		case slices.ContainsFunc(auto, isAddressToken) || containsPhrase(text, addressFields):
			n.addresses++
		case containsPhrase(text,
			"q|query|search|suche|suchbegriff|recherche|buscar|busqueda|cerca|zoeken|zoekterm|pesquisa|keyword|keywords|"+
				"search term"):
			n.queries++
		}
	}
	return n
}

const (
	addressFields = "street|street address|address|address line 1|address line 2|city|town|zip|zip code|postal " +
		"code|postcode|state|province|country|strasse|hausnummer|plz|postleitzahl|ort|stadt|land|rue|ville|code " +
		"postal|pays|calle|ciudad|codigo " +
		"postal|provincia|pais|via|citta|cap|paese|straat|huisnummer|plaats|rua|cidade|cep|estado"
	cardFields = "card number|card no|cardnumber|credit card|credit card number|name on " +
		"card|cardholder|expiry|expiry date|expiration|expiration date|cvc|cvv|security " +
		"code|kartennummer|kreditkarte|karteninhaber|gultig bis|prufziffer|numero de carte|date d " +
		"expiration|cryptogramme|numero de tarjeta|caducidad|numero carta|scadenza|kaartnummer|vervaldatum|numero do " +
		"cartao|validade|iban"
	secretFields = "card number|cardnumber|credit card number|cvc|cvv|security code|kartennummer|prufziffer|numero de " +
		"carte|cryptogramme|numero de tarjeta|numero carta|kaartnummer|numero do cartao|pin|passcode|social security " +
		"number|ssn|iban"
)

func isAddressToken(token string) bool {
	switch token {
	case "street-address", "address-line1", "address-line2", "address-level1", "address-level2", "postal-code", "country",
		"country-name":
		return true
	}
	return false
}

func isCardField(f FieldText, text string) bool {
	return strings.Contains(f.Autocomplete, "cc-") ||
		f.Type != "checkbox" && f.Type != "radio" && containsPhrase(text, cardFields)
}

// IsSecret reports whether a field takes a secret: a password, the number of a card, a code.
func IsSecret(f FieldText) bool {
	switch f.Type {
	case "password":
		return true
	case "checkbox", "radio", "select", "switch", "file", "submit", "range", "date":
		return false
	}
	for token := range strings.FieldsSeq(f.Autocomplete) {
		switch token {
		case "current-password", "new-password", "one-time-code", "cc-number", "cc-csc":
			return true
		}
	}
	return containsPhrase(" "+Normal(separated(f.Name)+" "+f.Label)+" ", secretFields)
}

// passwordNames are what fields for secrets are called that their type tells apart on a page.
const passwordNames = "password|passwort|kennwort|passphrase|mot de passe|contrasena|senha|wachtwoord|otp|totp|one " +
	"time code|one time password|secret|api key|apikey|access token|2fa code"

// NamesSecret reports whether a field of this name takes a secret, where its name is all that is known about it.
func NamesSecret(name string) bool {
	return containsPhrase(" "+Normal(separated(name))+" ", secretFields+"|"+passwordNames)
}

// containsPhrase reports whether a text of [Normal], with a space at either end, contains one of the phrases as whole
// words.
func containsPhrase(text, phrases string) bool {
	for p := range strings.SplitSeq(phrases, "|") {
		for at := 0; ; {
			i := strings.Index(text[at:], p)
			if i < 0 {
				break
			}
			i += at
			if i > 0 && text[i-1] == ' ' && i+len(p) < len(text) && text[i+len(p)] == ' ' {
				return true
			}
			at = i + 1
		}
	}
	return false
}

// separated puts spaces between the words of names that are written together: cardNumber, card_number.
func separated(name string) string {
	var b strings.Builder
	b.Grow(len(name) + 8)
	small := false
	for _, r := range name {
		if r >= 'A' && r <= 'Z' && small {
			b.WriteByte(' ')
		}
		small = r >= 'a' && r <= 'z'
		b.WriteRune(r)
	}
	return b.String()
}
