import type { Cadence } from "./cadence.ts";
import type { Looked, Memory } from "./judge.ts";

export type WatchState = "active" | "paused" | "ended";

/** Why a watch has ended. */
export type WatchEnd = "cancelled" | "budget_spent" | "until_reached" | "key_ended" | "product_gone" | "never_again";

/** What a buyer has asked for, as it is kept. */
export interface WatchOrder {
  readonly id: string;
  /** The public id of the key that pays. */
  readonly key: string;
  /** The path the product has by default. */
  readonly product: string;
  /** Its parameters, canonical, as a JSON body of the product. */
  readonly params: unknown;
  /** The part of an answer that is reported: parameters of its view, as in a query. */
  readonly view: string;
  /** As it was sent; null tells at every mark. */
  readonly condition: unknown;
  /** Tells at each mark at which a state holds, not only when it begins to. */
  readonly repeat: boolean;
  readonly cadence: Cadence;
  /** The most that is charged in all, atomic USDC. */
  readonly budget: bigint;
  readonly label: string | null;
  readonly created_ms: number;
  readonly until_ms: number;
}

/** A buyer's own name for what he sends, hashed, and what he sent under it. */
export interface WatchName {
  readonly name: string;
  readonly fingerprint: string;
}

/** A watch as it is now. */
export interface Watch extends WatchOrder {
  readonly state: WatchState;
  readonly ended: WatchEnd | null;
  /** The mark it waits for; null while it does not wait. */
  readonly next_ms: number | null;
  /** Evaluations that were charged, or would have been under a pass. */
  readonly evaluations: number;
  readonly told: number;
  readonly spent: bigint;
  /** Runs in a row that gave no data, or could not be charged. */
  readonly failed_in_a_row: number;
  readonly last_error: string | null;
  readonly last_ms: number | null;
  readonly memory: Memory;
  /** An evaluation that is written down and perhaps not charged yet. */
  readonly intent: Intent | null;
}

/** An evaluation that is to be charged, and what follows once it is. */
export interface Intent {
  readonly number: number;
  readonly at_ms: number;
  readonly next_ms: number | null;
  /** Marks before it that were slept through. */
  readonly missed: number;
  /** Atomic USDC as a text: 0 under a pass. */
  readonly amount: string;
  readonly tells: boolean;
  readonly looked: readonly Looked[];
  readonly memory: Memory;
  /** The answer that is reported; null without one. */
  readonly answer: string | null;
}

/** One event of a watch. */
export interface WatchEvent {
  /** Counts up from 1 for each watch. */
  readonly seq: number;
  readonly at_ms: number;
  /** JSON, as it is delivered. */
  readonly body: string;
}

/** Where watches are kept. Every change is on disk when it returns, but for those made together. */
export interface WatchRows {
  add(order: WatchOrder, first: { readonly next_ms: number; readonly name: WatchName | null }): void;
  get(id: string): Watch | null;
  /** What was set under a name; null when nothing was, or when it is no longer kept. */
  named(key: string, name: string): { readonly watch: string; readonly fingerprint: string } | null;
  /** Watches of a key, the newest first: those set before another one, where it is given. */
  ofKey(key: string, page: { readonly limit: number; readonly before: Watch | null }): readonly Watch[];
  /** Of all keys: those that have not ended and the ended ones, each the newest first. */
  newest(limit: number): readonly Watch[];
  /** Watches of these keys together that have not ended. */
  countLiving(keys: readonly string[]): number;
  /** Drops watches of these keys that ended, with their events, but for the newest ones. */
  dropEnded(keys: readonly string[], kept: number): void;
  /** Active watches whose mark has come, the oldest mark first. */
  due(now_ms: number, limit: number): readonly string[];
  /** The mark that comes first; null where nothing is watched. */
  nextMark(): number | null;
  /** Watches with an evaluation that was written down and not finished. */
  unfinished(): readonly string[];
  /** Makes a change one commit with others of the same moment: it is on disk when this resolves, or failed alone. */
  together(change: () => void): Promise<void>;
  writeIntent(id: string, intent: Intent): void;
  /** One commit: the evaluation is done, and told where it tells. */
  finish(id: string, intent: Intent, event: Omit<WatchEvent, "seq"> | null): void;
  /** One commit: a run without a result. `event` is reported if given. */
  fail(id: string, failure: WatchFailure): void;
  /** Of an evaluation that was not charged. */
  dropIntent(id: string): void;
  pause(id: string): void;
  /** Goes on, or looks sooner than after its last failures. */
  resume(id: string, next_ms: number): void;
  end(id: string, why: WatchEnd, event: Omit<WatchEvent, "seq"> | null): void;
  /** Events after a number, the oldest first. */
  events(id: string, after: number, limit: number): readonly WatchEvent[];
  /** Drops watches that ended before, with their events, and events that were told before. */
  prune(before_ms: number): void;
  totals(): { readonly active: number; readonly paused: number; readonly told: number };
}

export interface WatchFailure {
  readonly message: string;
  readonly at_ms: number;
  readonly next_ms: number | null;
  readonly event: Omit<WatchEvent, "seq"> | null;
}

/** How an event is written to its receiver: as it is, or as a push notification of A2A. */
export const HOOK_FORMS = ["event", "a2a-0.3", "a2a-1.0"] as const;
export type HookForm = (typeof HOOK_FORMS)[number];

/** Where the events of a watch are sent. */
export interface WatchHook {
  readonly url: string;
  readonly form: HookForm;
  /** Sent with each event, as its receiver wants to know the sender by. */
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string;
  readonly earlier_secret: string | null;
  readonly earlier_until_ms: number;
  /** The last event its receiver has taken. */
  readonly delivered_seq: number;
  /** Of the event that comes next. */
  readonly attempts: number;
  /** When it is tried; null where nothing waits, or where it is parked. */
  readonly next_ms: number | null;
  readonly last_error: string | null;
  /** It was tried for a day: it waits for its holder. */
  readonly is_parked: boolean;
}

/** Receivers of events. Every change is on disk when it returns. */
export interface WatchHookRows {
  /** Also in the place of an earlier one. Of a watch that had none only what is told from now on is sent. */
  setHook(watch: string, hook: Pick<WatchHook, "url" | "secret"> & Partial<Pick<WatchHook, "form" | "headers">>): void;
  dropHook(watch: string): void;
  hook(watch: string): WatchHook | null;
  /** Watches with an event that is to be sent now, the oldest wait first. */
  dueHooks(now_ms: number, limit: number): readonly string[];
  /** The wait that ends first; null where nothing waits. */
  nextWait(): number | null;
  nextEvent(watch: string, after: number): WatchEvent | null;
  noteDelivered(watch: string, seq: number): void;
  /** Everything that was told is delivered. */
  noteIdle(watch: string): void;
  /** @param next_ms null parks it. */
  noteRefused(watch: string, refused: { readonly error: string; readonly next_ms: number | null }): void;
  /** Tries again what is parked. */
  unpark(watch: string, now_ms: number): void;
  replaceSecret(watch: string, secret: string, earlier_until_ms: number): void;
  hookTotals(): { readonly hooks: number; readonly parked: number };
  /** Of all webhooks: what was tried twice in vain, or given up, and is not mended yet. */
  troubles(): WebhookTroubles;
}

export interface WebhookTroubles {
  /** Webhooks that were ever sent an event. */
  readonly used: number;
  /** The one that was tried last first. */
  readonly failing: readonly { readonly url: string; readonly last_error: string | null }[];
}
