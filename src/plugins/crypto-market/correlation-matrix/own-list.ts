import { NodeError } from "intel-node";
import { DAILY_INSTRUMENTS, type DailyInstrument } from "intel-node/series/daily-series";
import { toTicker } from "../oracle/symbol.ts";
import { isShare } from "./share-series.ts";

/** What a buyer asks about instead of the ten coins. */
export interface OwnList {
  readonly coins: readonly string[];
  /** Ids of other markets: shares, currencies, gold, oil, yields, the Nikkei. */
  readonly markets: readonly string[];
  /** Parts of one, by name; null without weights. */
  readonly weights: ReadonlyMap<string, number> | null;
}

/** The two parameters of an own list as they are sent: names and weights with commas between. */
export interface OwnParams {
  readonly symbols?: string;
  readonly weights?: string;
}

const NAMES = { min: 2, max: 12 } as const;
const TICKER = /^[A-Z0-9]{1,12}$/;
const WEIGHT = /^\d{1,9}(\.\d{1,9})?$/;

const findMarket = (name: string): DailyInstrument | undefined => DAILY_INSTRUMENTS.find(({ id }) => id === name);
const isMarket = (name: string): boolean => isShare(name) || findMarket(name) !== undefined;

const refuse = (param: keyof OwnParams, why: string): NodeError =>
  new NodeError("invalid_parameter", `"${param}" ${why}`, { param, details: { parameter: param } });

const splitList = (text: string): readonly string[] => text.split(",").map((one) => one.trim());

function readName(text: string): string {
  const name = text.toUpperCase();
  if (isMarket(name)) return name;
  const ticker = toTicker(name);
  if (TICKER.test(ticker)) return ticker;
  const ids = DAILY_INSTRUMENTS.map(({ id }) => id).join(", ");
  throw refuse("symbols", `holds tickers of coins, shares as AAPL.US or PETR4.SA, and of ${ids}`);
}

function readNames(text: string): readonly string[] {
  const names = splitList(text).map(readName);
  if (names.length < NAMES.min || names.length > NAMES.max)
    throw refuse("symbols", `holds ${NAMES.min} to ${NAMES.max}`);
  if (new Set(names).size < names.length) throw refuse("symbols", "names one of them twice");
  return names;
}

function readWeights(text: string, names: readonly string[]): ReadonlyMap<string, number> {
  const parts = splitList(text);
  if (parts.length !== names.length) throw refuse("weights", `holds one for each of the ${names.length} symbols`);
  if (!parts.every((part) => WEIGHT.test(part) && Number(part) > 0)) throw refuse("weights", "holds numbers above 0");
  const loan = names.find((name) => findMarket(name)?.move === "bp");
  if (loan !== undefined) throw refuse("weights", `: ${loan} is a yield, which nobody can hold a part of`);
  const sum = parts.reduce((total, part) => total + Number(part), 0);
  return new Map(names.map((name, index) => [name, Number(parts[index]) / sum]));
}

/**
 * The list a buyer asks about; null without one.
 * @throws NodeError invalid_parameter when it is not a list, or its weights do not match it.
 */
export function readOwnList({ symbols, weights }: OwnParams): OwnList | null {
  if (symbols === undefined) {
    if (weights !== undefined) throw refuse("weights", "go with symbols");
    return null;
  }
  const names = readNames(symbols);
  return {
    coins: names.filter((name) => !isMarket(name)),
    markets: names.filter(isMarket),
    weights: weights === undefined ? null : readWeights(weights, names),
  };
}

/** The same parameters in canonical form; refuses those that are not a list. */
export function normaliseOwn<P extends OwnParams>(params: P): P {
  readOwnList(params);
  const { symbols, weights } = params;
  return {
    ...params,
    ...(symbols === undefined ? {} : { symbols: readNames(symbols).join(",") }),
    ...(weights === undefined ? {} : { weights: splitList(weights).join(",") }),
  };
}
