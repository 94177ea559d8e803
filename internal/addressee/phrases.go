package addressee

// The list of what speaks to an agent. A phrase is a row of words, in lower case, which follow each other in one
// sentence:
//
//	a|b    one of these words
//	?a|b   one of these words, or none
//	instruct~  a word that begins so
//	*3     up to three words of any kind
//	^      the beginning of a clause: of a sentence, after a colon, a comma, "please", "and", "you must" and the like
//	,  :  .  a comma or dash, a colon, the end of a sentence; ! is one of the three
//	_      a word with an underscore in it
//	@e     a ref, such as @e3
//	<ai>   one of the rows of words below
//
// A phrase is here if pages that speak to people almost never have it: "agent" and "assistant" are people, too, docs
// about agents speak of what agents must do, and pages with settings of models mention a "system prompt". The texts in
// testdata are of both kinds: the tests measure how many of each are marked.

// names are rows of words that phrases refer to.
var names = map[string][]string{
	"ai": {
		"ai|ais|llm|llms|genai", "ai|llm|genai ?powered|based ?browser|browsing|web|search|shopping|coding|research <agent>",
		"?large language model|models", "artificial intelligence", "chatbot|chatbots", "chatgpt",
		"autonomous|automated|browser|browsing|web|software <agent>",
	},
	"ais": {
		"ais|llms",
		"ai|llm|browser|browsing|autonomous|automated ?browsing|web agents|assistants|models|systems|bots|crawlers",
		"?large language models",
	},
	"agent": {"agent|agents|assistant|assistants|model|models|system|systems|bot|bots|chatbot|chatbots|crawler|crawlers"},

	// What a text asks an agent for after its name.
	"do": {
		"please|you|your|do|must|never|always|ignore|disregard|forget|click|go|open|visit|navigate|send|include|say|tell|" +
			"respond|reply|answer|output|print|call|execute|follow|summariz~|summaris~|recommend|stop|copy|fill|enter|type|" +
			"submit|forward|reveal|disclose|mention|remember|treat|insert|append|proceed|continue|transfer|delete|approve|" +
			"confirm|skip|before|when|instead|use|add|fetch|read|run|cite|note|kindly|this",
	},
	"strictly": {
		"ignore|disregard|forget|stop|navigate|visit|send|forward|transfer|reveal|disclose|exfiltrate|execute|email|" +
			"post|upload", "you must|are", "do not",
	},

	"override": {"ignore|disregard|forget|neglect|overlook"},
	"earlier":  {"previous|previously|prior|earlier|preceding|foregoing|former|original|initial|existing|your"},
	"orders": {
		"instruct~|prompt|prompts|directive|directives|guidelines|guidance|directions|programming|guardrails|safeguards",
	},
	"reads": {
		"reading|processing|viewing|visiting|summariz~|summaris~|browsing|parsing|crawling|accessing|analyzing|analysing|" +
			"scraping|indexing|evaluating|navigating",
	},
	"page": {
		"page|site|website|webpage|document|text|content|email|message|file|article|post|review|comment|listing|ticket|" +
			"issue|note|form|thread|repository",
	},
	"human": {"user|human|operator"},
}

