import { systemTimers, type Timers } from "../core/clock.ts";
import { assertInvariant } from "../core/errors.ts";
import { createLRU } from "../core/lru.ts";
import type { KeyRow } from "./key-rows.ts";
import type { KeyBooks } from "./keys.ts";

/** A key and the one whose balance and pass it uses. */
export interface FoundKey {
  readonly key: KeyRow;
  readonly root: KeyRow;
}

/** The keys as callers see them: those of every call are kept in memory. */
export interface Keys extends KeyBooks {
  /** The key with this hash, from memory when it was asked for before. */
  find(hash_hex: string): Promise<KeyRow | null>;
  /** The key with this hash and its root, without waiting for anything: null unless both are in memory. */
  atHand(hash_hex: string): FoundKey | null;
  /**
   * Forgets a key that cannot pay, and its parent: another node may have topped it up meanwhile.
   * @returns false if only this process changes keys, so nothing is forgotten.
   */
  forgetShared(key: KeyRow, hash_hex: string): boolean;
  /** The key whose balance, pass and priority count: itself, or its parent. */
  rootOf(key: KeyRow): Promise<KeyRow>;
}

export interface KeyCache {
  readonly keys: Keys;
  /** To be called when something other than a key command changed a key. */
  forget(): void;
}

const CACHE_MAX = 20_000;

/** For books whose keys other processes change without notice to this one. */
export interface SharedKeys {
  /** How long a key is believed, ms. */
  readonly kept_ms: number;
  readonly timers?: Pick<Timers, "elapsed_ms">;
}

/**
 * Every change of a key empties the cache before its caller gets the answer: after a change, reads show it.
 * @param shared null when every change goes through this process.
 */
export function cacheKeys(books: KeyBooks, shared: SharedKeys | null = null): KeyCache {
  const by_hash = createLRU<KeyRow>(CACHE_MAX);
  const by_id = createLRU<KeyRow, number>(CACHE_MAX);
  const { elapsed_ms } = shared?.timers ?? systemTimers;
  /** When each row was read, where that matters. */
  const read_at = new WeakMap<KeyRow, number>();
  const note = (key: KeyRow): void => {
    if (shared !== null) read_at.set(key, elapsed_ms());
  };
  const isBelieved = (key: KeyRow): boolean =>
    shared === null || elapsed_ms() - (read_at.get(key) ?? 0) < shared.kept_ms;
  const believed = (key: KeyRow | undefined): KeyRow | null => (key && isBelieved(key) ? key : null);
  /** A suspended key is restored by a look at the chain, which is not a key command. */
  const isKept = (key: KeyRow): boolean => key.suspended_at_ms === null;
  /** What was read before a change may be older than the change: it is handed out, and not kept. */
  let changes = 0;
  const forget = () => {
    changes += 1;
    by_hash.clear();
    by_id.clear();
  };
  const changing =
    <A extends readonly unknown[], T>(command: (...args: A) => Promise<T>) =>
    (...args: A): Promise<T> =>
      command(...args).finally(forget);

  return {
    forget,
    keys: {
      ...books,
      issue: changing(books.issue),
      grant: changing(books.grant),
      mint: changing(books.mint),
      amend: changing(books.amend),
      revoke: changing(books.revoke),
      expire: changing(books.expire),
      atHand(hash_hex) {
        const key = believed(by_hash.get(hash_hex));
        if (key === null) return null;
        const root = key.parent === null ? key : believed(by_id.get(key.parent));
        return root && { key, root };
      },
      async find(hash_hex) {
        const kept = believed(by_hash.get(hash_hex));
        if (kept) return kept;
        const before = changes;
        const key = await books.byHash(hash_hex);
        if (key) note(key);
        if (key && isKept(key) && changes === before) by_hash.set(hash_hex, key);
        return key;
      },
      forgetShared(key, hash_hex) {
        if (shared === null) return false;
        by_hash.delete(hash_hex);
        if (key.parent !== null) by_id.delete(key.parent);
        return true;
      },
      async rootOf(key) {
        if (key.parent === null) return key;
        const kept = believed(by_id.get(key.parent));
        if (kept) return kept;
        const before = changes;
        const root = await books.byId(key.parent);
        assertInvariant(root !== null, `key ${key.public_id} has its parent`);
        note(root);
        if (isKept(root) && changes === before) by_id.set(key.parent, root);
        return root;
      },
    },
  };
}
