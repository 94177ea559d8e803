package goal

// verbs are the words of verbs, in English and German.
var verbs = map[string]Verb{
	"download": Download, "save": Download, "get": Download, "fetch": Download, "herunterladen": Download,
	"lade": Download, "laden": Download, "hole": Download,
	"speichere": Download, "export": Download, "downloade": Download,
	"open": Open, "show": Open, "go to": Open, "visit": Open, "see": Open, "view": Open, "navigate to": Open,
	"take me to": Open, "list": Open, "öffne": Open,
	"zeige": Open, "zeig": Open, "gehe zu": Open, "geh zu": Open, "gehe zur": Open, "gehe zum": Open, "öffnen": Open,
	"anzeigen": Open,
	"search":   Search, "search for": Search, "find": Search, "look for": Search, "look up": Search, "suche": Search,
	"suche nach": Search, "such nach": Search,
	"finde": Search, "finden": Search, "suchen": Search,
	"buy": Buy, "order": Buy, "purchase": Buy, "check out": Buy, "checkout": Buy, "kaufe": Buy, "kauf": Buy, "kaufen": Buy,
	"bestelle": Buy, "bestellen": Buy,
	"book": Book, "reserve": Book, "schedule": Book, "make an appointment": Book, "buche": Book, "buchen": Book,
	"reserviere": Book, "reservieren": Book, "vereinbare": Book,
	"apply": Apply, "apply for": Apply, "bewirb": Apply, "bewerben": Apply, "beantrage": Apply,
	"log in": Login, "login": Login, "sign in": Login, "log me in": Login, "sign me in": Login, "log on": Login,
	"anmelden": Login, "einloggen": Login, "melde": Login,
	"logge":   Login,
	"log out": Logout, "logout": Logout, "sign out": Logout, "log off": Logout, "abmelden": Logout, "ausloggen": Logout,
	"melde mich ab": Logout, "log me out": Logout,
	"sign up": Signup, "signup": Signup, "register": Signup, "create an account": Signup, "registriere": Signup,
	"registrieren": Signup, "sign me up": Signup,
	"fill": Fill, "fill in": Fill, "fill out": Fill, "complete": Fill, "fülle": Fill, "ausfüllen": Fill,
	"upload": Upload, "attach": Upload, "hochladen": Upload,
	"pay": Pay, "pay for": Pay, "bezahle": Pay, "zahle": Pay, "bezahlen": Pay,
	"contact": Contact, "write to": Contact, "message": Contact, "kontaktiere": Contact, "schreibe an": Contact,
	"delete": Delete, "remove": Delete, "lösche": Delete, "löschen": Delete, "entferne": Delete,
	"cancel": Cancel, "kündige": Cancel, "storniere": Cancel, "unsubscribe": Cancel,
	"change": Change, "update": Change, "edit": Change, "ändere": Change, "ändern": Change, "bearbeite": Change,
	"reset":     Change,
	"subscribe": Subscribe, "subscribe to": Subscribe, "abonniere": Subscribe,
}

// objects are the words for kinds of things.
var objects = map[string]string{
	"invoice": "invoice", "invoices": "invoice", "bill": "invoice", "bills": "invoice", "receipt": "invoice",
	"receipts": "invoice", "statement": "invoice",
	"statements": "invoice", "rechnung": "invoice", "rechnungen": "invoice", "beleg": "invoice", "belege": "invoice",
	"quittung": "invoice", "kontoauszug": "invoice",
	"order": "order", "orders": "order", "bestellung": "order", "bestellungen": "order", "purchases": "order",
	"product": "product", "products": "product", "produkt": "product", "produkte": "product", "artikel": "product",
	"appointment": "appointment", "termin": "appointment", "table": "appointment", "tisch": "appointment",
	"meeting": "appointment", "room": "appointment", "zimmer": "appointment",
	"job": "job", "jobs": "job", "position": "job", "stelle": "job", "vacancy": "job",
	"password": "password", "passwort": "password", "account": "account", "konto": "account", "profile": "profile",
	"profil":       "profile",
	"subscription": "subscription", "abo": "subscription", "abonnement": "subscription", "newsletter": "newsletter",
	"payment method": "payment", "credit card": "payment", "card": "payment", "zahlungsart": "payment",
	"zahlungsmethode": "payment",
	"address":         "address", "shipping address": "address", "adresse": "address", "lieferadresse": "address",
	"settings": "settings", "einstellungen": "settings", "preferences": "settings", "cart": "cart", "basket": "cart",
	"warenkorb": "cart",
	"report":    "report", "reports": "report", "bericht": "report", "berichte": "report", "document": "file",
	"documents": "file", "file": "file", "files": "file",
	"datei": "file", "dateien": "file", "dokument": "file", "support": "support", "form": "form", "formular": "form",
}

// small are words without a meaning of their own.
var small = set("a", "an", "the", "my", "me", "our", "your", "please", "can", "could", "would", "you", "i", "want",
	"need", "like", "to", "i'd", "for", "from", "of", "in",
	"on", "at", "and", "with", "then", "as", "it", "its", "that", "this", "is", "was", "help", "page", "now", "by", "us",
	"there", "one",
	"der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "mein", "meine", "meinen",
	"meiner", "meines", "mir", "mich", "bitte", "kannst", "du", "ich",
	"möchte", "will", "für", "von", "vom", "im", "am", "zu", "zur", "zum", "und", "mit", "nach", "aus", "seite", "unsere",
	"bei", "als", ">")

// determiners stand before nouns: "my order" is a thing, and nothing to do.
var determiners = set("my", "the", "a", "an", "our", "your", "this", "that", "all", "every", "last", "latest", "each")

// particles belong to German verbs, at the end of the sentence.
var particles = set("herunter", "runter", "hoch", "an", "ein", "ab", "auf", "out", "aus")

var every = set("all", "every", "each", "alle", "sämtliche", "allen", "jede")

var latest = set("latest", "newest", "recent", "neueste", "neuesten", "neuste", "neusten", "aktuellste", "jüngste",
	"aktuelle", "current")

// thans are the words in front of a sum that make it a bound.
var thans = map[string]string{
	"under": "less", "below": "less", "less than": "less", "up to": "less", "at most": "less", "cheaper than": "less",
	"unter": "less", "bis": "less", "weniger als": "less",
	"max": "less", "over": "more", "above": "more", "more than": "more", "at least": "more", "über": "more",
	"mehr als": "more", "ab": "more", "mindestens": "more",
}

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}