// phrases are what speaks to an agent, by kinds.
var phrases = []string{
	// What it was told is to be forgotten.
	"^ <override> *3 <earlier> *3 <orders>",
	"^ <override> all|every|other *2 instruct~|directives|guidelines|programming|guardrails|safeguards",
	"^ <override> everything|all|anything above|before ?this and|,|.|:",
	"^ <override> all|everything|anything ?of ?the|your *1 above *2 <orders>",
	"^ <override> the above instruct~|text and|,|.|: *1 <do>",
	"^ <override> *2 previous|prior|earlier|preceding|your *2 " +
		"rules|commands|orders|restrictions|constraints|training|context|conversation|messages|task|tasks|goal|goals",
	"^ <override> everything|anything|all *2 you *2 told|instructed|given|read|learned|know|above",
	"^ override|bypass|discard|drop|abandon|overrule|supersede *2 your|previous|prior|earlier|system *3 " +
		"instruct~|guidelines|directives|guardrails|safeguards|safety|programming",
	"^ stop following|obeying *3 <earlier> *2 <orders>",
	"^ do not follow|obey *2 previous|prior|earlier|your|original *2 <orders>",
	"^ pay no attention to *3 <earlier> *2 <orders>",
	"instruct~ above|below|here|that *4 override|overrides|supersede|supersedes|replace|replaces *2 " +
		"all|any|previous|prior|your *3 <orders>",
	"these instruct~ override|supersede|replace|take *4 <earlier>|precedence",

	// It is named.
	"if|since|because you are ?a|an|the|being ?autonomous|automated|helpful <ai> " +
		",|.|:|and|reading|that|who|which|processing|summariz~|summaris~|visiting|browsing|viewing|accessing|acting|" +
		"working|analyzing|assisting|helping|you|please|then|parsing|crawling|evaluating|on|with|tasked|asked|completing",
	"if|when you are reading|processing|parsing|summariz~|summaris~ this *4 as ?a|an <ai>",
	"as|being a|an|the <ai> *1 you must|should|need|have|are|can|will|may",
	"^ attention|dear|hello|hi|hey|greetings|ok|okay ?to|: ?any|all|the|every|other ?, <ai> !",
	"^ attention|dear|hello|hi|hey|greetings|to ?to|: ?any|all|the|every|other ?, <ai> <reads>|that|who|which",
	"^ note|notes|message|notice|instruct~|reminder|request|directive|directives|guidance|memo|important|warning|urgent|" +
		"command|orders|task ?note|message|notice|instruct~|information to|for|: ?any|all|the|every|other|your <ai> ,|:",
	"^ note|notes|message|notice|instruct~|reminder|request|directive|directives|guidance|memo|important|warning|urgent|" +
		"command|orders|task ?note|message|notice|instruct~|information to|for|: ?any|all|the|every|other|your <ai> " +
		"<reads>|that|who|which",
	"^ ?any|all|every <ai> <reads> this|these|the|our *2 <page> " +
		"must|should|shall|are|need|have|is|please|may|can|will|,|:|has|needs",
	"<ai> *1 that|who|which *1 " +
		"read|reads|visit|visits|process|processes|summarize|summarizes|parse|parses|access|accesses|encounter|encounters|" +
		"see|sees this|these *3 must|should|shall|are|need|please|has|is",
	"^ ?any|all ?the <ais> ,|: <do>",
	"^ ai|llm|browser|browsing|autonomous <agent> , <do>",
	"^ ai|llm|browser|browsing|autonomous <agent> : ?please|now|, <strictly>",
	"^ chatgpt|claude|copilot|gemini|llm|ai , <strictly>",
	"^ chatgpt|claude|copilot|gemini , please ignore|disregard|summarize|recommend|send|include|visit|open",
	"^ assistant|agent , ?please|now <strictly>", "^ assistant|agent : ?please|now ignore|disregard",
	"^ assistant|agent : you must", "^ assistant|agent : do not", "the assistant|agent must|should now <do>",
	"^ dear|hey|hello assistant|agent , ?please|now|you <strictly>",
	"for|to ?the <ai> only :|.", "^ humans *4 ignore|skip|disregard *4 <ai>",
	"if|when *2 <ai> *2 is|are *1 <reads> this|these",

	// It gets another role, or other goals.
	"^ you are now ?a|an|the|dan ?fully|completely|helpful|new " +
		"unrestricted|uncensored|unfiltered|jailbroken|dan|assistant|ai|llm|chatbot|evil",
	"^ you are now a|an *2 assistant who|that|whose", "^ you are now a|an helpful",
	"^ you are ?now no longer ?bound|an|a|the|required|restricted ?by|to <ai>|your|restrictions|assistant|follow|obey",
	"^ you are now ?operating|running in|entering *1 " +
		"developer|debug|admin|god|jailbreak|dan|unrestricted|maintenance mode",
	"from now on ?, ?you ?will|must|should|shall|are ?to " +
		"act|respond|answer|reply|obey|ignore|pretend|behave|speak|dan|unrestricted|free",
	"your new|real|true|actual|updated|sole|only instruct~|directive|directives|objective|objectives ?is|are|:",
	"^ your new|real|true|actual task|goal|mission|purpose is to", "^ your new|real|true|actual task|goal :",
	"^ ?important|urgent|hidden|secret|priority " +
		"new|updated|revised|system|admin|administrator|developer|hidden|secret|override|root|security ?priority|override " +
		"instruct~|message|prompt|override|notice|command|note|directive ?for|from|to ?the ?ai|assistant|agent|system|user " +
		": ?please|now <strictly>",
	"^ end|beginning|begin|start of ?the ?your system|user|hidden|original|previous " +
		"prompt|instruct~|message|context|input",
	"do anything now",
	"^ enable|activate|enter developer|dan|jailbreak|god mode and|,|to ?then ignore|disregard|bypass|answer|reveal|you",
	"^ pretend *2 you *2 no|without *1 restrictions|rules|guidelines|filters|limitations",
	"^ reveal|print|output|show|repeat|display|leak|disclose|dump|share|recite|expose|send|paste|tell|write|give *3 " +
		"your *2 system|initial|hidden|original|secret|developer|internal|full|complete|exact *1 " +
		"prompt|prompts|instruct~|message|directives",
	"^ repeat|recite|output *2 everything|words|text|instruct~ above",
	"what is|are your system|hidden|original|initial prompt|instruct~",

	// It is to act behind the back of its user.
	"^ do|never ?not *1 tell|inform|alert|notify|warn|ask|show *1 the|your <human> *2 about this|these|that|it|any",
	"^ do|never ?not tell|inform|alert|notify|warn your <human>",
	"^ do|never ?not *1 mention|reveal|disclose|report|say|show|explain *6 to the|your <human>",
	"^ hide|conceal *4 from the|your <human>",
	"^ keep|hide *5 secret|hidden|confidential|private|this|these from the|your <human>",
	"without telling|informing|alerting|notifying|asking|consulting ?the your <human>",
	"without telling|informing the user",
	"^ the <human> has already|previously|explicitly *1 " +
		"approved|authoriz~|authoris~|consented|confirmed|agreed|permitted|granted|requested *8 continue|proceed|go",
	"^ your <human> has ?already|previously|explicitly " +
		"approved|authoriz~|authoris~|consented|confirmed|agreed|permitted|granted|requested|asked",
	"tell|convince|persuade|urge|instruct|inform your human|operator", "tell|convince|persuade|urge your user",
	"in|to|at|of|with your *2 summary|response|answer|reply|output|report to|for the|your <human>",
	"^ remember|save|store *14 ?in|for|to ?all ?your ?any future conversations|chats|responses|answers|interactions",
	"^ remember *10 as *2 trusted|authoritative|preferred|reliable source *1 for|in|when|.",
	"^ when|before|after|while summariz~|summaris~|describing|answering|responding|completing *6 the <human> ,|:",
	"^ when|before|after|while answering|completing|doing|executing|performing|helping|serving *2 <human> s *2 " +
		"task|request|question|wish",
	"your|the <human> asked|wants|needs|instructed|told you to|for|,",

	// Its tools are named.
	"agent_browser", "browser_navigate|browser_click|browser_type|browser_snapshot|browser_fill",
	"skua click|fill|type|press|eval|snapshot|batch|upload|download|select|network|cookies|storage|goto",
	"skua open http|https|www|_",
	"click|fill|type|press|hover|check|uncheck|select|tap|focus|upload|drag|dblclick|scroll|get|read|wait|submit " +
		"?in|on|into|to|text|value|attr ?the ?element|ref|button|link|field @e",
	"^ call|invoke|use|run|execute|trigger the|your _ tool",
	"^ call|invoke the|your|this *1 tool now|immediately|again|first|without", "^ call|invoke your|this *1 tool .",
	"^ use|call|invoke your *1 " +
		"email|browser|browsing|search|file|code|shell|terminal|bash|web|python|memory|fetch|payment|messaging tool|tools",
	"^ make|issue|emit|generate a tool|function call to|with|that|now|.",

	// Other languages.
	"ignorier|ignoriere|ignorieren|vergiss|vergesst|missachte|vergessen ?sie *3 " +
		"vorherigen|bisherigen|früheren|obigen|vorangegangenen|deine|ihre|vorigen *2 " +
		"anweisung~|instruktion~|befehle|regeln|vorgaben|prompts",
	"falls|wenn du|sie ein|eine|der ki|ai|sprachmodell|llm|autonomer ?bist|sind|assistent|agent|modell|,",
	"ignore|ignorez|ignorer|oublie|oubliez *3 instruct~|consignes|directives|règles *1 précédent~|antérieur~|ci|initial~",
	"si tu|vous es|êtes un|une *2 ia|ai|llm",
	"ignora|ignore|ignoren|ignorad|olvida|olvide|olviden *4 instruccion~|indicacion~|órdenes|ordenes|reglas *1 " +
		"anterior~|previas|previos", "si eres|es|usted un|una|es *2 ia|ai|llm",
	"ignora|ignorate|ignori|dimentica|dimenticate *4 istruzion~|indicazion~|regole|direttive *1 precedent~|anterior~",
	"se sei un|una|un *2 ia|ai|llm",
	"ignore|ignora|ignorem|esqueça|esquece|desconsidere *4 instruç~|instruções|ordens|regras|orientaç~ *1 " +
		"anterior~|prévias|acima", "se você|voce|tu é|és|for um|uma *2 ia|ai|llm",
	"negeer|vergeet *3 vorige|eerdere|voorgaande|bovenstaande|jouw *1 instruct~|opdrachten|aanwijzingen|regels",
	"als je|jij|u een *1 ai|llm *1 ben|bent|assistent|agent|,",
	"игнорируй|игнорируйте|проигнорируй|забудь|забудьте|проигнорируйте *2 предыдущ~|прежн~|ранее|вышеуказанн~|свои|все " +
		"*1 инструкци~|указани~|команд~|правила", "если ты|вы *1 ии|ai|искусственный|языковая|нейросеть",
	"zignoruj|ignoruj|zapomnij|pomiń *3 poprzedni~|wcześniejsz~|powyższ~ *1 instrukcj~|polece~|zasad~|wskazówk~",
	"jeśli|jeżeli jesteś *1 ai|sztuczną|modelem|agentem",
	"ignorera|glöm|strunta *3 tidigare|föregående|ovanstående *1 instruktion~|order|regler",
	"önceki|yukarıdaki *1 tüm|bütün|talimat~ *2 talimat~|yok|unut|görmezden",
}

