import { getOwn } from "../core/own.ts";

/**
 * Characters that no reader sees: controls, formats (zero width, directions, tags), private and unassigned ones,
 * combining ones that draw nothing, fillers.
 */
const INVISIBLE =
  /(?:(?![\t\n\r])\p{Cc}|\p{Cf}|\p{Co}|\p{Cn}|\u034f|\u115f|\u1160|\u3164|\uffa0|\p{Variation_Selector})/gu;
const TAGS = /<[^<>]{0,500}>/g;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
};
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi;
const LINK = /(?:https?:|data:|javascript:|www\.)\S*/gi;
const MARKDOWN_LINK = /!?\[([^\]]{0,200})\]\([^)]{0,400}\)/g;

function decode(text: string): string {
  return text.replace(ENTITY, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return getOwn(ENTITIES, name.toLowerCase()) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : " ";
  });
}

/** The most characters of a foreign text; titles are shorter, see `chars_max`. */
const RAW_MAX = 20_000;

/**
 * Turns a foreign text into plain words: entities decoded, tags, links and invisible characters removed, look-alikes
 * brought to one form, spaces collapsed, cut at a length.
 */
export function cleanUntrusted(text: string, { chars_max }: { readonly chars_max: number }): string {
  let clean = text.slice(0, RAW_MAX);
  // Twice, because some feeds escape twice.
  for (let round = 0; round < 2; round += 1) clean = decode(clean).replace(TAGS, " ");
  clean = clean
    .replace(INVISIBLE, "")
    .normalize("NFKC")
    .replace(INVISIBLE, "")
    .replace(MARKDOWN_LINK, "$1")
    .replace(LINK, " ")
    .replace(/[<>`\\{}|]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return [...clean].slice(0, chars_max).join("");
}

/** Cyrillic and Greek letters that look like Latin ones. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  а: "a",
  е: "e",
  о: "o",
  р: "p",
  с: "c",
  у: "y",
  х: "x",
  і: "i",
  ѕ: "s",
  ј: "j",
  ԁ: "d",
  ո: "n",
  һ: "h",
  т: "t",
  м: "m",
  в: "b",
  н: "h",
  к: "k",
  α: "a",
  ε: "e",
  ο: "o",
  ρ: "p",
  ν: "v",
  ι: "i",
  υ: "u",
  κ: "k",
  τ: "t",
};
const DIGIT_LETTERS: Readonly<Record<string, string>> = { "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t" };

const anyOf = (words: string): string => `(?:${words.trim().split(/\s+/).join("|")})`;
const near = (...parts: readonly string[]): RegExp => new RegExp(parts.join(".{0,40}?"));

/** Only the forms of an order. "Court ignores earlier ruling" is news about somebody. */
const OVERRIDE = `${anyOf(`ignore ignorem ignora disregard forget override bypass desconsidere desconsiderem esqueca
  esquecam desobedeca`)}\\b`;
const OVERRIDDEN = anyOf(`previous prior above earlier instruc rules regras anterior guideline prompt everything tudo
  system sistema safety`);
const REVEAL = anyOf(`reveal print output repeat leak show send exfiltrate display revele imprima mostre envie repita
  vaze`);
const SECRET = anyOf(`prompt instruc secret api.key password private.key seed.phrase credential token chave senha segred
  environment`);
const ANSWER = anyOf("respond reply answer say write output state report responda diga escreva afirme informe");
const ONLY = anyOf("only exactly always with.only that somente apenas sempre exatamente que");
const HIDE = anyOf("mention tell cite follow obey reveal mencione conte cite siga obedeca");
const RUN = anyOf("call invoke use execute run fetch visit open browse chame acesse visite abra rode");
const TOOL = anyOf(`tool function command url link website site shell code ferramenta funcao comando codigo`);
const READER = anyOf("ai llm model assistant chatgpt gpt claude agent chatbot language modelo assistente");

/** Wordings of texts that instruct a model, in English and Portuguese, folded. Each quantifier has a bound. */
const PATTERNS: readonly RegExp[] = [
  near(OVERRIDE, OVERRIDDEN),
  /(?:system|developer|hidden|initial|secret|sistema|oculto)\s?(?:prompt|message|instruction|mensagem|instruc)/,
  /(?:prompt|mensagem) (?:do|de) sistema|novas? instruc|instruc(?:oes|ao) (?:do|de|ao) (?:sistema|modelo)/,
  /you are now|you are an? (?:ai|assistant|helpful|unrestricted|trading)|act as|pretend (?:to be|you)|roleplay/,
  /voce (?:agora )?e (?:um|uma|agora)|aja como|finja (?:ser|que)|comporte-se como|a partir de agora/,
  /(?:^|\W)(?:assistant|system|user|developer|assistente|sistema|usuario)\s?:/,
  /(?:begin|end|start|inicio|fim)[ _-]?(?:of )?(?:system|prompt|instruction|untrusted|sources|facts|inst)/,
  /\[\/?inst\]|im_start|im_end|endoftext|<<sys|### ?(?:instruction|system|response)/,
  /(?:new|updated|important|urgent|following|real|actual|true|special) instructions?/,
  new RegExp(`instructions? (?:for|to) (?:the |any |all )?${READER}`),
  new RegExp(`(?:dear|attention|note to|message to|hey|hello|caro|atencao) (?:the )?${READER}`),
  near(REVEAL, SECRET),
  new RegExp(`${ANSWER} ${ONLY}\\b`),
  new RegExp(`(?:do not|don't|never|must not|nao|jamais) ${HIDE}`),
  /(?:you must|your task|your new|voce deve|sua tarefa|sua nova) /,
  new RegExp(`${RUN} (?:the |a |o |this |esta |este )?${TOOL}`),
  /(?:jailbreak|dan mode|developer mode|god mode|sudo|modo desenvolvedor|prompt injection)/,
  /(?:transfer|send|wire) .{0,30}?to (?:this |the )?(?:address|wallet|account)/,
  /(?:transfira|envie) .{0,30}?para (?:este|o|a|esta) (?:endereco|carteira|conta)/,
  /(?:decode|decodifique|base64|rot13|hex) .{0,30}?(?:follow|execute|obey|run|siga|obedeca|instruc|this|isto)/,
];
const BASE64 = /[A-Za-z0-9+/]{24,}={0,2}/g;
const HEX = /(?:[0-9a-f]{2}){16,}/gi;
const ESCAPES = /(?:%[0-9a-f]{2}|\\x[0-9a-f]{2}|\\u[0-9a-f]{4}){4,}/gi;

const plain = (text: string): string =>
  [
    ...text
      .normalize("NFKC")
      .toLowerCase()
      .normalize("NFD")
      .replace(/\p{M}+/gu, ""),
  ]
    .map((one) => getOwn(LOOK_ALIKES, one) ?? one)
    .join("")
    .replace(/\s+/g, " ");

/** Joins letters that are spread with dots, hyphens or spaces: "i g n o r e", "i.g.n.o.r.e". */
const closeUp = (text: string): string => text.replace(/(?<=(?:^|[^a-z])[a-z])[\s.\-_*|/]+(?=[a-z](?:[^a-z]|$))/g, "");
/** No headline has so many single letters. */
const SPREAD = /(?:^|[^a-z])(?:[a-z][\s.\-_*|/]{1,3}){8,}/;
const undigit = (text: string): string => text.replace(/[013457]/g, (digit) => getOwn(DIGIT_LETTERS, digit) ?? digit);
const rot13 = (text: string): string =>
  text.replace(/[a-z]/g, (one) => String.fromCharCode(((one.charCodeAt(0) - 97 + 13) % 26) + 97));

/** Encoded parts of a text that decode to words. */
function* listPacked(text: string): Generator<string> {
  for (const [found] of text.matchAll(BASE64)) yield Buffer.from(found, "base64").toString("utf8");
  for (const [found] of text.matchAll(HEX)) yield Buffer.from(found, "hex").toString("utf8");
  for (const [found] of text.matchAll(ESCAPES)) {
    const bytes = found.replace(/\\u00/gi, "").replace(/%|\\x|\\u/gi, "");
    yield Buffer.from(bytes, "hex").toString("utf8");
  }
}

const hasOrder = (text: string): boolean => PATTERNS.some((pattern) => pattern.test(text));

/**
 * Whether a text looks like an attempt to instruct a model. Such texts are shown as headlines and kept from models.
 * This is the second line of defence. The first is that no figure, name or link of a foreign text can become part of
 * what the node writes.
 */
export function isSuspicious(raw: string): boolean {
  const text = raw.slice(0, RAW_MAX);
  // An innocent headline has no hidden tags or text directions.
  const tags = [...text].flatMap((one) => {
    const code = one.codePointAt(0) ?? 0;
    return code >= 0xe0020 && code <= 0xe007e ? [String.fromCharCode(code - 0xe0000)] : [];
  });
  if (tags.length > 0) return true;
  const clean = decode(decode(text)).replace(INVISIBLE, "");
  const words = plain(clean);
  if (SPREAD.test(words)) return true;
  const forms = [
    words,
    plain(clean.replace(TAGS, " ")),
    closeUp(words),
    undigit(words),
    plain(rot13(clean.toLowerCase())),
  ];
  forms.push([...words].reverse().join(""));
  if (forms.some(hasOrder)) return true;
  for (const packed of listPacked(clean)) if (hasOrder(plain(packed))) return true;
  return false;
}

/**
 * Finds texts that instruct only when read one after the other, while each half is innocent. All are suspicious then.
 */
export function areSuspiciousTogether(texts: readonly string[]): boolean {
  return texts.some((text, index) => {
    const next = texts[index + 1];
    return next !== undefined && hasOrder(plain(`${text.slice(-200)} ${next.slice(0, 200)}`));
  });
}

/** The most characters of a title or a name; a snippet may have 300. */
const TITLE_CHARS_MAX = 200;

/** Strangers' titles that may be passed on, and the number withheld. */
export interface CleanTitles<T> {
  readonly shown: readonly T[];
  /** The number of titles that look written to steer a machine, or that are empty after cleaning. */
  readonly withheld: number;
}

/**
 * Cleans titles by strangers before a buyer's agent reads them: plain words, at most 200 characters. A title that looks
 * like an order to a machine is withheld and counted.
 */
export function cleanTitles<T extends { readonly title: string }>(items: readonly T[]): CleanTitles<T> {
  const shown = items.flatMap((item) => {
    if (isSuspicious(item.title)) return [];
    const title = cleanUntrusted(item.title, { chars_max: TITLE_CHARS_MAX });
    return title === "" ? [] : [{ ...item, title }];
  });
  return { shown, withheld: items.length - shown.length };
}

/** The warning of an answer about withheld headlines; empty if there were none. */
export const warnWithheld = (field: string, withheld: number): readonly string[] =>
  withheld === 0
    ? []
    : [`${field}: ${withheld} ${withheld === 1 ? "title is" : "titles are"} withheld, written to steer a machine`];
