import type { Clock } from "../../core/clock.ts";
import { NodeError } from "../../core/errors.ts";
import { createLRU } from "../../core/lru.ts";
import type { PaymentRefusal } from "../refusal.ts";

/** What was refused lately, by whom it was sent. */
export interface Faults {
  /**
   * @throws NodeError rate_limited when this client keeps sending a payment that is refused; PaymentRefusal when it
   * was refused for what cannot change.
   */
  assertNew(client: string, payload_hash: string): void;
  /**
   * Counts a refusal.
   * @returns how often this client met it lately, this time included: by this payment, or for this reason.
   */
  count(client: string, payload_hash: string | null, refusal: PaymentRefusal): number;
  /** Counts a payment that no facilitator could judge: sent again and again, it is turned away too. */
  countUnjudged(client: string, payload_hash: string): void;
}

export interface FaultsOptions {
  readonly clock: Clock;
  /** What an address is counted as; null when it is not limited. */
  readonly limitOf: (client: string) => string | null;
}

/** Refusals of one payment that a client gets a word about. All its refusals together are limited before the gate. */
const PAYLOAD_MAX = 5;
const WINDOW_MS = 60_000;
const ENTRIES_MAX = 50_000;
/** A signature that was wrong once stays wrong; a wallet can be funded. */
const LASTING = /signature/;

interface Fault {
  readonly since_ms: number;
  times: number;
  readonly lasting: PaymentRefusal | null;
}

export function createFaults({ clock, limitOf }: FaultsOptions): Faults {
  const faults = createLRU<Fault>(ENTRIES_MAX);

  const find = (key: string): Fault | null => {
    const fault = faults.get(key);
    const age_ms = fault ? clock.now() - fault.since_ms : 0;
    return fault && age_ms >= 0 && age_ms < WINDOW_MS ? fault : null;
  };
  const assertFew = (client: string, fault: Fault | null) => {
    if (!fault || fault.times < PAYLOAD_MAX || limitOf(client) === null) return;
    const retry_after_s = Math.max(1, Math.ceil((fault.since_ms + WINDOW_MS - clock.now()) / 1000));
    const message = "The same faulty payment was sent too often; its refusal says what is wrong. Nothing was charged.";
    throw new NodeError("rate_limited", message, { retry_after_s });
  };
  const add = (key: string, refusal: PaymentRefusal | null): number => {
    const lasting = refusal && LASTING.test(refusal.diagnostic.reason) ? refusal : null;
    const fault = find(key) ?? { since_ms: clock.now(), times: 0, lasting };
    fault.times += 1;
    faults.set(key, fault);
    return fault.times;
  };
  const payloadKey = (client: string, payload_hash: string) => `${limitOf(client) ?? client} ${payload_hash}`;

  return {
    assertNew(client, payload_hash) {
      const fault = find(payloadKey(client, payload_hash));
      assertFew(client, fault);
      if (fault?.lasting) throw fault.lasting;
    },
    count(client, payload_hash, refusal) {
      const reason_key = `${limitOf(client) ?? client} ${refusal.diagnostic.reason}`;
      const by_payload = payload_hash === null ? 0 : add(payloadKey(client, payload_hash), refusal);
      return Math.max(by_payload, add(reason_key, refusal));
    },
    countUnjudged: (client, payload_hash) => void add(payloadKey(client, payload_hash), null),
  };
}