// texts are characters that speak to an agent, for writings without spaces between words and for marks of a
// conversation. Parts follow each other, with at most 40 bytes between them.
var texts = [][]string{
	{"忽略", "指令"},
	{"忽略", "指示"},
	{"忽略", "提示"},
	{"忽略", "说明"},
	{"无视", "指令"},
	{"忘记", "指令"},
	{"無視", "指令"},
	{"忽略", "指引"},
	{"如果你是", "ai"},
	{"如果你是", "人工智能"},
	{"如果您是", "ai"},
	{"如果你是", "智能"},
	{"指示", "無視"},
	{"命令", "無視"},
	{"指示", "忘れ"},
	{"あなたがai", "なら"},
	{"aiアシスタント", "場合"},
	{"지시", "무시"},
	{"명령", "무시"},
	{"당신이 ai", "라면"},
	{"تجاهل", "التعليمات"},
	{"पिछले", "निर्देश", "अनदेखा"},
	{"<|im_start|>system"},
	{"<<sys>>"},
	{"[inst]"},
	{"<tool_call>"},
	{"<function_calls>"},
	{"[system]", "ignore"},
}

// hints are what at least one of has every text that has a phrase: [MayAddress] looks for them alone. They have four
// bytes or more.
var hints = []string{
	"ignor", "disregard", "forget", "neglect", "overlook", "overrid", "bypass", "discard", "abandon", "overrule",
	"supersede", "instruct", "prompt",
	"agent", "assistant", "language model", "chatbot", "chatgpt", "claude", "gemini", "copilot", "artificial intell",
	"genai",
	" ai ", " ai,", " ai:", " ai.", " ai!", " ai)", " ais ", "ais:", "ais,", "ai, ", "ai model", "ai sys", "ai bot",
	"ai crawl", "llms", "llm,", "llm:", "llm ",
	"everything above", "words above", "text above", "you are now", "you're now", "longer bound", "now on", "r new",
	"r real", "r true", "r actual", "anything now", "pretend",
	"e user", "r user", "r human", "e human", "operator", "remember", "future",
	"browser_", "skua ", " tool", "function call",
	"k @e", "l @e", "e @e", "s @e", "r @e", "t @e", "d @e", "n @e", "p @e", "g @e", "f @e", "o @e",
	"im_start", "<<sys", "[inst]", "ｇｎｏｒｅ", "ｎｓｔｒ",
	"vergiss", "vergess", "missacht", "falls du", "wenn du", "wenn sie ein", "oubli", "si tu es", "vous êtes", "olvid",
	"si eres", "si es un", "dimentic", "se sei", "esque",
	"desconsidere", "se você", "se voce", "negeer", "vergeet", "als je", "als u een", "гнорир", "абудь", "сли ты",
	"сли вы", "zapomnij", "pomiń", "jesteś", "glöm", "strunta",
	"nceki", "yukarıdaki",
	"忽略", "无视", "忘记", "無視", "如果你是", "如果您是", "忘れ", "あなたがai", "aiアシスタント", "무시", "당신이 ai", "تجاهل", "निर्देश",
}
