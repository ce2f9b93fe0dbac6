import type { CatalogProduct } from "../catalog/catalog.ts";
import type { ParsedParams } from "../catalog/params.ts";
import type { CallWatch } from "./call-watch.ts";
import type { EntryDoor } from "./door.ts";

/** One call of a paid path that brought something to pay with. */
export interface AccessCall {
  readonly product: CatalogProduct;
  readonly request: ParsedParams;
  /** SHA-256 of method, canonical path and canonical parameters: what a payment pays for. */
  readonly fingerprint: string;
  /** The same before the gate bound a key or a payer to it: a challenge is given out before either is known. */
  readonly asked_for?: string;
  /** SHA-256 of the body it came with, as RFC 9530 writes it; left out without a body, and by other doors. */
  readonly digest?: string | undefined;
  readonly headers: Headers;
  /** What it came in by. */
  readonly door?: EntryDoor | undefined;
  /** The address the call came from. */
  readonly client: string;
  /** Fires when the buyer hangs up. Changes nothing about the money, only how the answer is filed. */
  readonly gone: AbortSignal;
  /** Of a door that shows how far a call is, and lets its buyer withdraw it. */
  readonly watch?: CallWatch | undefined;
}

/** A paid answer. Headers name the proof of payment; the body is the product's envelope. */
export interface Served {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Set when money moved for this very answer. */
  readonly sale?: Sale;
}

/** One settled payment, for the operator's log. */
export interface Sale {
  readonly receipt_id: string;
  readonly payer: string;
  readonly network: string;
  readonly transaction: string;
}

/**
 * One way to pay for a call: x402 payment, prepaid key, coupon. Each holds, produces and commits in its own order; the
 * gate asks them in turn and the first whose header is present decides.
 */
export interface AccessMethod {
  readonly id: string;
  readonly isPresent: (headers: Headers, product: CatalogProduct) => boolean;
  /**
   * Whether what was brought can be read at all, without I/O: a call that also lacks a parameter gets this error first.
   * @throws NodeError
   */
  readonly assertReadable?: (headers: Headers) => void;
  /** The product at the price its buyer was quoted, where prices have changed since; asked before `serve`. */
  readonly quoted?: (product: CatalogProduct, headers: Headers) => CatalogProduct;
  /** @throws NodeError; whatever it throws, nothing was charged unless `charge_unknown` says so. */
  readonly serve: (call: AccessCall) => Promise<Served>;
}
