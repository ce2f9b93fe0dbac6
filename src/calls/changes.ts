import type { AnswerOrigin, OriginKeeper } from "../catalog/runner.ts";
import { isUnchanged, renderChanges } from "../catalog/since.ts";
import { NodeError } from "../core/errors.ts";
import { canonicalJSON, sha256Hex } from "../core/hash.ts";
import { renderUSD } from "../core/money.ts";
import type { Receipts } from "../ledger/receipts.ts";
import type { Statements } from "../ledger/statements.ts";
import type { AccessCall } from "./access.ts";

/** An earlier answer with what it was asked for, as long as both are kept. */
export interface KeptWhole {
  /** The product by the path it has by default. */
  readonly path: string;
  /** Canonical JSON of the parameters. */
  readonly params: string;
  /** "" for the whole answer. */
  readonly view: string;
  /** The whole answer; of one that said only what had changed, what came of it. */
  readonly body: string;
}

export interface ChangesOptions {
  readonly receipts: Pick<Receipts, "get">;
  readonly statements: Pick<Statements, "call">;
  /** By the SHA-256 of what was handed over; null where it is not kept, or not any more. */
  readonly findKept: (sha256: string) => Promise<KeptWhole | null>;
  /** Who keeps what answers are made of; null where nobody does. */
  readonly origins: Pick<OriginKeeper, "note"> | null;
  /** What "nothing changed" costs where less than the price can be charged, as a part of the price. */
  readonly unchanged_share: number;
}

/** The earlier answer of a call. */
export interface Base {
  readonly since: string;
  readonly body: string;
}

/** What is sold of an answer, and for how much. */
export interface ChangesToSell {
  readonly body: string;
  /** Atomic USDC. */
  readonly amount: bigint;
}

/** What a runner makes, as far as it matters here. */
interface Made {
  readonly body: string;
  readonly origin?: AnswerOrigin | undefined;
  /** What it costs whole, atomic USDC; the product's price unless given. */
  readonly price?: bigint | undefined;
}

/**
 * Sells what changed since an earlier answer of the same buyer's. Who may be charged less than he agreed to, by key or
 * channel, pays a part of the price when nothing did; who signed for a fixed amount is then not charged at all.
 */
export interface Changes {
  /** @throws NodeError invalid_parameter, as the next two, unless it is an answer of this key to the same question. */
  findForKey(call: AccessCall, key_id: number): Promise<Base>;
  findForPayer(call: AccessCall, payer: string): Promise<Base>;
  /** @param sold the earlier answer that the call names, and its product; null if it was never sold. */
  findSold(call: AccessCall, sold: { readonly product: string; readonly body: string | null } | null): Promise<Base>;
  /** For who may be charged less than the price. */
  render(call: AccessCall, base: Base, made: Made): ChangesToSell;
  /** For who signed for the price and nothing else. @throws Unchanged */
  renderFixed<T extends Made>(call: AccessCall, base: Base, made: T): T;
}

/** Nothing changed, and what was signed is not taken: the answer is handed over for nothing. */
class Unchanged extends Error {
  constructor(readonly body: string) {
    super("nothing changed, and nothing was charged");
  }
}

/** @returns the answer that is handed over for nothing; whatever else was thrown is thrown again. */
export function toFree(error: unknown): { readonly body: string; readonly headers: Readonly<Record<string, string>> } {
  if (error instanceof Unchanged) return { body: error.body, headers: {} };
  throw error;
}

/** In parts of a million, so that no rounding of fractions decides what is charged. */
const WHOLE = 1_000_000;

/** What "nothing changed" costs: never nothing. */
const priceUnchanged = (price: bigint, share: number): bigint => {
  const part = (price * BigInt(Math.round(share * WHOLE))) / BigInt(WHOLE);
  return part > 0n ? part : 1n;
};

export const refuseSince = (message: string): NodeError =>
  new NodeError("invalid_parameter", `${message} Nothing was charged.`, {
    param: "since",
    details: { parameter: "since", allowed: "the X-Receipt-Id of an earlier answer of yours" },
  });

/** The same whatever is missing: a stranger learns nothing of a sale. */
const notKept = (since: string): NodeError =>
  refuseSince(
    `There is no answer "${since}" of yours to the same question that is still kept: those of keys and channels are ` +
      "kept for a day, those of payments for as long as what they were made of. Leave since out.",
  );

export function createChanges(options: ChangesOptions): Changes {
  const { receipts, statements, findKept, origins, unchanged_share } = options;

  async function findBy(call: AccessCall, response_sha256: string | null): Promise<Base> {
    const { product, request } = call;
    const { since = "", view } = request;
    const kept = response_sha256 === null ? null : await findKept(response_sha256);
    const is_same =
      kept !== null &&
      kept.path === product.default_path &&
      kept.params === canonicalJSON(request.params) &&
      kept.view === (view?.key ?? "");
    // Of another question nothing would be "unchanged", and its price would be a way around the other one's.
    if (!is_same) throw notKept(since);
    return { since, body: kept.body };
  }

  const findSold: Changes["findSold"] = (call, sold) => {
    const is_same = sold !== null && sold.product === call.product.id;
    return findBy(call, is_same && sold.body !== null ? sha256Hex(sold.body) : null);
  };

  const show = (call: AccessCall, made: Made, { since, body: base, amount }: Base & { amount: bigint }): string => {
    const told = { since, base, charged_usd: renderUSD(amount) };
    const body = renderChanges(made.body, told);
    const { product, request } = call;
    const { view = null } = request;
    if (made.origin && amount > 0n) {
      origins?.note({ product, origin: made.origin, view, body, inputs: null, changes: told });
    }
    return body;
  };

  return {
    findSold,
    async findForKey(call, key_id) {
      const [, number] = /^call_([1-9][0-9]{0,16})$/.exec(call.request.since ?? "") ?? [];
      const sold = number === undefined ? null : await statements.call(key_id, Number(number));
      return findSold(call, sold && { product: sold.product, body: sold.answer });
    },
    async findForPayer(call, payer) {
      const receipt = await receipts.get(call.request.since ?? "");
      const is_own = receipt !== null && receipt.payer === payer && receipt.product === call.product.id;
      return findBy(call, is_own ? receipt.response_sha256 : null);
    },
    render(call, base, made) {
      const { price = call.product.price_atomic } = made;
      const amount = isUnchanged(base.body, made.body) ? priceUnchanged(price, unchanged_share) : price;
      return { body: show(call, made, { ...base, amount }), amount };
    },
    renderFixed(call, base, made) {
      if (isUnchanged(base.body, made.body)) throw new Unchanged(show(call, made, { ...base, amount: 0n }));
      return { ...made, body: show(call, made, { ...base, amount: made.price ?? call.product.price_atomic }) };
    },
  };
}
