import type { Clock } from "../../core/clock.ts";
import { NodeError } from "../../core/errors.ts";
import { createLRU } from "../../core/lru.ts";
import { createTokenBucket, type TokenBucket } from "../../core/token-bucket.ts";
import { familyOf } from "../networks/families.ts";
import type { ReadPayment } from "./read-payment.ts";

export type SignatureVerdict = "yes" | "no" | "ask";

/** The one expensive thing a stranger can make the node do: recovering a signature. */
export interface SignatureChecks {
  /**
   * Whether the payer's own signature is good. The same payload is looked at once.
   * @throws NodeError rate_limited or overloaded
   */
  check(read: ReadPayment, client: string): Promise<SignatureVerdict>;
  /**
   * Runs another check of a signature at its sender's expense: whatever is not good counts as a payment's would.
   * @throws NodeError rate_limited or overloaded
   */
  spend(client: string, check: () => Promise<SignatureVerdict>): Promise<SignatureVerdict>;
  /** Another budget from now on. */
  configure(per_minute: number): void;
}

export interface SignatureChecksOptions {
  readonly clock: Clock;
  /** Signatures of an address that turned out not to be good. */
  readonly per_minute: number;
  /** What an address is counted as; null when it is not limited. */
  readonly limitOf: (client: string) => string | null;
}

const VERDICTS_MAX = 20_000;
const CLIENTS_MAX = 50_000;
/** Of all addresses together, in multiples of what one may cost. */
const ALL_CLIENTS = 20;
/** The share of its own budget for an address that sent next to nothing bad in the last minute. */
const CLEAN_SHARE = 0.9;

/** Good signatures cost nothing: who sends them pays, or is limited by his refused payments. */
export function createSignatureChecks({ clock, limitOf, ...given }: SignatureChecksOptions): SignatureChecks {
  const verdicts = createLRU<SignatureVerdict>(VERDICTS_MAX);
  let { per_minute } = given;
  let clients = createLRU<TokenBucket>(CLIENTS_MAX);
  const createBucket = (times: number): TokenBucket =>
    createTokenBucket({ rate_per_s: (per_minute * times) / 60, burst: per_minute * times, clock });
  let all = createBucket(ALL_CLIENTS);

  const bucketOf = (name: string): TokenBucket => {
    let bucket = clients.get(name);
    if (!bucket) {
      bucket = createBucket(1);
      clients.set(name, bucket);
    }
    return bucket;
  };

  const take = (client: string): readonly TokenBucket[] => {
    const name = limitOf(client);
    if (name === null) return [];
    const own = bucketOf(name);
    if (!own.take()) {
      const message = `More than ${per_minute} signatures a minute that are not their signer's own. Nothing charged.`;
      throw new NodeError("rate_limited", message, { retry_after_s: Math.max(1, Math.ceil(own.wait_ms() / 1000)) });
    }
    if (all.take()) return [own, all];
    // A flood from many addresses must not shut out who sent nothing bad: most of his own budget is left.
    if (own.remaining() >= per_minute * CLEAN_SHARE) return [own];
    own.giveBack();
    throw new NodeError("overloaded", "Too many unknown signers at once. Nothing was charged.", { retry_after_s: 2 });
  };

  const spend = async (client: string, check: () => Promise<SignatureVerdict>): Promise<SignatureVerdict> => {
    const taken = take(client);
    const verdict = await check();
    if (verdict === "yes") for (const bucket of taken) bucket.giveBack();
    return verdict;
  };

  return {
    spend,
    configure(wanted) {
      if (wanted === per_minute) return;
      per_minute = wanted;
      clients = createLRU(CLIENTS_MAX);
      all = createBucket(ALL_CLIENTS);
    },
    async check({ network, incoming, signed }, client) {
      const key = `${network.id} ${signed.payload_hash}`;
      const known = verdicts.get(key);
      if (known) return known;
      const check = () => familyOf(network).checkSignature({ network, payload: incoming.payload });
      const verdict = await spend(client, check);
      verdicts.set(key, verdict);
      return verdict;
    },
  };
}
