import {
  addDays,
  type Calendar,
  type Computed,
  type Draft,
  daysBetween,
  missing,
  missingIn,
  NodeError,
  toLocal,
} from "intel-node";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { kraken } from "intel-node/providers/kraken/provider";
import { getMid } from "intel-node/providers/quote";
import type { Close } from "intel-node/series/share-closes";
import { calendarOf, describeSession, warnOfEnd } from "../markets/session.ts";
import { rhj } from "../providers/rhj/provider.ts";
import type { StockQuoteInputs } from "./fetch.ts";
import { DEVIATION_BPS_MAX, findContradictions, readDay } from "./neighbours.ts";
import type { StockQuoteData, StockQuoteRow } from "./schema.ts";

const BPS = 10_000;
const UNLISTED = "not in the SEC's list, or the list could not be read";
const UNQUOTED = "nobody quotes the share itself";
/** A wider book has no meaningful middle. */
const SPREAD_BPS_MAX = 50;
/** While New York trades; the interface itself is cached for 15 s. */
const OPEN_AGE_MAX_MS = 300_000;
/** Vendors can be 15 minutes late. */
const VENDOR_AGE_MAX_MS = 1_200_000;
/** From a Friday's close over a holiday to the Tuesday after, and a bit. */
const CLOSED_AGE_MAX_MS = 4 * 86_400_000;
/** A feed that has not moved for longer than its heartbeat of a day, counted in days with a session. */
const FEED_SESSIONS_MAX = 2;
const ACTION_DAYS = 10;

export type PriceBasis = StockQuoteData["price_basis"];
interface Asked {
  readonly symbol: string;
  readonly now_ms: number;
}

interface Price {
  readonly basis: PriceBasis;
  readonly provider: string;
  readonly price: number;
  readonly at_ms: number;
  /** The close before by the source itself. */
  readonly prev_close?: number | null;
}

const spreadOf = ({ bid, ask }: { readonly bid: number; readonly ask: number }): number =>
  ((ask - bid) / ((ask + bid) / 2)) * BPS;

/** What can be called a price, best first. */
function listPrices(inputs: StockQuoteInputs, now_ms: number): readonly Price[] {
  const { share, oracle, token, vendor, state, exchange, closes } = inputs;
  const calendar = calendarOf(exchange);
  const prices: Price[] = [];
  const is_open = state.status === "open";
  const age_max_ms = is_open ? OPEN_AGE_MAX_MS : CLOSED_AGE_MAX_MS;
  const last = closes.at(-1);
  const is_fresh = share !== null && now_ms - share.at_ms <= age_max_ms;
  const is_narrow = is_fresh && is_open && spreadOf(share) <= SPREAD_BPS_MAX;
  if (is_narrow) prices.push({ basis: "mid", provider: rhj.id, price: getMid(share), at_ms: share.at_ms });
  if (vendor?.quote.at_ms && now_ms - vendor.quote.at_ms <= (is_open ? VENDOR_AGE_MAX_MS : CLOSED_AGE_MAX_MS)) {
    const { price, at_ms, prev_close } = vendor.quote;
    prices.push({ basis: "last", provider: vendor.provider, price, at_ms, prev_close });
  }
  if (is_fresh && !is_narrow) {
    const close_ms = last ? closeTimeOf(calendar, last) : null;
    if (last && close_ms !== null && now_ms - close_ms < CLOSED_AGE_MAX_MS) {
      prices.push({ basis: "indicative", provider: rhj.id, price: last.price, at_ms: close_ms });
    }
  }
  if (oracle && countSessions(calendar, oracle.updated_at_ms, now_ms) <= FEED_SESSIONS_MAX) {
    prices.push({ basis: "oracle", provider: evmRpc.id, price: oracle.price, at_ms: oracle.updated_at_ms });
  }
  if (token && spreadOf(token) <= SPREAD_BPS_MAX) {
    prices.push({ basis: "token_mid", provider: kraken.id, price: getMid(token), at_ms: token.at_ms ?? now_ms });
  }
  return prices;
}

const closeTimeOf = (calendar: Calendar, { date }: Close): number | null =>
  calendar.sessionsOf(date).at(-1)?.close_ms ?? null;

