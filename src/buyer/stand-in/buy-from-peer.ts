import type { CatalogProduct } from "../../catalog/catalog.ts";
import type { ParsedParams } from "../../catalog/params.ts";
import type { StandInAnswer } from "../../catalog/stand-in.ts";
import type { Clock } from "../../core/clock.ts";
import { sha256Hex } from "../../core/hash.ts";
import type { PurchaseEnd, PurchaseFacts, StandInBook } from "../../trust/stand-in-book.ts";
import { STAND_IN_PATH } from "../../trust/stand-in-path.ts";
import { createPeerFetch, type PeerAnswer, type PeerFailure } from "../../upstream/fetch-peer.ts";
import type { Buyer } from "../buyer.ts";
import type { OwnChannelStep, OwnChannels } from "../own-channels/own-channels.ts";
import { readNoCharge, readSoldReceipt } from "./check-receipt.ts";
import type { PayeeDesk, ProvenPeer } from "./peer-desk.ts";
import { readPeerProduct } from "./read-answer.ts";
import { type PeerTerms, readChannelTerms, readPeerTerms, readUptoTerms } from "./read-terms.ts";
import { readUptoCharge, type UptoDesk } from "./upto-desk.ts";

export interface BuyParts {
  readonly clock: Clock;
  readonly elapsed_ms: () => number;
  readonly sandbox: boolean;
  readonly own_id: string;
  readonly book: StandInBook;
  readonly prove: PayeeDesk;
  readonly buyer: () => Promise<Buyer>;
  /** Atomic USDC. */
  readonly daily_max: bigint;
  /** Channels that peers are paid from; null where each call is paid separately. */
  readonly channels: OwnChannels | null;
  /** Null where this wallet pays nobody by `upto`. */
  readonly upto: UptoDesk | null;
}

export interface BuyFrom {
  /** The peer's address, without a slash at its end. */
  readonly origin: string;
  readonly product: CatalogProduct;
  readonly request: ParsedParams;
  /** Path and query of the call, the same at every node. */
  readonly target: string;
  /** Nodes the call came through, this one last, signed. */
  readonly path: string;
  readonly price_max: bigint;
  /** Whether nothing is bought from this node, and why. */
  readonly whyNot: (node_id: string) => Promise<string | null>;
  /** Holds the answer against what this node made of the same request before. Null: nothing speaks against it. */
  readonly check: (bought: StandInAnswer) => Promise<string | null>;
}

/** Why a peer's answer is not sold: before anything was paid, or after. */
export interface NotBought {
  readonly reason: NotBoughtReason;
  readonly why: string;
  readonly node_id: string | null;
  /** What was paid for nothing, as far as nobody signed otherwise. */
  readonly lost: bigint;
}
export type NotBoughtReason =
  | "silent"
  | "no_price"
  | "price"
  | "unproven"
  | "unfit"
  | "budget"
  | "refused"
  | "unusable";

export type BuyResult = { readonly bought: StandInAnswer; readonly amount: bigint } | NotBought;

/** What costs nothing is answered at once, or not waited for: a buyer does. */
const QUOTE_WITHIN_MS = 4_000;

type After = Partial<Pick<NotBought, "node_id" | "lost">>;
const not = (reason: NotBoughtReason, why: string, { node_id = null, lost = 0n }: After = {}): NotBought => ({
  reason,
  why,
  node_id,
  lost,
});

/**
 * Buys one call from one peer: asks its price, proves who is paid, writes the purchase down, pays just that price, and
 * holds what comes to what this node would have sold. Never throws for what the peer does.
 */
export async function buyFromPeer(parts: BuyParts, from: BuyFrom): Promise<BuyResult> {
  const { origin, target, path, price_max } = from;
  const unpaid = await createPeerFetch({ [STAND_IN_PATH]: path }, QUOTE_WITHIN_MS)(`${origin}${target}`);
  if ("failed" in unpaid) return not("silent", unpaid.failed);
  if (unpaid.status !== 402) return not("no_price", `it answers ${unpaid.status} instead of a price`);
  const terms = readPeerTerms(unpaid.headers, parts.sandbox);
  if (terms === null) return not("no_price", "it takes no exact payment in USDC on Base");
  const { amount, challenge } = terms;
  if (amount > price_max) return not("price", `it asks ${amount}, more than ${price_max} that it may cost here`);
  const peer = await parts.prove(origin, { network: challenge.network, pay_to: challenge.payTo });
  if ("refused" in peer) return not("unproven", peer.refused);
  const doubt = peer.sandbox === parts.sandbox ? await from.whyNot(peer.node_id) : "one of us is a sandbox";
  if (doubt !== null) return not("unfit", doubt, peer);
  const order = { terms, peer, unpaid };
  return (
    (await payFromChannel(parts, from, order)) ??
    (await payMetered(parts, from, order)) ??
    payExactly(parts, from, order)
  );
}

