import { messageOf } from "../core/errors.ts";
import { randomText } from "../core/ids.ts";
import { signWebhook } from "../core/sign-webhook.ts";
import type { GuardedFetch, GuardedResult } from "../guarded-fetch/types.ts";
import type { HookForm, WatchEvent, WatchHook, WatchHookRows } from "./types.ts";

/**
 * After how long a delivery that failed is tried again, ms: the schedule that Standard Webhooks proposes, which ends
 * after a day. Each wait is cut by up to a fifth, so that receivers are not all asked at once.
 */
const WAITS_MS: readonly number[] = [
  5_000,
  5 * 60_000,
  30 * 60_000,
  2 * 3_600_000,
  5 * 3_600_000,
  8 * 3_600_000,
  8 * 3_600_000,
];
const JITTER = 0.2;
const DUE_AT_ONCE = 100;
const AT_ONCE = 8;
const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 4_096;
const GONE = 410;
/** How long what was signed with the secret before is still taken for ours. */
export const EARLIER_SECRET_MS = 86_400_000;

export interface WebhookOptions {
  readonly rows: WatchHookRows;
  /** An event as its receiver reads it. */
  readonly render: (form: HookForm, event: WatchEvent & { readonly watch: string }) => string;
  /** Never connects to a private address, whatever the configuration of the webhook. */
  readonly ask: GuardedFetch;
  readonly now_ms: () => number;
  /** 0 to 1. */
  readonly random: () => number;
  readonly log: (event: Readonly<Record<string, unknown>>) => void;
}

export interface Webhooks {
  /** Delivers what is due: for each receiver one event after another, in the order they were told. */
  pass(): Promise<void>;
  /**
   * Asks a receiver to repeat a word, so that nobody is sent events who did not ask for them.
   * @returns why it is invalid, for people; null when it did.
   */
  challenge(receiver: Receiver, secret: string): Promise<string | null>;
}

/** Who is sent events, and what he knows the sender by. */
export type Receiver = Pick<WatchHook, "url" | "headers">;

/** Signed messages to receivers that buyers name, at least once each. */
export function createWebhooks({ rows, render, ask, now_ms, random, log }: WebhookOptions): Webhooks {
  const under_way = new Map<string, Promise<void>>();

  const post = (
    { url, headers }: Receiver,
    secrets: readonly string[],
    message: { readonly id: string; readonly body: string },
  ) =>
    ask({
      url,
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/json",
        ...signWebhook(secrets, { ...message, now_ms: now_ms() }),
      },
      body: message.body,
      // What was sent to one host goes to no other.
      redirects_max: 0,
      bytes_max: ANSWER_BYTES_MAX,
      timeout_ms: TIMEOUT_MS,
    });

  async function deliver(watch: string): Promise<void> {
    for (;;) {
      const hook = rows.hook(watch);
      const event = hook === null ? null : rows.nextEvent(watch, hook.delivered_seq);
      if (hook === null || hook.is_parked) return;
      if (event === null) return rows.noteIdle(watch);
      const { seq } = event;
      const message = { id: `${watch}.${seq}`, body: render(hook.form, { ...event, watch }) };
      const result = await post(hook, secretsOf(hook, now_ms()), message);
      const why = whyNot(result);
      if (why === null) {
        rows.noteDelivered(watch, seq);
        continue;
      }
      const wait_ms = result.ok && result.status === GONE ? undefined : WAITS_MS[hook.attempts];
      const next_ms = wait_ms === undefined ? null : now_ms() + Math.round(wait_ms * (1 - JITTER * random()));
      rows.noteRefused(watch, { error: why, next_ms });
      return;
    }
  }

  function deliverAlone(watch: string): Promise<void> {
    const already = under_way.get(watch);
    if (already) return already;
    const run = deliver(watch)
      .catch((error: unknown) => log({ event: "watch_not_delivered", watch, error: messageOf(error) }))
      .finally(() => under_way.delete(watch));
    under_way.set(watch, run);
    return run;
  }

  return {
    async pass() {
      const queue = rows.dueHooks(now_ms(), DUE_AT_ONCE).values();
      const take = async (): Promise<void> => {
        for (const watch of queue) await deliverAlone(watch);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, take));
    },
    async challenge(receiver, secret) {
      const word = randomText(24);
      // `type` is how the draft Events extension of MCP names it.
      const body = JSON.stringify({ type: "verification", kind: "challenge", challenge: word });
      const result = await post(receiver, [secret], { id: `msg_verification_${word}`, body });
      const why = whyNot(result);
      if (why !== null || !result.ok) return why;
      const answer = new TextDecoder().decode(result.body);
      return answer.includes(word) ? null : "it did not repeat the challenge in its answer";
    },
  };
}

/** Why it was not delivered, in words without the address; null where it was. */
function whyNot(result: GuardedResult): string | null {
  if (!result.ok) return result.reason;
  return result.status >= 200 && result.status < 300 ? null : `it answered ${result.status}`;
}

/** An event as every other way reports it. */
export const renderPlain = ({ seq, body }: WatchEvent): string =>
  JSON.stringify({ seq, ...(JSON.parse(body) as object) });

const secretsOf = ({ secret, earlier_secret, earlier_until_ms }: WatchHook, now_ms: number): readonly string[] =>
  earlier_secret !== null && now_ms < earlier_until_ms ? [secret, earlier_secret] : [secret];