/** Trading days between two moments, the first one's day not counted. */
function countSessions(calendar: Calendar, from_ms: number, to_ms: number): number {
  const [from, to] = [toLocal(calendar.zone, from_ms).date, toLocal(calendar.zone, to_ms).date];
  return calendar.countTradingDays(addDays(from, 1), addDays(to, 1));
}

/** Sessions that ended since the one a price is of: it was no price of theirs, as when a share stopped trading. */
function countMissedSessions({ at_ms }: Price, calendar: Calendar, now_ms: number): number {
  const { date } = toLocal(calendar.zone, now_ms);
  const close_ms = calendar.sessionsOf(date).at(-1)?.close_ms;
  const is_unfinished = close_ms !== undefined && now_ms < close_ms;
  return Math.max(0, countSessions(calendar, at_ms, now_ms) - (is_unfinished ? 1 : 0));
}

/** The close of the session before the one a price is of; null when it was not stored. */
function findPreviousClose({ at_ms }: Price, { closes, exchange }: StockQuoteInputs): Close | null {
  const calendar = calendarOf(exchange);
  const { date } = toLocal(calendar.zone, at_ms);
  const close_ms = calendar.sessionsOf(date).at(-1)?.close_ms;
  // A price after a session's close has that close before it; the close itself belongs to its session.
  const previous = close_ms !== undefined && at_ms > close_ms ? date : calendar.previousTradingDay(date);
  return closes.find((one) => one.date === previous) ?? null;
}

function describeChange(price: Price, inputs: StockQuoteInputs, { symbol, now_ms }: Asked) {
  const none = { prev_close: null, change: null, change_pct: null, change_basis: null };
  if (price.prev_close) {
    const change = price.price - price.prev_close;
    const change_pct = (change / price.prev_close) * 100;
    return { prev_close: price.prev_close, change, change_pct, change_basis: "vendor" as const };
  }
  const previous = findPreviousClose(price, inputs);
  if (!previous) return missingIn(none, "this node has no such close");
  const today = toLocal("America/New_York", now_ms).date;
  const split = inputs.actions?.find(
    (one) =>
      one.symbol === symbol &&
      one.type.includes("split") &&
      one.process_date > previous.date &&
      one.process_date <= today,
  );
  if (split) return missingIn(none, `${split.type} since the last close`);
  const change = price.price - previous.price;
  return {
    prev_close: previous.price,
    change,
    change_pct: (change / previous.price) * 100,
    change_basis: "node_close" as const,
  };
}

function listQuotes(
  { share, oracle, token, vendor }: StockQuoteInputs,
  used: Price,
  now_ms: number,
): Draft<StockQuoteRow>[] {
  const ageOf = (at_ms: number | null) =>
    at_ms === null ? missing("the provider states no time") : Math.max(0, (now_ms - at_ms) / 1000);
  const rows: Draft<StockQuoteRow>[] = [];
  if (share) {
    const { bid, ask, at_ms } = share;
    const is_used = used.basis === "mid";
    const quote = { bid, ask, price: getMid(share), age_s: ageOf(at_ms), used: is_used };
    rows.push({ provider: rhj.id, kind: "share", ...quote, terms: rhj.terms.class });
  }
  if (oracle) {
    const quote = { bid: null, ask: null, price: oracle.price, age_s: ageOf(oracle.updated_at_ms) };
    rows.push({
      provider: evmRpc.id,
      kind: "oracle",
      ...quote,
      used: used.basis === "oracle",
      terms: evmRpc.terms.class,
    });
  }
  if (token) {
    const { bid, ask, at_ms } = token;
    const quote = { bid, ask, price: getMid(token), age_s: ageOf(at_ms), used: used.basis === "token_mid" };
    rows.push({ provider: kraken.id, kind: "token", ...quote, terms: kraken.terms.class });
  }
  if (vendor) {
    const quote = { bid: null, ask: null, price: vendor.quote.price, age_s: ageOf(vendor.quote.at_ms) };
    rows.push({
      provider: vendor.provider,
      kind: "vendor",
      ...quote,
      used: used.basis === "last",
      terms: "restricted",
    });
  }
  return rows;
}

