/**
 * The frequent words of each language that is written in Latin letters; most of these words are rare in other languages. The
 * codes are those of ISO 639-1 for which PostgreSQL has a dictionary, and a few neighbours that the guess would confuse with them.
 */
const frequentWords: Readonly<Record<string, string>> = {
  en: "the and is are was were you your that this with have has had not for what where when how they them there would could should will from been just about it its of to do does did don didn i my we our he she his her be but or if who why which can get got going know like think some any all out up now then than here on in at as an so me no yes ok thanks please very really good new need want make let see look one",
  de: "der die das und ist sind war waren nicht ich du wir ihr sie er es ein eine einen einem einer mit auf für von dem den des im zu zum zur auch noch schon wenn wie was wer wo warum aber oder kein keine mein meine dein habe hat haben hatte wird werden kann können muss müssen über nach bei aus heute morgen gestern hier jetzt nur sehr mal so am an als bis dann doch gut sich uns euch alle diese dieser dieses wieder",
  fr: "le la les un une des du de et est sont était étaient je tu il elle nous vous ils elles ne pas que qui quoi dans pour sur avec sans mais ou où donc ce cette ces mon ma mes ton ta tes son sa ses notre votre leur au aux plus très bien être avoir fait faire aujourd hui demain hier ici oui non merci c j l d qu n s y en se par comme si tout tous peut",
  es: "el la los las un una unos unas de del y es son era eran yo tú él ella nosotros vosotros ellos no que qué quien quién en por para con sin pero o dónde donde cómo como cuándo cuando este esta estos estas mi mis tu tus su sus al más muy bien ser estar está están hay hoy mañana ayer aquí sí gracias se lo le me te ya también alguien todo todos hace hacer tiene",
  pt: "o a os as um uma uns umas de do da dos das e é são era eram eu você vocês ele ela nós eles elas não que quem em no na nos nas por para com sem mas ou onde como quando este esta isso isto meu minha seu sua ao mais muito bem ser estar está estão há hoje amanhã ontem aqui sim obrigado obrigada se já também pra pelo pela foi tem vai",
  it: "il lo la i gli le un uno una di del della dei delle e è sono era erano io tu lui lei noi voi loro non che chi cosa in nel nella per con senza ma o dove come quando questo questa questi queste mio mia tuo tua suo sua al alla ai più molto bene essere avere ha ho hai hanno oggi domani ieri qui sì grazie si ci anche da dal sul andiamo tutti tutto perché",
  nl: "de het een en is zijn was waren niet ik jij je hij zij ze wij we jullie met op voor van te dat die dit deze wat wie waar hoe waarom maar of geen mijn jouw heb heeft hebben had wordt worden kan kunnen moet moeten over naar bij uit vandaag morgen gisteren hier nu nog ook al zeer heel er aan om als dan in goed naar gaan gaat wel",
  sv: "och det att är var inte jag du han hon vi ni de som en ett på för med av till den har hade kan ska skulle men eller om hur vad vem när där här nu idag imorgon igår mycket bra från så också min mitt din ditt oss alla bara efter i sig åker",
  da: "og det at er var ikke jeg du han hun vi i de som en et på for med af til den har havde kan skal vil men eller om hvordan hvad hvem hvornår hvor der her nu idag morgen igår meget godt fra så også min mit din dit os alle kun efter sig tager",
  no: "og det at er var ikke jeg du han hun vi dere de som en et på for med av til den har hadde kan skal vil men eller om hvordan hva hvem når hvor der her nå idag morgen igår veldig bra fra så også min mitt din ditt oss alle bare etter seg",
  fi: "ja on ei se että hän minä sinä me te he ovat oli olivat kun mutta tai niin kuin mitä missä miten miksi kuka joka tämä nämä myös vain nyt täällä tänään huomenna eilen hyvin olen olet olemme en et emme jos sitten vielä jo",
  hu: "a az és hogy nem is van vannak volt voltak én te ő mi ti ők egy ez ezt azt de vagy ha mit mi ki hol hogyan miért mikor itt ott most ma holnap tegnap nagyon jó meg el csak még már kell lehet mert megyünk",
  ro: "și şi este sunt era erau nu că ce cine unde cum când de la în pe cu pentru din un o eu tu el ea noi voi ei ele acest această mai foarte bine azi mâine ieri aici da mulțumesc se să le lor dar sau dacă fi mergem",
  tr: "ve bir bu da de mi mı için ile ne nasıl neden nerede kim ama veya çok daha var yok değil ben sen o biz siz onlar şu her gibi kadar sonra önce bugün yarın dün burada evet hayır teşekkürler iyi olan olarak hep birlikte şimdi",
  id: "yang dan di ke dari ini itu untuk dengan tidak ada adalah saya kamu dia kami kita mereka akan sudah belum bisa apa siapa mana bagaimana kenapa kapan tapi atau juga sangat hari besok kemarin sini terima kasih pada oleh lagi saja",
  ca: "el la els les un una uns unes de del dels i és són era eren jo tu ell ella nosaltres vosaltres no que què qui en per amb sense però o on com quan aquest aquesta això meu meva al més molt bé ésser estar està hi ha avui demà ahir aquí sí gràcies es també tots anem",
  eu: "eta da ez bat dut du dira zen ziren nik zuk hori hau zer nor non nola zergatik baina edo oso ere gaur bihar atzo hemen bai eskerrik asko dago daude zen egin izan",
  ga: "agus an na is tá níl bhí mé tú sé sí muid sibh siad ar ag le do go nach cad cé cá conas cathain ach nó seo sin anseo inniu amárach inné go raibh maith agat",
  lt: "ir yra buvo ne aš tu jis ji mes jūs jie kad kas kur kaip kodėl kada bet ar arba su be į iš nuo labai gerai šiandien rytoj vakar čia taip ačiū šis ši tai",
  et: "ja on ei see et ta ma sa me te nad oli olid kui aga või mis kes kus kuidas miks millal siin seal nüüd täna homme eile väga hästi ka veel juba minu sinu meie teie pole olen",
  pl: "i w na z do że nie jest są był była to się jak co kto gdzie kiedy dlaczego ale czy lub dla od po za przez bardzo dobrze dziś jutro wczoraj tutaj tak ja ty my wy oni mój twój ten ta te już jeszcze",
  cs: "a v na z do že ne není je jsou byl byla to se jak co kdo kde kdy proč ale nebo pro od po za přes velmi dobře dnes zítra včera tady ano já ty my vy oni můj tvůj ten ta už ještě jsem",
};

