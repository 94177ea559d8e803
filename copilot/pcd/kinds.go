package pcd

// The kinds of actions. An action has none when its label, address and place say nothing that is known.
const (
	KindSearch          = "search"
	KindLogin           = "login"
	KindLogout          = "logout"
	KindSignup          = "signup"
	KindBilling         = "billing"
	KindInvoices        = "invoices"
	KindDownload        = "download"
	KindDownloadInvoice = "download_invoice"
	KindCheckout        = "checkout" // leads on to where an order is placed
	KindCart            = "cart"
	KindAddToCart       = "add_to_cart"
	KindConfirm         = "confirm" // what cannot be taken back: an order, a payment
	KindBook            = "book"
	KindApply           = "apply"
	KindDelete          = "delete"
	KindEdit            = "edit"
	KindSave            = "save"
	KindSubmit          = "submit"
	KindCancel          = "cancel"
	KindClose           = "close"
	KindNext            = "next"
	KindPrevious        = "previous"
	KindPage            = "page" // one page of several, by its number
	KindSort            = "sort"
	KindFilter          = "filter"
	KindMenu            = "menu"
	KindAccount         = "account"
	KindSettings        = "settings"
	KindUpload          = "upload"
	KindShare           = "share"
	KindHelp            = "help"
	KindHome            = "home"
	KindContact         = "contact"
	KindLanguage        = "language"
	KindCookieAccept    = "cookie_accept"
	KindCookieReject    = "cookie_reject"
	KindExpand          = "expand"
	KindNavigate        = "navigate"
)

// The purposes of forms.
const (
	PurposeLogin           = "login"
	PurposeSignup          = "signup"
	PurposeSearch          = "search"
	PurposeSearchProducts  = "search_products"
	PurposeFilter          = "filter"
	PurposeBilling         = "billing"
	PurposePaymentMethod   = "payment_method"
	PurposeCheckout        = "checkout"
	PurposeContact         = "contact"
	PurposeNewsletter      = "newsletter"
	PurposeUpload          = "upload"
	PurposeSchedule        = "schedule"
	PurposeShippingAddress = "shipping_address"
	PurposeProfile         = "profile"
	PurposePasswordReset   = "password_reset"
	PurposeComment         = "comment"
	PurposeOTP             = "otp"
)

