import { getOwn } from "../core/own.ts";
import { findNetwork } from "../networks/find.ts";

/** A text in both languages of answers. */
export interface MistakeTold {
  readonly en: string;
  readonly pt: string;
}

/** Why a value was not taken, and what the buyer most likely meant; either may be unknown. */
export interface Mistake {
  readonly why: MistakeTold | null;
  /** The value to send instead. */
  readonly meant: string | null;
}

/** What a parameter takes, as far as it decides which mistake was made. */
export interface WantedValue {
  readonly name: string;
  readonly type: string;
  readonly literals: readonly string[];
  readonly min_chars: number;
  readonly pattern: string;
  /** Least and most of a number; null without a limit. */
  readonly minimum: number | null;
  readonly maximum: number | null;
}

const NAME_SERVICES = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.(?:eth|sol|bnb|crypto|algo|base|arb|nft|lens|x|dao)$/iu;
const ADDRESS_PARAMS: readonly string[] = ["address", "wallet", "wallets", "mint", "token"];
const TOKEN_PARAMS: readonly string[] = ["mint", "token"];
const TRANSACTION = /^(?:0x[0-9a-f]{64}|[1-9A-HJ-NP-Za-km-z]{86,90})$/i;
const SHORTENED = /…|\.\.\./;
const TICKER = /^\$?[\p{L}\p{N}]{1,15}$/u;
const LIST_MARKS = /[;|\s]+/;
const PAIR = /^([A-Z0-9]{2,10})[/_-][A-Z]{3,5}$/i;
const YES: readonly string[] = ["yes", "y", "on", "sim", "s", "verdadeiro"];
const NO: readonly string[] = ["no", "n", "off", "nao", "não", "falso"];

const nothing: Mistake = { why: null, meant: null };

/** The mistake in a value that a parameter refused, by what people send in its place. */
export function findMistake(text: string, wanted: WantedValue): Mistake {
  const value = text.trim();
  if (ADDRESS_PARAMS.includes(wanted.name) && wanted.min_chars >= 20) return readAddress(value, wanted);
  if (wanted.literals.length > 0) return { why: null, meant: findLiteral(value, wanted.literals) };
  if (wanted.type === "boolean") return readSwitch(value);
  if (wanted.type === "number" || wanted.type === "integer") return { why: null, meant: readBounded(value, wanted) };
  if (wanted.pattern.startsWith("^https")) return { why: null, meant: readURL(value) };
  if (wanted.pattern.startsWith("^[0-9a-f]{64}")) return { why: null, meant: value.toLowerCase().replace(/^0x/, "") };
  if (wanted.pattern.startsWith("^[0-9]{1,30}")) return { why: null, meant: readAmount(value, "number") };
  // A pair where one name is taken, and a list that is not divided by commas.
  const base = PAIR.exec(value)?.[1];
  if (wanted.name === "symbol" && base !== undefined) return { why: null, meant: base };
  return { why: null, meant: LIST_MARKS.test(value) ? value.split(LIST_MARKS).filter(Boolean).join(",") : null };
}

function readAddress(value: string, { name }: WantedValue): Mistake {
  const shown = value.slice(0, 60);
  if (NAME_SERVICES.test(value)) {
    return {
      why: {
        en: `Names such as "${shown}" are not looked up: send the address it stands for, such as 0x and 40 hex digits.`,
        pt: `Nomes como "${shown}" não são resolvidos: envie o endereço que ele representa, como 0x e 40 dígitos hex.`,
      },
      meant: null,
    };
  }
  if (SHORTENED.test(value)) {
    return {
      why: {
        en: "A shortened address cannot be read: send the whole of it.",
        pt: "Um endereço abreviado não pode ser lido: envie-o inteiro.",
      },
      meant: null,
    };
  }
  if (TRANSACTION.test(value)) {
    return {
      why: {
        en: "That is the length of a transaction's hash, not of an address.",
        pt: "Esse é o tamanho do hash de uma transação, não de um endereço.",
      },
      meant: null,
    };
  }
  if (!TICKER.test(value)) return nothing;
  const is_token = TOKEN_PARAMS.includes(name);
  return {
    why: is_token
      ? {
          en: `"${shown}" is a ticker, which any token may bear: send the address of the token you mean.`,
          pt: `"${shown}" é um ticker, que qualquer token pode usar: envie o endereço do token em questão.`,
        }
      : {
          en: `"${shown}" is too short for an address: send 0x and 40 hex digits, or 32 to 44 letters and digits.`,
          pt: `"${shown}" é curto demais para um endereço: envie 0x e 40 dígitos hex, ou 32 a 44 letras e dígitos.`,
        },
    meant: null,
  };
}