interface Order {
  readonly terms: PeerTerms;
  readonly peer: ProvenPeer;
  /** The 402. */
  readonly unpaid: PeerAnswer;
}

/** A way to pay one call. */
interface Way {
  /** A value of PAYMENT-SIGNATURE. */
  sign(): Promise<string>;
  /** Set for a channel. */
  readonly step: OwnChannelStep | null;
  /** Set for `upto`: who was signed for may take less than the price. */
  readonly upto?: UptoDesk;
}

const factsOf = ({ origin, product }: BuyFrom, { terms: { amount, challenge }, peer }: Order): PurchaseFacts => {
  const { network, payTo: pay_to } = challenge;
  return { node_id: peer.node_id, url: origin, product: product.id, amount, network, pay_to };
};

/** By a voucher, where the peer offers channels and the budget has room for one. @returns null: nothing was signed. */
async function payFromChannel(parts: BuyParts, from: BuyFrom, order: Order): Promise<BuyResult | null> {
  const { channels, book, daily_max } = parts;
  const accepted = channels === null ? null : readChannelTerms(order.unpaid, order.terms);
  const amount = BigInt(accepted?.amount ?? 0n);
  if (channels === null || accepted === null || amount > from.price_max) return null;
  const room = daily_max - (await book.spentToday());
  const door = `${from.origin}${from.product.path}`;
  return channels.pay({ accepted, price: amount, room, door }, async (step) => {
    const by_channel = { id: step.channel, deposit: step.deposit };
    const seq = await book.begin({ ...factsOf(from, order), amount, by_channel }, daily_max);
    if (seq === null) return null;
    const terms = { ...order.terms, amount };
    return pay(parts, from, { terms, peer: order.peer, seq, way: { sign: step.sign, step } });
  });
}

/**
 * By the most that a call may cost, of which the peer takes its charge. The day's sum counts what was signed. @returns
 * null: nothing was signed.
 */
async function payMetered(parts: BuyParts, from: BuyFrom, order: Order): Promise<BuyResult | null> {
  const { upto, book, daily_max } = parts;
  const accepted = upto?.isTaken(from.origin) === true ? readUptoTerms(order.unpaid, order.terms) : null;
  if (upto === null || accepted === null) return null;
  const amount = BigInt(accepted.amount);
  if (amount > from.price_max) return null;
  const seq = await book.begin({ ...factsOf(from, order), amount }, daily_max);
  if (seq === null) return null;
  const sign = async () => (await parts.buyer()).signUpto(accepted);
  return pay(parts, from, {
    terms: { ...order.terms, amount },
    peer: order.peer,
    seq,
    way: { sign, step: null, upto },
  });
}

async function payExactly(parts: BuyParts, from: BuyFrom, order: Order): Promise<BuyResult> {
  const { terms, peer } = order;
  const seq = await parts.book.begin(factsOf(from, order), parts.daily_max);
  if (seq === null) return not("budget", "the day's sum for peers is spent", peer);
  // One price, the one that was read: a peer that asks more now is paid nothing.
  const sign = async () => (await (await parts.buyer()).sign(terms.challenge)).header;
  return pay(parts, from, { terms, peer, seq, way: { sign, step: null } });
}

interface Begun {
  readonly terms: PeerTerms;
  readonly peer: ProvenPeer;
  readonly seq: number;
  readonly way: Way;
}

/** Sends the call with its payment; once more where the books of a channel's seller stand elsewhere. */
async function send(from: BuyFrom, { sign, step }: Way): Promise<PeerAnswer | PeerFailure> {
  const ask = (payment: string) => {
    const headers = { [STAND_IN_PATH]: from.path, "PAYMENT-SIGNATURE": payment, "X-Allow-Duplicate": "true" };
    return createPeerFetch(headers)(`${from.origin}${from.target}`);
  };
  const answer = await ask(await sign());
  if (step === null || "failed" in answer || answer.status !== 402) return answer;
  const corrected = await step.correct(answer);
  const again = corrected === null ? answer : await ask(corrected);
  if (!("failed" in again) && again.status === 402) step.refused();
  return again;
}

