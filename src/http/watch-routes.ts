import type { WorkBudget } from "../calls/work-budget.ts";
import type { CatalogProduct } from "../catalog/catalog.ts";
import { tierOf } from "../catalog/tiers.ts";
import { renderTime } from "../core/clock.ts";
import { isNodeError, NodeError } from "../core/errors.ts";
import { canonicalJSON, sha256Hex } from "../core/hash.ts";
import { readIdempotencyKey } from "../core/idempotency-key.ts";
import { ceilingOf } from "../core/metering.ts";
import { renderUSD } from "../core/money.ts";
import { createSerial } from "../core/serial.ts";
import { newWebhookSecret } from "../core/sign-webhook.ts";
import { createSingleFlight } from "../core/single-flight.ts";
import type { KeyRow } from "../ledger/key-rows.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { WITHHELD } from "../payments/purchases.ts";
import { nextMark } from "../watches/cadence.ts";
import { priceIdle } from "../watches/engine.ts";
import type { Watch, WatchEvent, WatchHook, WatchHookRows, WatchName, WatchRows } from "../watches/types.ts";
import { EARLIER_SECRET_MS, type Receiver } from "../watches/webhooks.ts";
import { readJSONBody } from "./body.ts";
import { findSentKey } from "./find-key.ts";
import type { FreeRoute } from "./free-route.ts";
import type { HTTPCall } from "./http-call.ts";
import type { PurseShop } from "./purse-shop.ts";
import { readQuery } from "./query.ts";
import type { Responder } from "./respond.ts";
import type { Frames, WatchFeed } from "./watch-feed.ts";
import { invalid, readFirstMark, readHook, readOrder, readPaidOrder, readWebhook } from "./watch-order.ts";

export interface WatchRouteOptions {
  readonly responder: Responder;
  readonly ledger: Pick<Ledger, "keys">;
  readonly rows: WatchRows;
  readonly hooks: WatchHookRows;
  /** Why an address is no receiver of events; null when it repeated the challenge. */
  readonly challenge: (receiver: Receiver, secret: string) => Promise<string | null>;
  /** Told when something may be due sooner than before. */
  readonly onChange: () => void;
  readonly now_ms: () => number;
  /** Sold now, by any path. */
  readonly find: (path: string) => CatalogProduct | undefined;
  readonly products: () => readonly CatalogProduct[];
  /** @throws NodeError when the key may not pay for the product. */
  readonly assertPays: (key: KeyRow, product: CatalogProduct) => Promise<void>;
  /** Watches that are not ended, of a key and the keys below it. */
  readonly per_key: number;
  /** Bounds challenges that nobody answers. */
  readonly work: Pick<WorkBudget, "assertLeft" | "spend">;
  /** What an address is counted as; null when it is not limited. */
  readonly limitOf: (client: string) => string | null;
  readonly idle_share: number;
  /** Sells keys to who brings none. */
  readonly shop: PurseShop;
  readonly feed: WatchFeed;
  /** Members of every answer. */
  readonly stamp: () => Record<string, unknown>;
}

const BODY_BYTES_MAX = 65_536;
const ACTION_BYTES_MAX = 8_192;
const EVENTS_AT_ONCE = 50;
const LISTED_DEFAULT = 50;
const LISTED_MAX = 200;
/** No header can hold a line break: no buyer names a watch of his own like this. */
const PURSE_NAME = "purse\n";

interface WatchInput {
  readonly key: KeyRow;
  readonly given: unknown;
  readonly name: WatchName | null;
}
/** What a plan answers, as far as a watch needs it. */
interface Bought {
  /** Withheld from who did not prove to be its buyer. */
  readonly api_key: string;
  readonly key_id: string;
  readonly receipt: string;
}
interface Settled {
  readonly watch: Watch;
  readonly is_replay: boolean;
}