/** Languages without a dictionary, whose words are found as they are written. */
const withoutDictionary = new Set(["pl", "cs"]);

/** Letters that few languages have. */
const tellingLetters: readonly [RegExp, readonly string[]][] = [
  [/ß/, ["de"]],
  [/[ñ¿¡]/, ["es"]],
  [/[ãõ]/, ["pt"]],
  [/[ığş]/, ["tr"]],
  [/[őű]/, ["hu"]],
  [/[ășț]/, ["ro"]],
  [/[øæ]/, ["da", "no"]],
  [/å/, ["sv", "da", "no"]],
  [/[ėįųū]/, ["lt"]],
  [/[łąęśźż]/, ["pl"]],
  [/[ěřů]/, ["cs"]],
  [/[êèœ]/, ["fr"]],
  [/[äö]/, ["de", "sv", "fi", "et"]],
];

/** Scripts that tell the language by themselves, or by letters of their own. */
const scripts: readonly [RegExp, (text: string) => string | null][] = [
  [/\p{Script=Cyrillic}/u, (text) => (/[ђјљњћџ]/i.test(text) ? "sr" : /[іїєґўқәѓќ]/i.test(text) ? null : "ru")],
  [/\p{Script=Greek}/u, () => "el"],
  [/\p{Script=Arabic}/u, (text) => (/[پچگکیںٹڈے]/.test(text) ? null : "ar")],
  [/\p{Script=Devanagari}/u, (text) => (/(?:छ|हरू|लाई|भयो)/.test(text) ? "ne" : "hi")],
  [/\p{Script=Armenian}/u, () => "hy"],
  [/\p{Script=Tamil}/u, () => "ta"],
  [/[\u05f0-\u05f2]|[\u05d0\u05d9]\u05b7|\u05d0\u05b8/u, () => "yi"],
];

const otherLetter = /[^\p{Script=Latin}\P{L}]/u;
const languagesOf = new Map<string, string[]>();
for (const [language, words] of Object.entries(frequentWords)) {
  for (const word of new Set(words.split(" "))) languagesOf.set(word, [...(languagesOf.get(word) ?? []), language]);
}

/** Characters that are looked at, of the beginning: more would not change much. */
const readMax = 400;
/** From this on a guess counts, and by so much it has to be better than the next one. */
const scoreMin = 0.5;
const aheadMin = 0.2;
const letterWeight = 0.7;

/**
 * The language of a text by its script, its letters and the words that languages use most, for the dictionary that finds
 * forms of its words.
 *
 * @returns the code of a language with a dictionary; `none` for a text in another language; null when the text is too short to tell
 */
export function guessLanguage(text: string): string | null {
  const read = text.slice(0, readMax).toLowerCase();
  const letters = read.replace(/https?:\/\/\S+|[@#:]\w+/g, " ");
  const words = letters.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
  const others = words.filter((word) => otherLetter.test(word));
  if (others.length > 0 && others.length * 2 >= words.length) {
    const text = others.join(" ");
    for (const [script, languageOf] of scripts) if (script.test(text)) return languageOf(text) ?? "none";
    return "none";
  }
  const scores = new Map<string, number>();
  const add = (languages: readonly string[], weight: number) => {
    for (const language of languages) scores.set(language, (scores.get(language) ?? 0) + weight / languages.length);
  };
  for (const word of words) add(languagesOf.get(word) ?? [], 1);
  // No text of ASCII has one.
  if (/[^\p{ASCII}]/u.test(letters)) {
    for (const [pattern, languages] of tellingLetters) if (pattern.test(letters)) add(languages, letterWeight);
  }
  const [best, next] = [...scores].sort(([, a], [, b]) => b - a);
  if (best === undefined || best[1] < scoreMin || best[1] - (next?.[1] ?? 0) < aheadMin) return null;
  return withoutDictionary.has(best[0]) ? "none" : best[0];
}
