import type { AccessCall, AccessMethod, Served } from "../../calls/access.ts";
import { type Changes, refuseSince } from "../../calls/changes.ts";
import { nameDoor } from "../../calls/door.ts";
import type { Slots } from "../../calls/slots.ts";
import { costOf, targetOf, type WorkBudget, type WorkFor } from "../../calls/work-budget.ts";
import type { CatalogProduct } from "../../catalog/catalog.ts";
import type { Answer, Runner } from "../../catalog/runner.ts";
import { hashApiKey, isApiKeyForm } from "../../core/api-key.ts";
import type { Clock } from "../../core/clock.ts";
import { NodeError } from "../../core/errors.ts";
import { readIdempotencyKey } from "../../core/idempotency-key.ts";
import { CHARGED, ceilingOf, type MeteredCharge, meter } from "../../core/metering.ts";
import { renderUSD } from "../../core/money.ts";
import { withOwed } from "../../core/passed-on.ts";
import { createSingleFlight } from "../../core/single-flight.ts";
import type { CallName, Charge, Charged, ChargeResult } from "../../ledger/charges.ts";
import type { FoundKey } from "../../ledger/key-cache.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import {
  checkKey,
  dailyCapReached,
  hasEndedLot,
  insufficientCredits,
  type KeyMode,
  priorityOf,
  unknownKey,
} from "./usable.ts";

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
  readonly work: WorkBudget;
  /** What an address is counted as; null when it is not limited. */
  readonly limitOf: (client: string) => string | null;
  /** Calls of a key and its children that may be under way at once; read anew with each call. */
  readonly at_once_max: number;
  readonly changes: Changes;
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