/** Figures missing at the vendor, except a close before that this node has itself. */
function listVendorWarnings({ vendor, closes }: StockQuoteInputs): readonly string[] {
  const said = vendor?.quote.warnings ?? [];
  return closes.length === 0 ? said : said.filter((text) => !text.startsWith("prev_close"));
}

/** @throws NodeError when no quote is narrow and fresh enough to be called a price. */
export function computeStockQuote(
  inputs: StockQuoteInputs,
  { symbol, now_ms }: Asked,
): Computed<Draft<StockQuoteData>> {
  const { share, oracle, actions, listing, state } = inputs;
  const [price] = listPrices(inputs, now_ms);
  if (!price) {
    const message = `${symbol}: no quote is fresh and narrow enough to be a price, and no close is stored.`;
    throw new NodeError("upstream_unavailable", `${message} Nothing was charged.`, { retry_after_s: 300 });
  }
  const warnings = [...inputs.warnings, ...warnOfEnd(calendarOf(inputs.exchange), now_ms)];
  if (price.basis === "last") warnings.push(...listVendorWarnings(inputs));
  const missed = countMissedSessions(price, calendarOf(inputs.exchange), now_ms);
  if (missed > 0) warnings.push(`price: ${missed} of New York's sessions ended since its own without a newer one`);
  const { low, high, volume } = readDay(price, inputs, calendarOf(inputs.exchange));
  const inside = low !== null && high !== null && high > low && price.price >= low && price.price <= high;
  if (price.basis === "token_mid")
    warnings.push("price: no venue states a time of the token's book; it is of the call");
  if (price.basis === "indicative") warnings.push("price: the quote is too wide, this is the last stored close");
  const deviation_bps = oracle && price.basis !== "oracle" ? (price.price / oracle.price - 1) * BPS : null;
  if (deviation_bps !== null && state.status === "open" && Math.abs(deviation_bps) > DEVIATION_BPS_MAX) {
    warnings.push(`oracle_check: the feed is ${Math.round(Math.abs(deviation_bps))} basis points off`);
  }
  const contradicted_by = [...findContradictions(price, inputs, calendarOf(inputs.exchange))];
  if (contradicted_by.length > 0)
    warnings.push(`price: contradicted by ${contradicted_by.join(", ")}; which of them is wrong is not known`);
  const today = toLocal("America/New_York", now_ms).date;
  const near = (actions ?? [])
    .filter((one) => one.symbol === symbol && Math.abs(daysBetween(today, one.process_date)) <= ACTION_DAYS)
    .toSorted((a, b) => Math.abs(daysBetween(today, a.process_date)) - Math.abs(daysBetween(today, b.process_date)))[0];
  return {
    as_of_ms: Math.min(price.at_ms, now_ms),
    warnings,
    data: {
      symbol,
      name: listing?.name ?? missing(UNLISTED),
      exchange: listing?.exchange ?? missing(UNLISTED),
      currency: "USD",
      price: price.price,
      price_basis: price.basis,
      contradicted_by,
      is_proxy: price.basis === "token_mid",
      bid: share?.bid ?? missing(UNQUOTED),
      ask: share?.ask ?? missing(UNQUOTED),
      spread_bps: share ? spreadOf(share) : missing(UNQUOTED),
      ...missingIn({ day_high: high, day_low: low, volume }, share ? "the provider states none" : UNQUOTED),
      ...describeChange(price, inputs, { symbol, now_ms }),
      range_position: inside
        ? (price.price - low) / (high - low)
        : missing("no range of the day, or the price lies outside it"),
      halted: share?.halted ?? missing(share ? "the provider does not say" : UNQUOTED),
      corporate_action: near ? { type: near.type, process_date: near.process_date } : null,
      session: describeSession(state),
      oracle_check: oracle
        ? {
            price: oracle.price,
            age_s: Math.max(0, (now_ms - oracle.updated_at_ms) / 1000),
            deviation_bps,
          }
        : null,
      quotes: listQuotes(inputs, price, now_ms),
    },
  };
}
