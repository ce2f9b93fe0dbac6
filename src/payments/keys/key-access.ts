import type { Runner } from "../../catalog/runner.ts";
import { hashApiKey, isApiKeyForm } from "../../core/api-key.ts";
import type { Clock } from "../../core/clock.ts";
import { NodeError } from "../../core/errors.ts";
import { sha256Hex } from "../../core/hash.ts";
import { renderUSD } from "../../core/money.ts";
import { createSingleFlight } from "../../core/single-flight.ts";
import type { CallName, Charge, Charged, ChargeResult } from "../../ledger/charges.ts";
import type { FoundKey } from "../../ledger/key-cache.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { AccessCall, AccessMethod, Served } from "../../sell/access.ts";
import type { Slots } from "../../sell/slots.ts";
import { checkKey, dailyCapReached, insufficientCredits, type KeyMode, priorityOf, unknownKey } from "./usable.ts";

export interface KeyAccessOptions {
  readonly ledger: Ledger;
  readonly runner: Runner;
  readonly clock: Clock;
  readonly slots: Slots;
  /**
   * Counts a call of a balance key.
   * @returns the headers that tell, or null when keys are not limited.
   * @throws NodeError rate_limited
   */
  readonly countCall: (key: string, client: string) => Readonly<Record<string, string>> | null;
  /** Calls of a key and its children that may be under way at once; read anew with each call. */
  readonly at_once_max: number;
}

/**
 * Finds the key of a header. What is no key costs one comparison, what may be one a hash and a lookup.
 * @throws PaymentRefusal invalid_api_key
 */
export async function findKey(ledger: Ledger, header: string | null): Promise<FoundKey> {
  const text = header ?? "";
  const key = isApiKeyForm(text) ? await ledger.keys.find(hashApiKey(text)) : null;
  if (!key) throw unknownKey();
  return { key, root: await ledger.keys.rootOf(key) };
}

type KeyCharge = Charge & FoundKey;
/** A key that may pay for a call, and how. */
type PayingKey = FoundKey & { readonly mode: KeyMode };

const NAME_CHARS_MAX = 255;