/** Setting a watch, looking at it, reading what it told, ending it. Costs nothing: its evaluations do. */
export function createWatchRoutes(options: WatchRouteOptions): readonly FreeRoute[] {
  const { responder, ledger, rows, now_ms } = options;
  const secret = responder.headers({ "Cache-Control": "no-store" });
  const setting = createSingleFlight<Watch>();
  const meet = createReceivers(options);
  const answer = ({ request, request_id }: HTTPCall, value: object, status = 200): Response => {
    const body = request.method === "HEAD" ? null : JSON.stringify({ ...options.stamp(), ...value });
    const response = new Response(body, { status, headers: secret });
    response.headers.set("X-Request-Id", request_id);
    return response;
  };
  const holder = ({ request }: HTTPCall): Promise<KeyRow> => findSentKey(ledger, request.headers.get("x-api-key"));

  /** A watch of this key, or of a key below it. */
  const own = ({ request }: HTTPCall): Promise<Watch> => {
    const [, id = ""] = new URL(request.url).pathname.split("/").filter((part) => part !== "");
    return options.feed.find(request.headers.get("x-api-key"), id);
  };

  const render = (watch: Watch): object => {
    const product = options.find(watch.product);
    const price = product === undefined ? null : findPrice(product, watch);
    const idle = price === null ? null : priceIdle(price, options.idle_share);
    return {
      watch: watch.id,
      key_id: watch.key,
      label: watch.label,
      product: product?.path ?? watch.product,
      params: watch.params,
      ...readView(watch.view),
      condition: watch.condition,
      repeat: watch.repeat,
      cadence: renderCadence(watch),
      state: watch.state,
      ended: watch.ended,
      created_at: renderTime(watch.created_ms),
      until: renderTime(watch.until_ms),
      next_at: watch.state === "active" && watch.next_ms !== null ? renderTime(watch.next_ms) : null,
      last_at: watch.last_ms === null ? null : renderTime(watch.last_ms),
      evaluations: watch.evaluations,
      told: watch.told,
      failed_in_a_row: watch.failed_in_a_row,
      last_error: watch.last_error,
      budget_usd: renderUSD(watch.budget),
      spent_usd: renderUSD(watch.spent),
      price_told_usd: price === null ? null : renderUSD(price),
      price_idle_usd: idle === null ? null : renderUSD(idle),
      events: `/watch/${watch.id}/events`,
      webhook: renderHook(options.hooks.hook(watch.id)),
    };
  };

  /** A key and the keys that draw on the same balance, by their public ids. */
  const familyOf = async (key: KeyRow): Promise<readonly string[]> => {
    const root = await ledger.keys.rootOf(key);
    const children = await ledger.keys.children(root.id);
    return [root, ...children].map(({ public_id }) => public_id);
  };

  const assertRoom = (family: readonly string[]): void => {
    if (rows.countLiving(family) < options.per_key) return;
    const message = `A key and the keys below it have at most ${options.per_key} watches: end one first.`;
    throw new NodeError("rate_limited", message, { retry_after_s: 60 });
  };

  /** What was set under a name before. @throws NodeError identifier_conflict when it was something else. */
  const findNamed = (key: KeyRow, { name, fingerprint }: WatchName): Watch | null => {
    const earlier = rows.named(key.public_id, name);
    if (earlier === null || earlier.fingerprint === fingerprint) return earlier && rows.get(earlier.watch);
    const message = "This Idempotency-Key was used for another watch. Nothing was charged.";
    throw new NodeError("identifier_conflict", message);
  };

  const add = async ({ client }: HTTPCall, { key, given, name }: WatchInput): Promise<Watch> => {
    const { order, product } = readOrder(given, { ...options, key: key.public_id });
    await options.assertPays(key, product);
    const family = await familyOf(key);
    assertRoom(family);
    const next_ms = readFirstMark(order, now_ms());
    const hook = readWebhook(given);
    const secret = hook === null ? null : await meet(hook, { client, holder: family[0] ?? key.public_id });
    // Others may have been set while a receiver was asked.
    assertRoom(family);
    if (name !== null) findNamed(key, name);
    rows.add(order, { next_ms, name });
    rows.dropEnded(family, options.per_key);
    if (hook !== null && secret !== null) options.hooks.setHook(order.id, { ...hook, secret });
    options.onChange();
    const watch = rows.get(order.id);
    if (watch === null) throw new RangeError("a watch that was added is not there");
    return watch;
  };

  const renderSet = (http_call: HTTPCall, watch: Watch, is_replay: boolean): Response => {
    const webhook_secret = options.hooks.hook(watch.id)?.secret;
    const members = webhook_secret === undefined ? render(watch) : { ...render(watch), webhook_secret };
    const response = answer(http_call, members, 201);
    if (is_replay) response.headers.set("X-Idempotent-Replay", "true");
    return response;
  };

  const setOnce = async (http_call: HTTPCall, wanted: WatchInput & { readonly name: WatchName }): Promise<Settled> => {
    const { key, name } = wanted;
    const earlier = findNamed(key, name);
    if (earlier !== null) return { watch: earlier, is_replay: true };
    const at_once = `${key.public_id} ${name.name} ${name.fingerprint}`;
    return { watch: await setting.run(at_once, () => add(http_call, wanted)), is_replay: false };
  };

  /**
   * Sets a watch for a key that is bought with it. Whatever can be wrong with the order is found before anything is
   * paid, and the same payment again finds the same key, and so the same watch.
   */
  const setPaid = async (http_call: HTTPCall): Promise<Response> => {
    const sent = await readJSONBody(http_call.request, BODY_BYTES_MAX);
    const { purse, given } = readPaidOrder(sent, options);
    const bought = await options.shop.buy(http_call, purse);
    if (bought.status !== 200) return bought;
    const { api_key, key_id, receipt } = (await bought.json()) as Bought;
    const key = await ledger.keys.byPublicId(key_id);
    if (key === null) throw new RangeError("a key that was bought is not there");
    const name = { name: PURSE_NAME, fingerprint: sha256Hex(canonicalJSON(given)) };
    const { watch } = await setOnce(http_call, { key, given, name });
    // A stranger who saw the payment may send it again: what is watched, and who is notified, is its buyer's alone.
    const shown = api_key === WITHHELD ? { watch: watch.id } : render(watch);
    const members = { ...options.stamp(), ...shown, api_key, granted_usd: renderUSD(purse.credit), receipt };
    const headers = new Headers(bought.headers);
    headers.delete("content-length");
    headers.set("Cache-Control", "no-store");
    return new Response(JSON.stringify(members), { status: 201, headers });
  };

  const set = async (http_call: HTTPCall): Promise<Response> => {
    if (!http_call.request.headers.has("x-api-key")) return setPaid(http_call);
    const key = await holder(http_call);
    const given = await readJSONBody(http_call.request, BODY_BYTES_MAX);
    const sent = readIdempotencyKey(http_call.request.headers);
    if (sent === null) return renderSet(http_call, await add(http_call, { key, given, name: null }), false);
    const name = { name: sent, fingerprint: sha256Hex(canonicalJSON(given)) };
    const { watch, is_replay } = await setOnce(http_call, { key, given, name });
    return renderSet(http_call, watch, is_replay);
  };

  const list = async (http_call: HTTPCall): Promise<Response> => {
    const key = await holder(http_call);
    const query = readQuery(http_call.search, ["limit", "before"] as const);
    const limit = query.whole("limit", LISTED_MAX) ?? LISTED_DEFAULT;
    const before_id = query.text("before");
    const before = before_id === undefined ? null : rows.get(before_id);
    if (before_id !== undefined && before?.key !== key.public_id) {
      throw invalid("before", "is a watch of this key, as in next_before.");
    }
    const watches = rows.ofKey(key.public_id, { limit, before });
    const next_before = watches.length < limit ? null : (watches.at(-1)?.id ?? null);
    return answer(http_call, { key_id: key.public_id, items: watches.map(render), next_before });
  };

  const change = async (http_call: HTTPCall, work: (watch: Watch) => void): Promise<Response> => {
    const { request } = http_call;
    // Nothing of it is needed, and what breaks off is no request.
    if (request.method === "POST") await readJSONBody(request, ACTION_BYTES_MAX);
    const watch = await own(http_call);
    if (watch.state === "ended") throw new NodeError("identifier_conflict", "This watch has ended.");
    work(watch);
    options.onChange();
    return answer(http_call, render(rows.get(watch.id) ?? watch));
  };

  /** Another receiver in the place of the one there was, or the first one. */
  const setHook = async (http_call: HTTPCall): Promise<Response> => {
    const hook = readHook(await readJSONBody(http_call.request, ACTION_BYTES_MAX));
    const watch = await own(http_call);
    if (watch.state === "ended") throw new NodeError("identifier_conflict", "This watch has ended.");
    const payer = await ledger.keys.byPublicId(watch.key);
    const [holder_id = watch.key] = payer === null ? [] : await familyOf(payer);
    const secret = await meet(hook, { client: http_call.client, holder: holder_id });
    options.hooks.setHook(watch.id, { ...hook, secret });
    options.onChange();
    return answer(http_call, { ...render(watch), webhook_secret: secret });
  };
  const dropHook = async (http_call: HTTPCall): Promise<Response> => {
    const watch = await own(http_call);
    options.hooks.dropHook(watch.id);
    return answer(http_call, render(watch));
  };

  const readEvents = async (http_call: HTTPCall): Promise<Response> => {
    const watch = await own(http_call);
    const query = readQuery(http_call.search, ["after", "limit"] as const);
    const { headers } = http_call.request;
    const last_id = headers.get("last-event-id") ?? "";
    const after = query.cursor("after") ?? (/^\d{1,15}$/.test(last_id) ? Number(last_id) : 0);
    if ((headers.get("accept") ?? "").includes("text/event-stream")) return stream(http_call, watch, after);
    const limit = query.whole("limit", EVENTS_AT_ONCE) ?? EVENTS_AT_ONCE;
    const events = rows.events(watch.id, after, limit);
    return answer(http_call, {
      watch: watch.id,
      state: watch.state,
      events: events.map(renderEvent),
      next_after: events.at(-1)?.seq ?? after,
    });
  };

  const stream = ({ request, request_id }: HTTPCall, { id }: Watch, after: number): Response => {
    const headers = responder.headers({ "Cache-Control": "no-store", "Content-Type": "text/event-stream" });
    headers.set("X-Request-Id", request_id);
    if (request.method === "HEAD") return new Response(null, { headers });
    return new Response(options.feed.follow({ after: new Map([[id, after]]), frames: SSE_FRAMES }), { headers });
  };

  const end = ({ id, label }: Watch): void => {
    const at_ms = now_ms();
    const body = JSON.stringify({ watch: id, label, kind: "ended", at: renderTime(at_ms), why: "cancelled" });
    rows.end(id, "cancelled", { at_ms, body });
  };
  const resume = (watch: Watch): void => {
    const next_ms = nextMark(watch.cadence, now_ms());
    if (next_ms !== null) rows.resume(watch.id, next_ms);
    options.hooks.unpark(watch.id, now_ms());
  };
  const renewSecret = async (http_call: HTTPCall): Promise<Response> => {
    await readJSONBody(http_call.request, ACTION_BYTES_MAX);
    const { id } = await own(http_call);
    if (options.hooks.hook(id) === null) throw invalid("webhook", "this watch has no webhook.");
    const webhook_secret = newWebhookSecret();
    const until_ms = now_ms() + EARLIER_SECRET_MS;
    options.hooks.replaceSecret(id, webhook_secret, until_ms);
    return answer(http_call, { watch: id, webhook_secret, earlier_secret_until: renderTime(until_ms) });
  };
  const show = async (http_call: HTTPCall): Promise<Response> => answer(http_call, render(await own(http_call)));

  return [
    { path: "/watch", methods: ["GET", "POST"], handler: (call) => (isA(call, "POST") ? set(call) : list(call)) },
    {
      path: "/watch/:id",
      methods: ["GET", "DELETE"],
      handler: (call) => (isA(call, "DELETE") ? change(call, end) : show(call)),
    },
    { path: "/watch/:id/pause", methods: ["POST"], handler: (call) => change(call, ({ id }) => rows.pause(id)) },
    { path: "/watch/:id/resume", methods: ["POST"], handler: (call) => change(call, resume) },
    { path: "/watch/:id/secret", methods: ["POST"], handler: renewSecret },
    {
      path: "/watch/:id/webhook",
      methods: ["POST", "DELETE"],
      handler: (call) => (isA(call, "POST") ? setHook(call) : dropHook(call)),
    },
    { path: "/watch/:id/events", methods: ["GET"], handler: readEvents },
  ];
}

