import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../core/clock.ts";
import { customerNetwork } from "../core/customer-network.ts";
import { NodeError } from "../core/errors.ts";
import { createLRU } from "../core/lru.ts";
import { isSameSecret } from "../core/secrets.ts";
import { createTokenBucket, type TokenBucket } from "../core/token-bucket.ts";

/** A message for the operator, shown once, on the next page he sees. */
export interface Flash {
  readonly ok: boolean;
  readonly text: string;
  /** Shown once and never again, such as a new key. */
  readonly secret?: string;
}

/** One browser that gave the operator's token. */
export interface AdminSession {
  /** Part of every form: a page of somebody else cannot know it. */
  readonly csrf: string;
  readonly until_ms: number;
  /** Fires when it ends. */
  readonly ended: AbortSignal;
  flash: Flash | null;
}

export interface AdminSessions {
  /**
   * @returns the cookie's value; null when the token is wrong.
   * @throws NodeError rate_limited
   */
  login(token: string, client: string): string | null;
  find(cookie: string | null): AdminSession | null;
  end(cookie: string | null): void;
  /** Ends all of them. */
  close(): void;
}

export const SESSION_MS = 12 * 3_600_000;
const SESSIONS_MAX = 20;
const NETWORKS_MAX = 10_000;
/**
 * Wrong tokens of one customer's network in a row; one more for each minute and a half. There is no limit on all of
 * them together: it would lock the operator out for others' mistakes, and no number of tries finds 256 random bits.
 */
const TRIES = 10;
const TRIES_PER_S = 1 / 90;
const IPV6_BITS = 56;

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Kept in memory: a restart ends them, and a cookie of another node, or one that was logged out, opens nothing. */
export function createAdminSessions({
  clock,
  operator_token,
}: {
  readonly clock: Clock;
  readonly operator_token: string;
}): AdminSessions {
  const sessions = new Map<string, AdminSession & { readonly stop: AbortController }>();
  const networks = createLRU<TokenBucket>(NETWORKS_MAX);
  const bucketOf = (client: string): TokenBucket => {
    const network = customerNetwork(client, IPV6_BITS);
    const known = networks.get(network) ?? createTokenBucket({ rate_per_s: TRIES_PER_S, burst: TRIES, clock });
    networks.set(network, known);
    return known;
  };
  const drop = (name: string) => {
    sessions.get(name)?.stop.abort();
    sessions.delete(name);
  };
  const nameOf = (cookie: string): string => digest(cookie).toString("hex");

  return {
    login(token, client) {
      const own = bucketOf(client);
      if (own.remaining() < 1) {
        const retry_after_s = Math.max(1, Math.ceil(own.wait_ms() / 1000));
        const message = "Too many wrong tokens from your network: wait, then try again.";
        throw new NodeError("rate_limited", message, { retry_after_s });
      }
      if (!isSameSecret(token, operator_token)) {
        own.take();
        return null;
      }
      const [oldest] = sessions.size >= SESSIONS_MAX ? sessions.keys() : [];
      if (oldest !== undefined) drop(oldest);
      const cookie = randomBytes(32).toString("base64url");
      const stop = new AbortController();
      const csrf = randomBytes(24).toString("base64url");
      const until_ms = clock.now() + SESSION_MS;
      sessions.set(nameOf(cookie), { csrf, until_ms, flash: null, ended: stop.signal, stop });
      return cookie;
    },
    find(cookie) {
      if (cookie === null) return null;
      const name = nameOf(cookie);
      const session = sessions.get(name);
      if (!session) return null;
      const left_ms = session.until_ms - clock.now();
      // A clock that is set back must not make it longer.
      if (left_ms > 0 && left_ms <= SESSION_MS) return session;
      drop(name);
      return null;
    },
    end: (cookie) => {
      if (cookie !== null) drop(nameOf(cookie));
    },
    close() {
      for (const name of [...sessions.keys()]) drop(name);
    },
  };
}