/** Pays for a call from a prepaid balance or a pass. */
export function createKeyAccess(options: KeyAccessOptions): AccessMethod {
  const { ledger, runner, clock, slots } = options;
  const named = createSingleFlight<Served>();
  /** Names of calls that are under way, each with the request it stands for. */
  const naming = new Map<string, string>();
  const limitAtOnce = createAtOnceLimit(options);

  /** As below, for a key in memory that may pay, as nearly every key does: nothing is waited for. Null for others. */
  function findAtHand({ headers, product }: AccessCall): PayingKey | null {
    const header = headers.get("x-api-key") ?? "";
    const found = isApiKeyForm(header) ? ledger.keys.atHand(hashApiKey(header)) : null;
    if (found === null) return null;
    try {
      return { key: found.key, root: found.root, mode: checkKey(found, { product, now_ms: clock.now() }) };
    } catch {
      // Refused where a refusal is looked at closer.
      return null;
    }
  }

  /** What is refused by what is remembered of a key is looked at once more where other nodes sell keys, too. */
  async function findPaying({ headers, product }: AccessCall): Promise<PayingKey> {
    const header = headers.get("x-api-key");
    const found = await findKey(ledger, header);
    const asked = { product, now_ms: clock.now() };
    try {
      return { ...found, mode: checkKey(found, asked) };
    } catch (error) {
      if (!ledger.keys.forgetShared(found.key, hashApiKey(header ?? ""))) throw error;
      const anew = await findKey(ledger, header);
      return { ...anew, mode: checkKey(anew, asked) };
    }
  }

  async function payFromBalance(call: AccessCall, found: FoundKey, name: CallName | null): Promise<Served> {
    const { product, request } = call;
    const limit = options.countCall(found.root.public_id, call.client);
    const { key, root } = found;
    const charge: KeyCharge = { key, root, product: product.id, amount: product.price_atomic, now_ms: clock.now() };
    const ready = runner.fresh(product, request);
    const { body, charged } = ready
      ? { body: ready.body, charged: accept(await ledger.charges.debit(charge, { body: ready.body, name }), charge) }
      : await produceOnHold(call, charge, name);
    return render(body, charged, limit);
  }

  /** The price is set aside while the answer is produced, and given back when there is none. */
  async function produceOnHold(call: AccessCall, charge: KeyCharge, name: CallName | null) {
    const { product, request } = call;
    const place = { priority: priorityOf(charge.root, charge.now_ms), holder: charge.root.public_id };
    return slots.run(place, async () => {
      const held = accept(await ledger.charges.hold(charge, name), charge);
      const produced = await runner.produce(product, request).catch(async (error: unknown) => {
        await ledger.charges.void(held.id);
        throw error;
      });
      const { body } = produced;
      const charged = await ledger.charges.post(held.id, charge, { body, name }).catch(async (error: unknown) => {
        await ledger.charges.void(held.id);
        throw error;
      });
      return { body, charged };
    });
  }

  async function useUpPass({ product, request }: AccessCall, { key, root }: FoundKey): Promise<Served> {
    const now_ms = clock.now();
    const place = { priority: priorityOf(root, now_ms), holder: root.public_id };
    const answer = runner.fresh(product, request) ?? (await slots.run(place, () => runner.produce(product, request)));
    void ledger.charges.pass({ key, product: product.id, now_ms });
    return { body: answer.body, headers: { "X-Credits-Remaining": "unlimited" } };
  }

  /**
   * Pays for a call under a name while nobody else does: the same call waits for the first and gets its answer.
   * @throws NodeError request_in_progress for another call under a name that is under way.
   */
  async function payNamed(call: AccessCall, found: FoundKey, name: CallName): Promise<Served> {
    const own = `${found.key.id} ${name.name}`;
    const under_way = naming.get(own);
    if (under_way !== undefined && under_way !== name.fingerprint) {
      const message = "Another request with this Idempotency-Key is being worked on. Nothing was charged.";
      throw new NodeError("request_in_progress", message, { retry_after_s: 1 });
    }
    naming.set(own, name.fingerprint);
    return named.run(`${own} ${name.fingerprint}`, () =>
      payFromBalance(call, found, name).finally(() => naming.delete(own)),
    );
  }

  /** A call its holder named is charged once, whatever is repeated, at once or later. */
  async function serveNamed(call: AccessCall, found: FoundKey, name: CallName): Promise<Served> {
    const earlier = await ledger.charges.findNamed(found.key.id, name.name);
    if (!earlier) return payNamed(call, found, name);
    if (earlier.fingerprint !== name.fingerprint) {
      const message = "This Idempotency-Key was used for another request. Nothing was charged.";
      throw new NodeError("identifier_conflict", message);
    }
    if (earlier.body === null) {
      const message = "The answer of this call is no longer kept. Nothing was charged again.";
      throw new NodeError("identifier_conflict", message);
    }
    const { posted, pending } = await ledger.keys.balance(found.root.account ?? "");
    const charged: Charged = { ok: true, call_id: earlier.call_id, available: posted - pending };
    const served = render(earlier.body, charged, null);
    return { ...served, headers: { ...served.headers, "X-Idempotent-Replay": "true" } };
  }

  return {
    id: "key",
    isPresent: (headers, product) => product.definition.plan === undefined && headers.has("x-api-key"),
    serve(call) {
      const paying = findAtHand(call);
      return paying === null ? findPaying(call).then((found) => pay(call, found)) : pay(call, paying);
    },
  };

  function pay(call: AccessCall, paying: PayingKey): Promise<Served> {
    const serve = paying.mode === "pass" ? useUpPass : serveFromBalance;
    return limitAtOnce(paying.root.public_id, () => serve(call, paying));
  }

  function serveFromBalance(call: AccessCall, found: FoundKey): Promise<Served> {
    const given = call.headers.get("idempotency-key");
    if (given === null || given === "") return payFromBalance(call, found, null);
    if (given.length > NAME_CHARS_MAX) {
      throw new NodeError("invalid_parameter", `Idempotency-Key has at most ${NAME_CHARS_MAX} characters.`, {
        param: "Idempotency-Key",
      });
    }
    return serveNamed(call, found, { name: sha256Hex(given), fingerprint: call.fingerprint });
  }
}

/** No rate limit, passes are sold without one: only how much of the node one key may take up at a time. */
function createAtOnceLimit(options: Pick<KeyAccessOptions, "at_once_max">) {
  const under_way = new Map<string, number>();
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const count = under_way.get(key) ?? 0;
    const { at_once_max } = options;
    if (count >= at_once_max) {
      const message = `More than ${at_once_max} calls of this key at once. Nothing was charged.`;
      throw new NodeError("rate_limited", message, { retry_after_s: 1 });
    }
    under_way.set(key, count + 1);
    try {
      return await work();
    } finally {
      const left = (under_way.get(key) ?? 1) - 1;
      if (left > 0) under_way.set(key, left);
      else under_way.delete(key);
    }
  };
}

/** @throws PaymentRefusal when the key could not pay. */
function accept<T extends { readonly ok: true }>(result: T | Extract<ChargeResult, { ok: false }>, charge: Charge): T {
  if (result.ok) return result;
  switch (result.why) {
    case "insufficient_credits":
      throw insufficientCredits(result.available, charge.amount);
    case "daily_cap":
      throw dailyCapReached();
    case "named_before":
      throw new NodeError("request_in_progress", "A call of this name was made at the same time.", {
        retry_after_s: 1,
      });
    default:
      return result.why satisfies never;
  }
}

const render = (
  body: string,
  { call_id, available }: Charged,
  limit: Readonly<Record<string, string>> | null,
): Served => ({
  body,
  headers: {
    "X-Credits-Remaining": renderUSD(available),
    "X-Receipt-Id": `call_${call_id}`,
    ...limit,
  },
});