// kindWords are the words by which actions are known, in English, German, French, Spanish, Italian, Dutch and
// Portuguese, as [Normal] writes them. The verbs tell by themselves what an action does; the nouns have to be most of
// what it is called. Of equally long ones the first wins.
var kindWords = []wording{
	{
		KindCookieAccept, verbs,
		"accept all|accept cookies|accept all cookies|allow all|allow cookies|allow all cookies|alle akzeptieren|cookies " +
			"akzeptieren|alle cookies akzeptieren|tout accepter|accepter les cookies|accepter et continuer|aceptar " +
			"todo|aceptar todas|aceptar cookies|aceptar todas las cookies|accetta tutti|accetta tutto|accetta i cookie|alles " +
			"accepteren|alle cookies accepteren|cookies accepteren|aceitar todos|aceitar tudo|aceitar cookies|got it",
	},
	{
		KindCookieReject, verbs,
		"reject all|reject cookies|decline all|decline cookies|necessary only|only necessary|essential only|only " +
			"essential|use necessary cookies only|alle ablehnen|cookies ablehnen|nur notwendige|nur erforderliche|nur " +
			"notwendige cookies|tout refuser|refuser les cookies|continuer sans accepter|rechazar todo|rechazar " +
			"todas|rechazar cookies|rifiuta tutti|rifiuta tutto|rifiuta i cookie|alles weigeren|cookies weigeren|rejeitar " +
			"todos|rejeitar tudo|rejeitar cookies",
	},
	{
		KindAddToCart, verbs,
		"add to cart|add to basket|add to bag|add to trolley|in den warenkorb|zum warenkorb hinzufugen|ajouter au " +
			"panier|anadir al carrito|anadir a la cesta|agregar al carrito|aggiungi al carrello|in winkelwagen|in " +
			"winkelmandje|toevoegen aan winkelwagen|adicionar ao carrinho|adicionar ao cesto",
	},
	{
		KindConfirm, verbs,
		"place order|place your order|place the order|complete order|complete purchase|confirm order|confirm " +
			"purchase|confirm payment|confirm and pay|confirm|buy now|buy|purchase|pay now|pay|order now|submit order|send " +
			"money|transfer money|jetzt kaufen|kaufen|zahlungspflichtig bestellen|kostenpflichtig bestellen|jetzt " +
			"bestellen|bestellung aufgeben|bestellen|bezahlen|jetzt bezahlen|bestatigen|passer la commande|valider la " +
			"commande|payer|acheter|acheter maintenant|confirmer|realizar pedido|hacer pedido|comprar " +
			"ahora|comprar|pagar|pagar ahora|confirmar|conferma|conferma ordine|acquista|acquista ora|paga|paga ora|effettua " +
			"ordine|bestelling plaatsen|bevestigen|betalen|nu kopen|kopen|finalizar compra|finalizar pedido|confirmar " +
			"pedido|comprar agora",
	},
	{
		KindCheckout, verbs,
		"checkout|check out|proceed to checkout|go to checkout|continue to checkout|continue to payment|proceed to " +
			"payment|zur kasse|zur kasse gehen|kasse|weiter zur zahlung|commander|proceder al pago|tramitar pedido|ir a " +
			"caja|procedi al checkout|vai alla cassa|procedi al pagamento|naar kassa|afrekenen|verder naar betalen|ir para o " +
			"pagamento|fechar pedido",
	},
	{
		KindLogout, verbs,
		"log out|logout|sign out|signout|log off|logoff|sign off|abmelden|ausloggen|se deconnecter|deconnexion|cerrar " +
			"sesion|salir|desconectar|esci|disconnetti|logout eseguito|uitloggen|afmelden|sair|terminar sessao|encerrar sessao",
	},
	{
		KindSignup, verbs,
		"sign up|signup|register|create account|create an account|create new account|create your account|join|join " +
			"now|join free|get started|start free trial|try for free|registrieren|jetzt registrieren|konto erstellen|konto " +
			"anlegen|neu registrieren|s inscrire|inscription|creer un compte|registrarse|registrate|crear cuenta|crear una " +
			"cuenta|registrati|iscriviti|crea account|crea un account|registreren|account aanmaken|aanmelden als nieuwe " +
			"klant|criar conta|cadastrar|cadastre se|registar|registrar se",
	},
	{
		KindLogin, verbs,
		"log in|login|sign in|signin|log on|logon|continue with|sign in with|log in with|anmelden|einloggen|se " +
			"connecter|connexion|s identifier|iniciar " +
			"sesion|acceder|entrar|identificarse|accedi|entra|inloggen|aanmelden|iniciar sessao|fazer login",
	},
	{
		KindDownloadInvoice, verbs,
		"download invoice|download receipt|download statement|download bill|invoice pdf|get invoice|rechnung " +
			"herunterladen|rechnung als pdf|rechnung downloaden|telecharger la facture|telecharger facture|descargar " +
			"factura|scarica fattura|scarica la fattura|factuur downloaden|download factuur|baixar fatura|descarregar " +
			"fatura|baixar nota fiscal",
	},
	{
		KindDownload, verbs,
		"download|export|save as " +
			"pdf|herunterladen|exportieren|telecharger|exporter|descargar|exportar|scarica|esporta|downloaden|exporteren|" +
			"baixar|descarregar|transferir",
	},
	{
		KindUpload, verbs,
		"upload|attach|attach file|attach files|choose file|browse files|import|hochladen|datei " +
			"auswahlen|anhangen|importieren|televerser|joindre|importer|choisir un fichier|subir|subir " +
			"archivo|adjuntar|cargar archivo|importar|carica|allega|carica file|uploaden|bijvoegen|bestand kiezen|enviar " +
			"arquivo|carregar|anexar",
	},
	{
		KindDelete, verbs,
		"delete|remove|discard|erase|trash|deactivate account|close " +
			"account|unsubscribe|loschen|entfernen|verwerfen|abbestellen|konto " +
			"loschen|kundigen|supprimer|effacer|retirer|resilier|eliminar|borrar|quitar|suprimir|elimina|rimuovi|cancella|" +
			"verwijderen|wissen|opzeggen|excluir|apagar|remover",
	},
	{
		KindEdit, verbs,
		"edit|modify|change|rename|update|bearbeiten|andern|umbenennen|aktualisieren|modifier|editer|renommer|editar|" +
			"modificar|cambiar|renombrar|modifica|rinomina|bewerken|wijzigen|aanpassen|alterar|renomear",
	},
	{
		KindSave, verbs,
		"save|save changes|save settings|speichern|anderungen speichern|sichern|enregistrer|sauvegarder|enregistrer les " +
			"modifications|guardar|guardar cambios|salva|salva modifiche|opslaan|wijzigingen " +
			"opslaan|bewaren|salvar|gravar|salvar alteracoes",
	},
	{
		KindBook, verbs,
		"book|book now|reserve|reserve now|book appointment|schedule appointment|make a reservation|buchen|jetzt " +
			"buchen|reservieren|termin buchen|termin vereinbaren|reserver|prendre rendez vous|reservar|reservar ahora|pedir " +
			"cita|prenota|prenota ora|boeken|reserveren|afspraak maken|agendar|marcar consulta",
	},
	{
		KindFilter, verbs,
		"filter|filters|apply filter|apply filters|clear filters|reset filters|refine|refine results|filtern|filter " +
			"anwenden|filter zurucksetzen|filtrer|filtres|appliquer les filtres|filtrar|filtros|aplicar filtros|borrar " +
			"filtros|filtra|filtri|applica filtri|filteren|filters toepassen",
	},
	{
		KindApply, verbs,
		"apply|apply now|apply for this job|apply for job|easy apply|bewerben|jetzt " +
			"bewerben|anwenden|postuler|appliquer|solicitar|postular|aplicar|candidati|applica|solliciteren|toepassen|" +
			"candidatar se|inscrever se",
	},
	{
		KindSearch, verbs,
		"search|find|look up|suche|suchen|finden|rechercher|recherche|chercher|trouver|buscar|busqueda|encontrar|cerca|" +
			"ricerca|trova|zoeken|zoek|pesquisar|pesquisa|procurar|busca",
	},
	{
		KindSort, verbs,
		"sort|sort by|order by|sortieren|sortieren nach|sortierung|trier|trier par|ordenar|ordenar por|ordina|ordina " +
			"per|sorteren|sorteren op|classificar",
	},
	{
		KindShare, verbs,
		"share|copy link|teilen|link kopieren|partager|copier le lien|compartir|copiar enlace|condividi|copia " +
			"link|delen|compartilhar|partilhar|copiar link",
	},
	{
		KindCancel, verbs,
		"cancel|abort|dismiss|not now|no thanks|maybe later|skip for now|skip this step|abbrechen|stornieren|nicht " +
			"jetzt|nein danke|uberspringen|annuler|plus tard|non merci|ignorer|passer|cancelar|ahora no|no " +
			"gracias|omitir|annulla|non ora|no grazie|salta|annuleren|niet nu|nee bedankt|overslaan|agora nao|nao " +
			"obrigado|pular",
	},
	{
		KindClose, verbs,
		"close|hide|schliessen|ausblenden|fermer|masquer|cerrar|ocultar|chiudi|nascondi|sluiten|verbergen|fechar|esconder",
	},
	{
		KindNext, verbs,
		"next|next page|continue|proceed|load more|show more|more results|older|weiter|nachste|nachste " +
			"seite|vorwarts|fortfahren|mehr laden|mehr anzeigen|suivant|page suivante|continuer|afficher plus|voir " +
			"plus|siguiente|pagina siguiente|continuar|ver mas|mostrar mas|cargar mas|avanti|successivo|successiva|pagina " +
			"successiva|continua|prosegui|mostra altro|carica altro|volgende|volgende pagina|doorgaan|verder|meer laden|meer " +
			"tonen|proximo|proxima|seguinte|proxima pagina|carregar mais|ver mais|mostrar mais",
	},
	{
		KindPrevious, verbs,
		"previous|previous page|prev|back|go back|newer|zuruck|vorherige|vorherige seite|precedent|page " +
			"precedente|retour|anterior|pagina anterior|volver|atras|precedente|pagina precedente|indietro|torna " +
			"indietro|vorige|vorige pagina|terug|voltar",
	},
	{
		KindSubmit, verbs,
		"submit|send|post|publish|send message|absenden|senden|abschicken|nachricht " +
			"senden|veroffentlichen|envoyer|soumettre|publier|valider|enviar|enviar mensaje|publicar|invia|pubblica|invia " +
			"messaggio|verzenden|versturen|indienen|publiceren|plaatsen|enviar mensagem|submeter",
	},
	{
		KindExpand, verbs,
		"expand|expand all|show details|more details|view details|read more|details|aufklappen|ausklappen|mehr " +
			"erfahren|mehr lesen|developper|deplier|lire la suite|expandir|desplegar|leer mas|espandi|leggi di " +
			"piu|uitklappen|lees meer|expandir tudo|leia mais|saiba mais",
	},
	{
		KindInvoices, nouns,
		"invoices|invoice|billing history|payment history|receipts|statements|bills|rechnungen|rechnung|meine " +
			"rechnungen|belege|abrechnungen|factures|mes factures|facturas|mis facturas|recibos|fatture|le mie " +
			"fatture|facturen|mijn facturen|facturatie overzicht|faturas|minhas faturas|notas fiscais",
	},
	{
		KindBilling, nouns,
		"billing|billing and payments|payments|payment|subscription|subscriptions|plan and billing|payment methods|payment " +
			"method|abrechnung|zahlungen|zahlungsarten|zahlungsmethoden|abonnement|abo|facturation|paiements|paiement|moyens " +
			"de paiement|facturacion|pagos|suscripcion|metodos de pago|fatturazione|pagamenti|abbonamento|metodi di " +
			"pagamento|facturering|betalingen|betaalmethoden|faturamento|pagamentos|assinatura|formas de pagamento",
	},
	{
		KindCart, nouns,
		"cart|shopping cart|basket|bag|shopping bag|view cart|my cart|view basket|warenkorb|einkaufswagen|panier|mon " +
			"panier|voir le panier|carrito|cesta|mi carrito|ver carrito|carrello|vedi " +
			"carrello|winkelwagen|winkelmandje|carrinho|ver carrinho|cesto",
	},
	{
		KindSettings, nouns,
		"settings|preferences|options|configuration|account " +
			"settings|einstellungen|kontoeinstellungen|parametres|preferences du " +
			"compte|ajustes|configuracion|preferencias|impostazioni|preferenze|instellingen|voorkeuren|configuracoes|" +
			"definicoes|preferencias da conta",
	},
	{
		KindAccount, nouns,
		"account|my account|your account|profile|my profile|dashboard|user menu|account menu|konto|mein konto|mein " +
			"profil|profil|kundenkonto|compte|mon compte|mon profil|cuenta|mi cuenta|perfil|mi perfil|account personale|il " +
			"mio account|profilo|mijn account|profiel|mijn profiel|conta|minha conta|meu perfil",
	},
	{
		KindContact, nouns,
		"contact|contact us|contact support|kontakt|kontaktieren sie uns|contactez nous|nous " +
			"contacter|contacto|contactanos|contactar|contatti|contattaci|neem contact op|contato|contactos|fale " +
			"conosco|contate nos",
	},
	{
		KindHelp, nouns,
		"help|support|faq|help center|help centre|customer service|hilfe|kundenservice|hilfebereich|aide|centre d " +
			"aide|assistance|service client|ayuda|soporte|atencion al cliente|centro de " +
			"ayuda|aiuto|assistenza|supporto|klantenservice|hulp|ondersteuning|ajuda|suporte|central de ajuda|atendimento",
	},
	{
		KindLanguage, nouns,
		"language|languages|change language|select " +
			"language|english|deutsch|francais|espanol|italiano|nederlands|portugues|sprache|sprachauswahl|langue|idioma|" +
			"lingua|taal",
	},
	{
		KindMenu, nouns,
		"menu|main menu|open menu|toggle menu|toggle navigation|navigation|hauptmenu|menu offnen|navigation " +
			"umschalten|menu principal|ouvrir le menu|abrir menu|menu principale|apri menu|hoofdmenu|menu openen|more " +
			"actions|more options",
	},
	{
		KindHome, nouns,
		"home|homepage|home page|start page|startseite|accueil|page d accueil|inicio|pagina principal|pagina " +
			"iniziale|startpagina|pagina inicial",
	},
}
