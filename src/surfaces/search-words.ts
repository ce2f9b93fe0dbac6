/** Words of a question that say nothing of a product; a title of nothing else is still found, by its other fields. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  [
    "a an and any are as at be been by can could current currently did do does for from get give has have how i if in",
    "into is it its latest let list look many me much my need now of on or our please right see should show so some",
    "tell than that the their them there these this those to today up us use want was we were what when where which",
    "who why will with would you your",
    "ao aos agora as atual com como da das de dessa desse desta deste diga dos e em esse essa essas esses esta estao",
    "este eu foi ha hoje isso isto la me mais meu meus minha minhas mostre na nas no nos o os ou para pela pelo pode",
    "por porque pra preciso qual quais quando quanta quanto quantos que quem quero se ser sobre sao ta tem ter um uma",
    "vai vao voce",
  ].flatMap((line) => line.split(" ")),
);

/**
 * What buyers call a thing, by what the catalog calls it: each word of a line means all words of that line. Only
 * for words that always mean the same in this trade.
 */
const SAME_MEANING: readonly string[] = [
  "fee gas feerate",
  "bitcoin btc",
  "ethereum eth ether",
  "solana sol",
  "price quote cotacao preco custa vale worth",
  "signal sinais sinal",
  "trading trade trader",
  "forex fx currency cambio moeda divisa",
  "stock equity share acao acoes",
  "news headline noticia manchete",
  "scam rug honeypot rugpull golpe fraude fraud piramide",
  "wallet address carteira endereco",
  "sanction ofac aml sancao sancoes sancionado sanctioned embargo",
  "memecoin meme pump",
  "yield apy staking apr rendimento rende",
  "brazil brasil brazilian brasileiro brasileira b3",
  "selic juro",
  "inflation ipca inflacao",
  "swap dex",
  "whale transfer baleia transferencia",
  "mood sentiment sentimento humor",
  "greed fear medo ganancia",
  "filing sec 10k 8k edgar",
  "oracle pyth chainlink oraculo",
  "earning eps lucro",
  "correlation covariance correlacao",
  "calendar schedule release calendario agenda",
  "portfolio allocation alocacao",
  "research report dossier relatorio dossie",
  "dollar dolar usd buck",
  "euro eur",
  "yen jpy iene",
  "pound gbp sterling libra",
  "crypto cripto criptomoeda cryptocurrency criptoativo",
  "coin moeda token",
  "gold ouro xau",
  "silver prata xag",
  "oil petroleo crude wti brent",
  "copper cobre",
  "wheat trigo",
  "sugar acucar",
  "soybean soy soja",
  "corn milho",
  "cattle boi gado",
  "coffee cafe",
  "farm agro agricultural agriculture agropecuario agricola",
  "market mercado",
  "risk risco",
  "risky danger dangerous arriscado perigoso",
  "safe safety seguro seguranca",
  "curve curva",
  "holder holding detentor",
  "launch lancamento",
  "chain rede network blockchain",
  "bridge ponte",
  "arbitrage arbitragem",
  "volatility volatilidade volatile volatil",
  "anomaly anomalia unusual weird odd strange estranho atipico",
  "strategy estrategia",
  "sector setor",
  "council conselho committee comite debate",
  "vote voto votacao",
  "swarm enxame",
  "search busca buscar pesquisa pesquisar google",
  "web internet",
  "war guerra conflict conflito geopolitical geopolitics geopolitica geopolitico",
  "event evento",
  "meeting reuniao",
  "decision decisao decide",
  "forecast expectation expectativa previsao projecao",
  "bank banco",
  "economy economia macro macroeconomia macroeconomico economic economico",
  "unemployment desemprego",
  "job payroll emprego nfp",
  "debt divida",
  "crash loss crise queda perda",
  "stress estresse",
  "score pontuacao nota rating",
  "credit credito",
  "audit auditoria auditar auditing",
  "seller vendedor merchant",
  "agent agente bot",
  "thesis tese idea",
  "performance desempenho",
  "record historico history",
  "morning manha",
  "brief briefing resumo summary overview panorama",
  "smart inteligente",
  "money dinheiro",
  "profit pnl lucrativo profitable",
  "copy copiar copytrading copytrade",
  "builder block bloco",
  "tip gorjeta",
  "key chave",
  "pass passe",
  "subscription assinatura subscribe assinar",
  "prepaid saldo",
  "bundle pacote pack basket cesta",
  "alert alerta notification",
  "company empresa",
  "fundamental fundamento",
  "index indice",
  "world global mundo international internacional",
  "regime bull bear touro urso bullish bearish",
  "trend tendencia",
  "technical tecnica tecnico",
  "analysis analise",
  "indicator indicador",
  "level nivel support resistance suporte resistencia",
  "liquidity liquidez depth",
  "pool piscina",
  "proof prova prove verify verificar verified verifiable",
  "seal selo",
  "receipt recibo",
  "exchange bolsa corretora",
  "spread diferenca",
];