async function pay(parts: BuyParts, from: BuyFrom, begun: Begun): Promise<BuyResult> {
  const { terms, peer, seq, way } = begun;
  const { node_id } = peer;
  const began = parts.elapsed_ms();
  const close = async (ended: PurchaseEnd, end: Partial<Parameters<StandInBook["end"]>[1]> = {}) => {
    const latency_ms = parts.elapsed_ms() - began;
    await parts.book.end(seq, { ended, no_charge: null, receipt_id: null, why: null, latency_ms, ...end });
  };
  const answer = await send(from, way);
  if ("failed" in answer) {
    await close("silent", { why: answer.failed });
    return not("silent", answer.failed, { node_id, lost: terms.amount });
  }
  if (answer.status !== 200) {
    if (answer.status === 402) way.upto?.noteRefused(from.origin);
    const no_charge = await readNoCharge(answer.text, peer.node_key);
    const why = `paid, it answers ${answer.status}`;
    await close("refused", { why, no_charge });
    return not("refused", why, { node_id, lost: no_charge === null ? terms.amount : 0n });
  }
  const metered = way.upto === undefined ? undefined : readUptoCharge(answer, terms.amount);
  const charged = way.step === null ? metered : way.step.note(answer);
  const amount = charged ?? terms.amount;
  const receipt_id = answer.headers.get("X-Receipt-Id") ?? "";
  const found = await readBought(parts, from, { answer, peer, receipt_id, amount, channel: way.step?.channel ?? null });
  const why = typeof found === "string" ? found : await from.check(found);
  const shown_id = /^[A-Za-z0-9_]{1,64}$/.test(receipt_id) ? receipt_id : null;
  const told = charged === undefined ? {} : { charged };
  if (typeof found === "string" || why !== null) {
    await close("unusable", { why, receipt_id: shown_id, ...told });
    return not("unusable", why ?? "", { node_id, lost: amount });
  }
  await close("answered", { receipt_id: shown_id, ...told });
  return { bought: found, amount };
}

interface Paid extends Pick<Begun, "peer"> {
  readonly answer: PeerAnswer;
  readonly receipt_id: string;
  /** What it cost. */
  readonly amount: bigint;
  /** Id of the channel that paid for it; null where none did. */
  readonly channel: string | null;
}

/** @returns a text: why the answer is not sold. */
async function readBought(parts: BuyParts, from: BuyFrom, paid: Paid): Promise<StandInAnswer | string> {
  const { answer, peer, receipt_id, amount, channel } = paid;
  const { origin, product, request } = from;
  const { node_id, node_key } = peer;
  const not_through = [parts.own_id, ...(request.came_through ?? [])];
  const now_ms = parts.clock.now();
  const read = readPeerProduct(answer.text, { product, node_id, not_through, sandbox: parts.sandbox, now_ms });
  if (typeof read === "string") return read;
  if (!/^[A-Za-z0-9_]{1,64}$/.test(receipt_id)) return "it names no receipt";
  const shown_at = `${origin}/receipts/${receipt_id}${channel === null ? "" : `?channel=${channel}`}`;
  const shown = await createPeerFetch({}, QUOTE_WITHIN_MS)(shown_at);
  if ("failed" in shown || shown.status !== 200) return "it does not show its receipt";
  const response_sha256 = sha256Hex(answer.text);
  const payer = (await parts.buyer()).address;
  const sold = { node_id, receipt_id, product: product.id, amount_atomic: amount.toString(), payer };
  const receipt = await readSoldReceipt(shown.text, { ...sold, response_sha256 }, node_key);
  if ("fault" in receipt) return receipt.fault;
  const { data, ...others } = read.envelope;
  // No seal covers what a voucher bought: the receipt itself is there.
  const seal_url = channel === null ? `${origin}/receipts/${receipt_id}/seal` : shown_at;
  return {
    as_of_ms: read.as_of_ms,
    generated_at_ms: read.generated_at_ms,
    data,
    warnings: others.warnings,
    via: { node_id, url: origin, receipt_id, receipt: receipt.jws, seal_url, response_sha256, answer: others },
  };
}