const isA = ({ request }: HTTPCall, method: string): boolean => request.method === method;

const renderEvent = ({ seq, body }: WatchEvent): object => ({ seq, ...(JSON.parse(body) as object) });

const renderHook = (hook: WatchHook | null): object | null =>
  hook && {
    url: hook.url,
    form: hook.form,
    delivered_seq: hook.delivered_seq,
    attempts: hook.attempts,
    next_at: hook.next_ms === null ? null : renderTime(hook.next_ms),
    last_error: hook.last_error,
    parked: hook.is_parked,
  };

const renderCadence = ({ cadence }: Watch): object =>
  "cron" in cadence ? cadence : { every_s: cadence.every_ms / 1000 };

const readView = (view: string): object => Object.fromEntries(new URLSearchParams(view));

/** The most an evaluation costs, atomic USDC; null where the product does not take its parameters any more. */
function findPrice(product: CatalogProduct, { params, view }: Watch): bigint | null {
  try {
    return ceilingOf(tierOf(product, product.params.fromBody(params, view)));
  } catch (error) {
    if (isNodeError(error)) return null;
    throw error;
  }
}

interface MeetFor {
  readonly client: string;
  /** The key whose balance pays. */
  readonly holder: string;
}

type MeetReceiver = (receiver: Receiver, by: MeetFor) => Promise<string>;