/** Pays for a call from a prepaid balance or a pass. */
export function createKeyAccess(options: KeyAccessOptions): AccessMethod {
  const { ledger, runner, clock, slots } = options;
  const named = createSingleFlight<Served>();
  /** Names of calls that are under way, each with its request. */
  const naming = new Map<string, string>();
  const limitAtOnce = createAtOnceLimit(options);

  /** As below, for a key in memory that may pay, as nearly every key does: nothing is waited for. Null for others. */
  function findAtHand({ headers, product }: AccessCall): PayingKey | null {
    const header = headers.get("x-api-key") ?? "";
    const found = isApiKeyForm(header) ? ledger.keys.atHand(hashApiKey(header)) : null;
    if (found === null || hasEndedLot(found.root, clock.now())) return null;
    try {
      return { key: found.key, root: found.root, mode: checkKey(found, { product, now_ms: clock.now() }) };
    } catch {
      // Refused where a refusal is looked at closer.
      return null;
    }
  }

  /** With what has ended of its balance booked, so that nothing of it is spent any more. */
  async function findSpendable(header: string | null): Promise<FoundKey> {
    const found = await findKey(ledger, header);
    if (!hasEndedLot(found.root, clock.now())) return found;
    await ledger.keys.expire(found.root.public_id);
    return findKey(ledger, header);
  }

  /** What is refused by what is remembered of a key is looked at once more where other nodes sell keys, too. */
  async function findPaying({ headers, product }: AccessCall): Promise<PayingKey> {
    const header = headers.get("x-api-key");
    const found = await findSpendable(header);
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
    const charge: KeyCharge = {
      key,
      root,
      product: product.id,
      amount: ceilingOf(product),
      now_ms: clock.now(),
      door: nameDoor(call, false),
    };
    if (request.since !== undefined) {
      const { body, charged, told } = await payForChanges(call, charge, name);
      return render(body, charged, { ...limit, ...told });
    }
    const ready = runner.fresh(product, request);
    const { body, charged, metered } = ready
      ? await debitFor(ready, charge, { product, name })
      : await produceOnHold(call, charge, name);
    return render(body, charged, { ...limit, ...metered?.headers });
  }

  /** What changed, at the price; that nothing did, at a part of it. Nothing is debited before it is known which. */
  async function payForChanges(call: AccessCall, charge: KeyCharge, name: CallName | null) {
    const base = await options.changes.findForKey(call, charge.key.id);
    const ready = runner.fresh(call.product, call.request);
    const made = ready ?? (await produceForChanges(call, charge, name));
    const metered = meter(call.product, made.counted);
    const { body, amount } = options.changes.render(call, base, { ...made, price: metered?.charge });
    const charged = accept(await ledger.charges.debit({ ...charge, amount }, { body, name }), charge);
    return { body, charged, told: toldOf(metered, amount) };
  }

  /** The whole price is set aside while the answer is made, and given back once it is known what it costs. */
  function produceForChanges(call: AccessCall, charge: KeyCharge, name: CallName | null) {
    const place = { priority: priorityOf(charge.root, charge.now_ms), holder: charge.root.public_id };
    return slots.run(place, async () => {
      options.work.assertLeft(workFor(call, charge.root));
      const held = accept(await ledger.charges.hold(charge, name), charge);
      return runner.produce(call.product, call.request).finally(() => ledger.charges.void(held.id));
    });
  }

  /** An answer that is there costs its buyer what was counted when it was made. */
  async function debitFor(
    { body, counted }: Answer,
    most: KeyCharge,
    { product, name }: { readonly product: CatalogProduct; readonly name: CallName | null },
  ) {
    const metered = meter(product, counted);
    const charge = chargeFor(most, metered);
    return { body, metered, charged: accept(await ledger.charges.debit(charge, { body, name }), charge) };
  }

  /** The price, or the most it may be, is held while the answer is produced, and released when there is no answer. */
  async function produceOnHold(call: AccessCall, charge: KeyCharge, name: CallName | null) {
    const { product, request } = call;
    const place = { priority: priorityOf(charge.root, charge.now_ms), holder: charge.root.public_id };
    return slots.run(place, async () => {
      options.work.assertLeft(workFor(call, charge.root));
      const held = accept(await ledger.charges.hold(charge, name), charge);
      const produced = await runner.produce(product, request).catch(async (error: unknown) => {
        await ledger.charges.void(held.id);
        throw error;
      });
      const { body, counted } = produced;
      const metered = meter(product, counted);
      const posted = ledger.charges.post(held.id, chargeFor(charge, metered), { body, name });
      const charged = await posted.catch(async (error: unknown) => {
        await ledger.charges.void(held.id);
        throw withOwed(error, produced);
      });
      return { body, charged, metered };
    });
  }

  async function useUpPass(call: AccessCall, { key, root }: FoundKey): Promise<Served> {
    const { product, request } = call;
    if (request.since !== undefined) throw refuseSince("A pass keeps no answers: since is for keys with a balance.");
    const now_ms = clock.now();
    const place = { priority: priorityOf(root, now_ms), holder: root.public_id };
    const produce = () => {
      options.work.assertLeft(workFor(call, root));
      return runner.produce(product, request, "guest");
    };
    const answer = runner.fresh(product, request) ?? (await slots.run(place, async () => produce()));
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
    // How it came about was said the first time.
    const told = call.product.metering === null ? {} : { [CHARGED]: renderUSD(earlier.amount) };
    const served = render(earlier.body, charged, told);
    return { ...served, headers: { ...served.headers, "X-Idempotent-Replay": "true" } };
  }

  const workFor = (call: AccessCall, root: FoundKey["root"]): WorkFor => ({
    holder: root.public_id,
    network: options.limitOf(call.client),
    target: targetOf(call),
  });

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
    const by = workFor(call, paying.root);
    return limitAtOnce(by.holder, () => options.work.run(by, costOf(call), () => serve(call, paying)));
  }

  function serveFromBalance(call: AccessCall, found: FoundKey): Promise<Served> {
    const name = readIdempotencyKey(call.headers);
    return name === null
      ? payFromBalance(call, found, null)
      : serveNamed(call, found, { name, fingerprint: call.fingerprint });
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

const chargeFor = (most: KeyCharge, metered: MeteredCharge | null): KeyCharge =>
  metered === null ? most : { ...most, amount: metered.charge };

/** That nothing changed costs a part of what was counted. */
const toldOf = (metered: MeteredCharge | null, amount: bigint): Readonly<Record<string, string>> => {
  if (metered === null) return {};
  return metered.charge === amount ? metered.headers : { [CHARGED]: renderUSD(amount) };
};

const render = (
  body: string,
  { call_id, available }: Charged,
  told: Readonly<Record<string, string>> | null,
): Served => ({
  body,
  headers: {
    "X-Credits-Remaining": renderUSD(available),
    "X-Receipt-Id": `call_${call_id}`,
    ...told,
  },
});
