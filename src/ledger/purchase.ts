import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Purchase } from "./keys.ts";

const Amount = Type.String({ pattern: "^(0|[1-9][0-9]{0,17})$" });
const Stored = Type.Object({
  receipt_id: Type.String(),
  grant: Type.Object({
    plan: Type.String(),
    credit: Amount,
    duration_ms: Type.Union([Type.Integer(), Type.Null()]),
    pass: Type.Boolean(),
    priority: Type.Integer(),
    badge: Type.Union([Type.String(), Type.Null()]),
    from_ms: Type.Integer(),
  }),
  target: Type.Union([
    Type.Object({ public_id: Type.String() }, { additionalProperties: false }),
    Type.Object({
      key: Type.Object({
        public_id: Type.String(),
        hash: Type.String(),
        /** Hex; taken out when the purchase has settled, because the key's own row holds it from then on. */
        salt: Type.Optional(Type.String()),
        purchaser: Type.Union([Type.String(), Type.Null()]),
      }),
    }),
  ]),
});

/** A purchase as it is stored with its payment, before and after money moves. */
export interface StoredPurchase extends Purchase {
  /** Known before the settlement, so that the answer can name it. */
  readonly receipt_id: string;
  readonly grant: Purchase["grant"] & { readonly from_ms: number };
}

export function renderPurchase({ receipt_id, grant, target }: StoredPurchase): string {
  const { credit, ...rest } = grant;
  const key =
    "key" in target
      ? { key: { ...target.key, salt: Buffer.from(target.key.salt ?? []).toString("hex"), label: undefined } }
      : target;
  const stored: Static<typeof Stored> = { receipt_id, grant: { ...rest, credit: credit.toString() }, target: key };
  return JSON.stringify(stored);
}

/** @throws Error when it is not what `renderPurchase` wrote. */
export function readPurchase(json: string): StoredPurchase {
  const { receipt_id, grant, target } = Value.Decode(Stored, JSON.parse(json));
  const { credit, ...rest } = grant;
  if (!("key" in target)) return { receipt_id, grant: { ...rest, credit: BigInt(credit) }, target };
  const { salt, ...key } = target.key;
  const bytes = salt === undefined || salt === "" ? null : new Uint8Array(Buffer.from(salt, "hex"));
  return {
    receipt_id,
    grant: { ...rest, credit: BigInt(credit) },
    target: { key: { ...key, salt: bytes, label: null } },
  };
}

/** A step of a channel, the plan it buys and the answer to it. The answer goes in time, and the salt with it. */
interface BuyingStep {
  readonly purchase?: string | undefined;
  readonly body: string;
}

const SALT = /\n((?:[0-9a-f]{2})*)$/;

/** A step as it waits for its deposit: nothing but what is stored as its answer holds the salt. */
export function hidePurchase<S extends BuyingStep>(step: S): S {
  const { purchase, body } = step;
  if (purchase === undefined) return step;
  const stored = JSON.parse(purchase) as { target: { key?: { salt?: string } } };
  const salt = stored.target.key?.salt ?? "";
  if (stored.target.key !== undefined) delete stored.target.key.salt;
  return { ...step, purchase: JSON.stringify(stored), body: `${body}\n${salt}` };
}

/** What a deposit's voucher bought, and the answer as its buyer may have it again; null when it is gone. */
export interface LandedPurchase {
  readonly purchase: StoredPurchase;
  readonly body: string | null;
}

/**
 * The reverse. Without the answer, which was dropped in time, the key is as good; only it cannot be shown again.
 * @param kept what was stored as its answer; null when it is gone.
 */
export function bringSalt(purchase: string, kept: string | null): LandedPurchase {
  const bought = readPurchase(purchase);
  const salt = kept === null ? undefined : SALT.exec(kept)?.[1];
  if (kept === null || salt === undefined) return { purchase: bought, body: null };
  const body = kept.slice(0, kept.length - salt.length - 1);
  if (!("key" in bought.target) || salt === "") return { purchase: bought, body };
  const key = { ...bought.target.key, salt: new Uint8Array(Buffer.from(salt, "hex")) };
  return { purchase: { ...bought, target: { key } }, body };
}
