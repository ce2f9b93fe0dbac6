import type { Clock } from "../core/clock.ts";
import { customerNetwork, isLoopback } from "../core/customer-network.ts";
import { NodeError } from "../core/errors.ts";
import { createLRU } from "../core/lru.ts";
import { createTokenBucket, type TokenBucket } from "../core/token-bucket.ts";

/** RateLimit and RateLimit-Policy, as the IETF draft has them. */
export type LimitHeaders = Readonly<Record<"RateLimit" | "RateLimit-Policy", string>>;

export interface RateLimits {
  readonly enabled: boolean;
  /** Switches limits on for everybody, loopback included, or off. */
  switch(enabled: boolean): void;
  /**
   * Counts one free or unpaid request of an address.
   * @returns the RateLimit header value, or null when this address is not limited.
   * @throws NodeError rate_limited
   */
  count(ip: string): string | null;
  /**
   * Calls that bring a payment are limited by their price, but only while the payments are good.
   * @throws NodeError rate_limited when this address sent too many that were refused.
   */
  assertTrusted(ip: string): void;
  /**
   * Counts one call of a balance key, from whichever address that is limited.
   * @returns the headers that tell, or null when it is not limited.
   * @throws NodeError rate_limited
   */
  countKey(key: string, ip: string): LimitHeaders | null;
  /** What an address is counted as; null when it is not limited. */
  limitOf(ip: string): string | null;
  /** Counts a refused payment. */
  countRefused(ip: string): void;
  readonly policy: string;
  /** Other limits from now on. What was counted begins anew where its limit changed. */
  configure(options: LimitSettings): void;
}

export interface LimitSettings {
  readonly per_minute: number;
  readonly key_per_minute: number;
  readonly enabled: boolean;
  readonly loopback_exempt: boolean;
}

export interface RateLimitOptions extends LimitSettings {
  readonly clock: Clock;
}

const ADDRESSES_MAX = 50_000;

/** One address is an IPv4, or the /64 that one IPv6 line holds. */
const bucketKey = (ip: string): string => customerNetwork(ip, 64);

export function createRateLimits(options: RateLimitOptions): RateLimits {
  const { clock } = options;
  let { per_minute, key_per_minute } = options;
  let keys = createBuckets(key_per_minute, clock);
  let of_network = createBuckets(per_minute, clock);
  let of_refused = createBuckets(per_minute, clock);
  const free = (ip: string): TokenBucket => of_network(bucketKey(ip));
  const refused = (ip: string): TokenBucket => of_refused(bucketKey(ip));
  let on = options.enabled;
  let exempt = options.loopback_exempt;
  // Asked once or twice per request: what came before it is mostly from the same address.
  const last = { ip: "", loopback: false };
  const isOwn = (ip: string): boolean => {
    if (ip !== last.ip) Object.assign(last, { ip, loopback: isLoopback(ip) });
    return last.loopback;
  };
  const isExempt = (ip: string): boolean => !on || (exempt && isOwn(ip));
  const tooMany = (bucket: TokenBucket, what: string): NodeError => {
    const retry_after_s = Math.max(1, Math.ceil(bucket.wait_ms() / 1000));
    return new NodeError("rate_limited", `More than ${per_minute} ${what} a minute.`, { retry_after_s });
  };
  return {
    get enabled() {
      return on;
    },
    switch(wanted) {
      on = wanted;
      exempt = exempt && !wanted;
    },
    get policy() {
      return `"free";q=${per_minute};w=60`;
    },
    configure(wanted) {
      on = wanted.enabled;
      exempt = wanted.loopback_exempt;
      if (wanted.key_per_minute !== key_per_minute) keys = createBuckets(wanted.key_per_minute, clock);
      if (wanted.per_minute !== per_minute) {
        of_network = createBuckets(wanted.per_minute, clock);
        of_refused = createBuckets(wanted.per_minute, clock);
      }
      ({ per_minute, key_per_minute } = wanted);
    },
    count(ip) {
      if (isExempt(ip)) return null;
      const bucket = free(ip);
      if (bucket.take()) return `"free";r=${bucket.remaining()};t=${Math.ceil(60 / per_minute)}`;
      throw tooMany(bucket, "free or unpaid requests");
    },
    countKey(key, ip) {
      if (isExempt(ip)) return null;
      const bucket = keys(key);
      if (bucket.take()) {
        const left = `"key";r=${bucket.remaining()};t=${Math.ceil(60 / key_per_minute)}`;
        return { RateLimit: left, "RateLimit-Policy": `"key";q=${key_per_minute};w=60` };
      }
      const retry_after_s = Math.max(1, Math.ceil(bucket.wait_ms() / 1000));
      throw new NodeError("rate_limited", `More than ${key_per_minute} calls a minute with this key.`, {
        retry_after_s,
      });
    },
    assertTrusted(ip) {
      if (!isExempt(ip) && refused(ip).remaining() < 1) throw tooMany(refused(ip), "refused payments");
    },
    limitOf: (ip) => (isExempt(ip) ? null : bucketKey(ip)),
    countRefused(ip) {
      if (!isExempt(ip)) refused(ip).take();
    },
  };
}

function createBuckets(per_minute: number, clock: Clock): (key: string) => TokenBucket {
  const buckets = createLRU<TokenBucket>(ADDRESSES_MAX);
  return (key) => {
    let bucket = buckets.get(key);
    if (!bucket) {
      bucket = createTokenBucket({ rate_per_s: per_minute / 60, burst: per_minute, clock });
      buckets.set(key, bucket);
    }
    return bucket;
  };
}
