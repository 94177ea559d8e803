// By which words and shapes of text the fields of items are known, in the languages that are.

// Words by which fields are called, in headings, class names and itemprop; of a class name one of its words.
/** @type {Object<string, string>} */
export const FIELD_WORDS = Object.create(null);
for (const [field, words] of Object.entries({
  title: 'title headline titel título titulo titre titolo',
  name: 'name nombre nom nome naam',
  price: 'price preis precio prix prezzo prijs preço preco',
  amount:
    'amount total sum betrag summe gesamt importe monto montant importo totale bedrag totaal valor quantia gesamtbetrag rechnungsbetrag endbetrag',
  date: 'date datum datetime fecha data published created issued rechnungsdatum',
  due: 'due fällig faellig vencimiento échéance scadenza',
  time: 'time uhrzeit hora heure ora tijd',
  status: 'status state badge zustand estado statut stato',
  number:
    'no nr number nummer número numero numéro id invoice rechnung factura facture fattura factuur fatura reference ref order bestellung pedido rechnungsnummer bestellnummer auftragsnummer',
  author: 'author byline autor auteur autore',
  rating: 'rating stars bewertung valoración note voto',
  reviews: 'reviews',
  description: 'description desc summary excerpt snippet teaser beschreibung descripción descripcion descrizione beschrijving descrição',
  category: 'category kategorie categoría catégorie categoria categorie',
  quantity: 'quantity qty menge anzahl cantidad quantité quantità aantal quantidade',
  sku: 'sku',
  email: 'email mail',
  phone: 'phone telefon teléfono téléphone telefono telefoon',
  location: 'location address ort adresse ubicación lieu indirizzo adres',
  company: 'company firma empresa société azienda bedrijf',
  sender: 'sender from absender von remitente expéditeur mittente',
  subject: 'subject betreff asunto objet oggetto onderwerp assunto',
  size: 'size größe tamaño taille dimensione grootte',
  type: 'type typ tipo',
  customer: 'customer client kunde cliente klant',
}))
  for (const word of words.split(' ')) FIELD_WORDS[word] = field;

export const MONEY =
  /(?:[$€£¥₹]|\b(?:USD|EUR|GBP|CHF|JPY|kr|zł|R\$))\s?-?\d[\d.,' \u00a0]*|\d[\d.,' \u00a0]*\s?(?:[€£¥₹$]|\b(?:USD|EUR|GBP|CHF|JPY|kr|zł|Kč|PLN|SEK|NOK|DKK)\b)/;
export const DAY =
  /^\D{0,12}(?:\d{4}-\d\d?-\d\d?|\d\d?[./]\d\d?[./]\d{2,4}|\d\d?\.? \p{L}{3,12}\.?,? \d{4}|\p{L}{3,12}\.? \d\d?,? \d{4}|\p{L}{3,12} \d{4})(?:[ ,T].{0,14})?$/u;
export const STARS = /^\d(?:[.,]\d)?\s*(?:\/\s*(?:5|10)|★|⭐|stars?|out of)/i;
export const FIGURE = /^-?\d[\d.,]*%?$/;
export const FILE = /\.(?:pdf|csv|xlsx?|docx?|zip)(?:[?#]|$)/i;
export const DOWNLOADING = /download|herunterladen|descargar|télécharger|telecharger|scarica|downloaden|baixar/i;

// What is not a sum by itself: "was 20.00".
export const BEFORE =
  /^\W*(?:was|were|before|instead of|original(?:ly)?|list price|regular price|typical price|rrp|msrp|uvp|statt|vorher|früher|antes|avant|prima|invece di)\b/i;

// What says no more than that it is a price: "Current price is: 20.00."
export const BESIDE = new RegExp(BEFORE.source + '|^\\W*(?:now|only|current|sale|price|special|jetzt|nur|aktuell)\\b', 'i');

/**
 * Whether a text is a sum, a day, a rating or a share, and nothing else.
 * @param {string} text
 */
export function isFigure(text) {
  return (
    text.length < 40 && (text.replace(MONEY, '').trim() === '' || DAY.test(text) || STARS.test(text) || /^-?\d[\d.,]*\s?%$/.test(text))
  );
}

/**
 * The field that one of the words of a text is for, or "". In a header it is the last such word ("Order date"), in front of "of" the first one.
 * @param {string} text
 * @param {boolean} [isHeader]
 */
export function fieldWord(text, isHeader = false) {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const fields = words.map((word) => FIELD_WORDS[word]).filter((field) => field !== undefined);
  if (fields.length === 0) return '';
  if (!isHeader || words.some((word) => OF.has(word))) return fields[0];
  return fields.includes('due') && !fields.includes('amount') ? 'due' : fields[fields.length - 1];
}

const OF = new Set(['of', 'de', 'des', 'der', 'di', 'van', 'von', 'do', 'da']);

/** @param {string} text */
export function camelCase(text) {
  const words = text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, 4);
  return words
    .map((word, i) => (i === 0 ? word : word[0].toUpperCase() + word.slice(1)))
    .join('')
    .slice(0, 40);
}