function readSwitch(value: string): Mistake {
  const said = value.toLowerCase();
  return { why: null, meant: YES.includes(said) ? "true" : NO.includes(said) ? "false" : null };
}

/** One of a list: by a chain's other names, by how it begins, or as the longer word that contains it. */
function findLiteral(value: string, literals: readonly string[]): string | null {
  const said = value.toLowerCase();
  const chain = findNetwork(value)?.name;
  if (chain !== undefined && literals.includes(chain)) return chain;
  const inside = said.length < 3 ? undefined : literals.find((one) => one.toLowerCase().includes(said));
  return inside ?? literals.find((one) => one.length >= 3 && said.includes(one.toLowerCase())) ?? null;
}

/** Powers of ten that people write as letters, in English and Portuguese. */
const UNITS: Readonly<Record<string, number>> = {
  k: 1e3,
  mil: 1e3,
  m: 1e6,
  mi: 1e6,
  mm: 1e6,
  b: 1e9,
  bi: 1e9,
  bn: 1e9,
};
const AMOUNT = /^(?:r\$|us\$|\$|€)?\s*([0-9][0-9.,_ ]*?)\s*(k|mil|mi|mm|m|bi|bn|b)?\s*(?:%|usd|dias|days|d|h)?$/i;

/** A plain number from one with thousands marked, a decimal comma, a currency or a unit; null if it is no number. */
function readAmount(value: string, type: string): string | null {
  const found = AMOUNT.exec(value);
  if (found === null) return null;
  const [, digits = "", unit = ""] = found;
  const number = readDigits(digits.replaceAll(/[_ ]/g, ""), type) * (getOwn(UNITS, unit.toLowerCase()) ?? 1);
  if (!Number.isFinite(number) || number > Number.MAX_SAFE_INTEGER) return null;
  const whole = Math.round(number * 1e6) / 1e6;
  return String(type === "integer" ? Math.trunc(whole) : whole);
}

/** A number as it is meant, or the nearest one that is taken. */
function readBounded(value: string, { type, minimum, maximum }: WantedValue): string | null {
  const text = /^-?[0-9]+(?:\.[0-9]+)?$/.test(value) ? value : readAmount(value, type);
  if (text === null) return null;
  const whole = type === "integer" ? Math.trunc(Number(text)) : Number(text);
  return String(Math.min(Math.max(whole, minimum ?? whole), maximum ?? whole));
}

/** A lone comma before three digits marks thousands; so does a lone point where the number is whole. */
function readDigits(text: string, type: string): number {
  const decimal = Math.max(text.lastIndexOf(","), text.lastIndexOf("."));
  if (decimal < 0) return Number(text);
  const [mark = "", other = ""] = text[decimal] === "," ? [",", "."] : [".", ","];
  const is_lone = text.split(mark).length === 2 && !text.includes(other);
  const has_three = text.length - decimal === 4;
  const is_thousands = text.split(mark).length > 2 || (is_lone && has_three && (mark === "," || type === "integer"));
  return Number(is_thousands ? text.replaceAll(/[.,]/g, "") : text.replaceAll(other, "").replace(mark, "."));
}

const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::[0-9]+)?(?:[/?#].*)?$/i;

function readURL(value: string): string | null {
  if (/^http:\/\//i.test(value)) return value.replace(/^http:/i, "https:");
  return HOST.test(value) ? `https://${value}` : null;
}