/**
 * The secret of a receiver that repeated a challenge signed with it. A call to whomever the sender names brings
 * nothing unless it is repeated: it is counted as any work that ends uncharged.
 * @throws NodeError naming the member, or rate_limited.
 */
function createReceivers({ challenge, work, limitOf, now_ms }: WatchRouteOptions): MeetReceiver {
  const challenges = createSerial();
  return (receiver, { client, holder }) => {
    const { url } = receiver;
    const by = { holder, network: limitOf(client), target: URL.parse(url)?.host ?? url };
    // One after another: a hundred at once would all be let through before the first is counted.
    return challenges.run(holder, async () => {
      work.assertLeft(by);
      const secret = newWebhookSecret();
      const began_ms = now_ms();
      const why = await challenge(receiver, secret);
      if (why === null) return secret;
      work.spend(by, { took_ms: Math.max(0, now_ms() - began_ms), price_atomic: 0n, answers: 1 });
      throw invalid("webhook", `it is no receiver of events: ${why}.`, {
        allowed: "an https address that answers a signed POST with the challenge in it",
      });
    });
  };
}

/** Events with their numbers, from which a reader that comes back goes on. */
const SSE_FRAMES: Frames = {
  begin: () => "",
  event: (_, event) => `id: ${event.seq}\nevent: watch\ndata: ${JSON.stringify(renderEvent(event))}\n\n`,
  beat: () => ": still here\n\n",
  end: () => "",
};
