import type { AccessCall } from "../calls/access.ts";
import type { Plan } from "../catalog/plan.ts";
import { type ApiKeys, hashApiKey } from "../core/api-key.ts";
import { type Clock, renderTime } from "../core/clock.ts";
import { parseDuration } from "../core/duration.ts";
import { newId } from "../core/ids.ts";
import { parseUSD } from "../core/money.ts";
import { PRIORITIES } from "../core/priority.ts";
import type { KeyRow } from "../ledger/key-rows.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { PaymentRow } from "../ledger/payment-row.ts";
import { readPurchase, renderPurchase, type StoredPurchase } from "../ledger/purchase.ts";
import { findKey } from "./keys/key-access.ts";
import { suspendedKey } from "./keys/usable.ts";
import { PaymentRefusal } from "./refusal.ts";

/** A purchase that only waits to be paid. */
export interface PreparedPurchase {
  /** The answer without its secret: what is stored. */
  readonly body: string;
  /** What the ledger does when it is paid. */
  readonly json: string;
  /** The answer for the one who pays. */
  readonly reveal: (body: string) => string;
}

/** Sells plans: the answer to a payment is an API key, or more on the one the buyer has. */
export interface Purchases {
  /** @throws PaymentRefusal when X-API-Key names a key that cannot be topped up. */
  prepare(call: AccessCall, plan: Plan, buyer: PlanBuyer): Promise<PreparedPurchase>;
  /** A stored answer for somebody who proved to be the buyer. Without the key when it can no longer be made. */
  revealStored(payment: Pick<PaymentRow, "answer" | "purchase">): Promise<string>;
  /** The same for the answer to a voucher: it names the key, and the books have the rest. */
  revealKey(body: string): Promise<string>;
}

interface PlanBuyer {
  readonly payer: string;
  /** By a voucher of a channel: its receipt has another name, which nobody knows yet. */
  readonly is_voucher?: boolean;
}

export interface PurchasesOptions {
  readonly ledger: Ledger;
  readonly keys: ApiKeys;
  readonly clock: Clock;
  readonly node_id: string;
  readonly public_url: string;
  readonly sandbox: boolean;
}

/** A placeholder for the key; no key can look like it. */
export const WITHHELD = "withheld";
const RECOVERY =
  "The key is shown once, to who pays. If the answer was lost: within 24 hours send the same payment with the same " +
  "payment-identifier or Idempotency-Key (16 characters or more), or buy again from the same wallet: that payment is " +
  "not settled.";
const VOUCHER_RECOVERY =
  "The key is shown once, to who pays. If the answer was lost: within 24 hours send the same voucher with the same " +
  "payment-identifier or Idempotency-Key (16 characters or more).";

const withKey = (body: string, key: string): string => body.replace(`"api_key":"${WITHHELD}"`, `"api_key":"${key}"`);

export function createPurchases(options: PurchasesOptions): Purchases {
  const { ledger, keys, clock, public_url } = options;

  const render = async (purchase: StoredPurchase, { plan, held, paid_for, is_voucher }: Rendered): Promise<string> => {
    const { grant, receipt_id } = purchase;
    const start_ms = Math.max(grant.from_ms, grant.pass ? (held?.pass_until_ms ?? 0) : 0);
    const balance = held?.account ? await ledger.keys.balance(held.account) : { posted: 0n, pending: 0n };
    return JSON.stringify({
      product: paid_for,
      node_id: options.node_id,
      generated_at: renderTime(grant.from_ms),
      ...(options.sandbox ? { sandbox: true } : {}),
      plan: plan.name,
      ...(held ? { topped_up: true } : { api_key: WITHHELD }),
      key_id: "key" in purchase.target ? purchase.target.key.public_id : purchase.target.public_id,
      ...(grant.credit > 0n
        ? {
            granted_atomic: grant.credit.toString(),
            balance_atomic: (balance.posted - balance.pending + grant.credit).toString(),
          }
        : { unlimited: true }),
      expires_at: grant.duration_ms === null ? null : renderTime(start_ms + grant.duration_ms),
      priority: plan.priority,
      ...(grant.badge === null ? {} : { badge_url: `${public_url}/badges/${held?.badge ?? grant.badge}` }),
      ...(is_voucher ? {} : { receipt: receipt_id, receipt_url: `${public_url}/receipts/${receipt_id}` }),
      use: { header: "X-API-Key", status: `${public_url}/credits-status` },
      ...(held ? {} : { recovery: is_voucher ? VOUCHER_RECOVERY : RECOVERY }),
    });
  };

  return {
    async prepare({ headers, product }, plan, { payer, is_voucher = false }) {
      const now_ms = clock.now();
      const held = await readHeldKey(ledger, headers.get("x-api-key"));
      const salt = keys.newSalt();
      const key = keys.derive(salt);
      const fresh = { public_id: newId("key", now_ms), hash: hashApiKey(key), salt, label: null, purchaser: payer };
      const purchase: StoredPurchase = {
        receipt_id: newId("rcp", now_ms),
        grant: {
          plan: plan.name,
          credit: plan.credit_usd === null ? 0n : parseUSD(plan.credit_usd),
          duration_ms: plan.duration === null ? null : parseDuration(plan.duration),
          pass: plan.pass,
          priority: PRIORITIES[plan.priority],
          badge: plan.badge ? newId("bdg", now_ms) : null,
          from_ms: now_ms,
        },
        target: held ? { public_id: held.public_id } : { key: fresh },
      };
      const body = await render(purchase, { plan, held, paid_for: product.id, is_voucher });
      return { body, json: renderPurchase(purchase), reveal: (stored) => (held ? stored : withKey(stored, key)) };
    },
    async revealStored({ answer, purchase }) {
      if (answer === null || purchase === null) return answer ?? "";
      const { target } = readPurchase(purchase);
      const salt = "key" in target ? await ledger.keys.saltOf(target.key.public_id) : null;
      // The node may have another secret than when it was sold: only the key that is in the books is handed out.
      const key = salt && "key" in target ? keys.recover(salt, target.key.hash) : null;
      return key === null ? answer : withKey(answer, key);
    },
    async revealKey(body) {
      const { key_id } = JSON.parse(body) as { readonly key_id: string };
      const salt = await ledger.keys.saltOf(key_id);
      if (salt === null) return body;
      for (const key of keys.listFor(salt)) {
        if ((await ledger.keys.find(hashApiKey(key)))?.public_id === key_id) return withKey(body, key);
      }
      return body;
    },
  };
}

interface Rendered {
  readonly plan: Plan;
  readonly held: KeyRow | null;
  readonly paid_for: string;
  readonly is_voucher: boolean;
}

/** The key a purchase is for: a child's purchase goes to the key it belongs to. */
async function readHeldKey(ledger: Ledger, header: string | null): Promise<KeyRow | null> {
  if (header === null) return null;
  const { root } = await findKey(ledger, header);
  if (root.suspended_at_ms !== null && root.revoked_at_ms === null) throw suspendedKey();
  if (root.revoked_at_ms === null) return root;
  throw new PaymentRefusal("api_key_revoked", {
    reason: "revoked",
    retryable: false,
    same_payment: true,
    hint: "This API key was revoked: buy without X-API-Key and you get a new one.",
  });
}