/** Without accents and in small letters, so that "relatório" finds "/relatorio". */
export const wordsOf = (text: string): readonly string[] =>
  text
    .normalize("NFD")
    .replaceAll(/\p{Diacritic}/gu, "")
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? [];

/** Endings of plurals, in the order they are tried: English, then Portuguese without accents. */
const PLURALS: readonly (readonly [ending: string, instead: string])[] = [
  ["ies", "y"],
  ["oes", "ao"],
  ["res", "r"],
  ["zes", "z"],
  ["ais", "al"],
  ["eis", "el"],
  ["ns", "m"],
  ["s", ""],
];
const WHOLE_LETTERS_MAX = 3;
const STEM_LETTERS_MIN = 4;

function singular(word: string): string {
  if (word.length <= WHOLE_LETTERS_MAX || /(?:ss|us|is)$/.test(word)) return word.replace(/(a|e)is$/, "$1l");
  const plural = PLURALS.find(([ending]) => word.endsWith(ending) && word.length - ending.length >= 2);
  return plural ? word.slice(0, word.length - plural[0].length) + plural[1] : word;
}

const drop = (word: string, ending: RegExp): string => {
  const shorter = word.replace(ending, "");
  return shorter.length >= STEM_LETTERS_MIN ? shorter : word;
};

/** "prices", "pricing" and "price" are one word, and so are "preços" and "preço". */
export function stemOf(word: string): string {
  if (/\d/.test(word)) return word;
  return drop(drop(singular(word), /(?:ing|ed)$/), /[aeo]$/);
}

const MEANINGS: ReadonlyMap<string, string> = new Map(
  [...SAME_MEANING].reverse().flatMap((line) => {
    const words = line.split(" ").map(stemOf);
    return words.map((word): [string, string] => [word, words[0] ?? word]);
  }),
);

/** One stem for all words that mean the same. */
export function meaningOf(word: string): string {
  const stem = stemOf(word);
  return MEANINGS.get(stem) ?? stem;
}

const CURRENCIES = [
  "aud brl cad chf clp cny cop czk dkk eur gbp hkd huf idr ils inr",
  "isk jpy krw mxn myr nok nzd php pln ron sek sgd thb try usd zar",
]
  .join(" ")
  .replaceAll(" ", "|");

/** What a name of this form is, in words of the catalog. */
const NAME_FORMS: readonly (readonly [form: RegExp, words: readonly string[]])[] = [
  [/\b[A-Za-z]{4}(?:3|4|5|6|11|34)(?:\.SA)?\b/, ["b3", "ticker", "share"]],
  [new RegExp(`\\b(?:${CURRENCIES})[/ _-]?(?:${CURRENCIES})\\b`, "i"), ["forex", "currency", "pair"]],
  [/\b0x[0-9a-fA-F]{40}\b/, ["address", "wallet", "token"]],
  [/\b[1-9A-HJ-NP-Za-km-z]{32,44}\b/, ["mint", "solana", "address"]],
  [/\bhttps?:\/\//, ["url", "endpoint"]],
];

/** Words for the names in a question, such as a ticker of an exchange, which no text of the catalog lists. */
export const namesIn = (text: string): readonly string[] =>
  NAME_FORMS.flatMap(([form, words]) => (form.test(text) ? words : []));
