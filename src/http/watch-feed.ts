import { sleep, type Timers } from "../core/clock.ts";
import { NodeError } from "../core/errors.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Watch, WatchEvent, WatchHookRows, WatchRows } from "../watches/types.ts";
import { findSentKey } from "./find-key.ts";

export interface WatchFeedOptions {
  readonly ledger: Pick<Ledger, "keys">;
  readonly rows: WatchRows;
  readonly hooks: Pick<WatchHookRows, "hook">;
  readonly timers: Timers;
  /** Fires when the node stops: streams end. */
  readonly closing: AbortSignal;
}

/** Watches of a key and what they told, for every door. */
export interface WatchFeed {
  /**
   * A watch of a key, or of a key below it.
   * @param api_key the secret, as it was sent.
   * @throws NodeError invalid_parameter without a key, not_found for what is not its own.
   */
  find(api_key: string | null, id: string): Promise<Watch>;
  /** Watches of a key, the newest first. @throws NodeError as `find`. */
  list(api_key: string | null): Promise<readonly Watch[]>;
  page(id: string, from: { readonly after: number; readonly limit: number }): WatchPage;
  /** The number of the last event; 0 where nothing was told, or nothing is kept. */
  last(id: string): number;
  /** Where its events are sent; null where they are not. */
  hookUrl(id: string): string | null;
  /** @throws NodeError rate_limited when too many read already. */
  follow(following: Following): ReadableStream<Uint8Array>;
}

export interface WatchPage {
  readonly events: readonly WatchEvent[];
  /** Events after the number that was asked for are not kept any more. */
  readonly is_truncated: boolean;
  readonly has_more: boolean;
}

export interface Following {
  /** Watches, each with the number of the last event its reader has. */
  readonly after: ReadonlyMap<string, number>;
  readonly frames: Frames;
}

/** How one protocol writes what is streamed. */
export interface Frames {
  /** Before everything else. */
  readonly begin: () => string;
  readonly event: (watch: string, event: WatchEvent) => string;
  /** While there is no event; `after` is how far the feed was searched. */
  readonly beat: (after: ReadonlyMap<string, number>) => string;
  /** When the node ends it: its watches have ended, or it stops. */
  readonly end: (is_over: boolean) => string;
}

const LISTED_MAX = 200;
const EVENTS_AT_ONCE = 50;
const EVENTS_KEPT = 200;
/** Readers of events that wait for more; each looks once a second. */
const STREAMS_MAX = 500;
const STREAMS_OF_ONE_MAX = 5;
const LOOK_EVERY_MS = 1_000;
const BEAT_EVERY = 15;

const isLiving = (watch: Watch | null): boolean => watch?.state === "active" || watch?.state === "paused";

export function createWatchFeed(options: WatchFeedOptions): WatchFeed {
  const { ledger, rows, hooks } = options;
  const streams = new Map<string, number>();

  const claim = (ids: readonly string[]): (() => void) => {
    const all = [...streams.values()].reduce((sum, count) => sum + count, 0);
    if (all + ids.length > STREAMS_MAX || ids.some((id) => (streams.get(id) ?? 0) >= STREAMS_OF_ONE_MAX)) {
      throw new NodeError("rate_limited", "Too many readers wait for events: read them with ?after= instead.", {
        retry_after_s: 30,
      });
    }
    for (const id of ids) streams.set(id, (streams.get(id) ?? 0) + 1);
    return () => {
      for (const id of ids) {
        const left = (streams.get(id) ?? 1) - 1;
        if (left > 0) streams.set(id, left);
        else streams.delete(id);
      }
    };
  };

  return {
    async find(api_key, id) {
      const key = await findSentKey(ledger, api_key);
      const watch = /^wat_[0-9A-Za-z]{1,40}$/.test(id) ? rows.get(id) : null;
      const payer = watch && watch.key !== key.public_id ? await ledger.keys.byPublicId(watch.key) : key;
      if (watch === null || payer === null || (payer.id !== key.id && payer.parent !== key.id)) {
        throw new NodeError("not_found", "No such watch of this key.");
      }
      return watch;
    },
    async list(api_key) {
      const { public_id } = await findSentKey(ledger, api_key);
      return rows.ofKey(public_id, { limit: LISTED_MAX, before: null });
    },
    page(id, { after, limit }) {
      const found = rows.events(id, after, limit + 1);
      const [first] = rows.events(id, 0, 1);
      return {
        events: found.slice(0, limit),
        is_truncated: first !== undefined && after > 0 && first.seq > after + 1,
        has_more: found.length > limit,
      };
    },
    last: (id) => rows.events(id, 0, EVENTS_KEPT).at(-1)?.seq ?? 0,
    hookUrl: (id) => hooks.hook(id)?.url ?? null,
    follow: (following) => streamEvents({ ...options, ...following, onEnd: claim([...following.after.keys()]) }),
  };
}

interface StreamOptions extends Pick<WatchFeedOptions, "rows" | "timers" | "closing">, Following {
  readonly onEnd: () => void;
}

/** Events as they come; ends with its watches, the node or its reader. */
function streamEvents({ rows, timers, closing, after, frames, onEnd }: StreamOptions): ReadableStream<Uint8Array> {
  const left = new AbortController();
  const over = AbortSignal.any([closing, left.signal]);
  const encoder = new TextEncoder();
  const last = new Map(after);
  const work = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const send = (text: string) => text !== "" && controller.enqueue(encoder.encode(text));
    send(frames.begin());
    let is_over = false;
    for (let looks = 0; !over.aborted; looks += 1) {
      let found = 0;
      for (const id of last.keys()) {
        for (const event of rows.events(id, last.get(id) ?? 0, EVENTS_AT_ONCE)) {
          send(frames.event(id, event));
          last.set(id, event.seq);
          found += 1;
        }
      }
      if (found > 0) continue;
      is_over = ![...last.keys()].some((id) => isLiving(rows.get(id)));
      if (is_over) break;
      if (looks % BEAT_EVERY === 0) send(frames.beat(last));
      // Its end is no error.
      await sleep(timers, LOOK_EVERY_MS, over).catch(() => undefined);
    }
    if (left.signal.aborted) return;
    send(frames.end(is_over));
    controller.close();
  };
  return new ReadableStream<Uint8Array>({
    start: (controller) =>
      void work(controller)
        .catch((error: unknown) => controller.error(error))
        .finally(onEnd),
    cancel: () => left.abort(),
  });
}
