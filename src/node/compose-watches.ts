import { renderView } from "../catalog/make-answer.ts";
import { viewFor } from "../catalog/view.ts";
import { systemTimers } from "../core/clock.ts";
import { sha256Hex } from "../core/hash.ts";
import { createWatchRoutes } from "../http/watch-routes.ts";
import type { FoundKey } from "../ledger/key-cache.ts";
import { checkKey, dailyCapReached, insufficientCredits, priorityOf, unknownKey } from "../payments/keys/usable.ts";
import { createAlarm } from "../watches/alarm.ts";
import { createWatchEngine, type Purse, type WatchCharge } from "../watches/engine.ts";
import { createWebhooks } from "../watches/webhooks.ts";
import type { ComposedWatches, Core, Listener, Prepaid, StartOptions } from "./parts.ts";

const JOB = "watches";
/** A watch that is due sooner has an alarm of its own. */
const PASS_MS = 60_000;
const PRUNED_MS = 3_600_000;
/** Watches that ended, and what was told, can be read for so long. */
const KEPT_MS = 30 * 86_400_000;

/** Names in the books: no header can hold a line break, so no buyer names a call of his own like this. */
const nameInBooks = (name: string): string => sha256Hex(`watch\n${name}`);

const firstOf = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

/** Watches by key: each evaluation is a call of the key, charged under a name of its own. Null where none are taken. */
export function composeWatches(
  { config, clock, log, timers = systemTimers }: StartOptions,
  core: Core,
  { listener, prepaid }: { readonly listener: Listener; readonly prepaid: Prepaid },
): ComposedWatches | null {
  if (!config.watch.enabled) return null;
  const { ledger, runner } = core;
  const { watches: rows, watch_hooks: hooks } = core.stores;
  const webhooks = createWebhooks({
    rows: hooks,
    ask: core.askStranger,
    now_ms: clock.now,
    random: Math.random,
    log: log.warn,
  });
  const closing = new AbortController();
  const { idle_share, per_key } = config.watch;

  const findKey = async (public_id: string): Promise<FoundKey> => {
    const key = await ledger.keys.byPublicId(public_id);
    if (key === null) throw unknownKey();
    return { key, root: await ledger.keys.rootOf(key) };
  };

  async function debit(found: FoundKey, { product, amount, name, body }: WatchCharge): Promise<string> {
    const named = nameInBooks(name);
    const charge = { ...found, product: product.id, amount, now_ms: clock.now() };
    const result = await ledger.charges.debit(charge, { body, name: { name: named, fingerprint: named } });
    if (result.ok) return `call_${result.call_id}`;
    switch (result.why) {
      case "named_before": {
        const earlier = await ledger.charges.findNamed(found.key.id, named);
        if (earlier === null) throw new RangeError("a call that was named is not found");
        return `call_${earlier.call_id}`;
      }
      case "insufficient_credits":
        throw insufficientCredits(result.available, amount);
      case "daily_cap":
        throw dailyCapReached();
      default:
        return result.why satisfies never;
    }
  }

  const openPurse = async (public_id: string, product: Parameters<Purse["produce"]>[0]): Promise<Purse> => {
    const found = await findKey(public_id);
    const now_ms = clock.now();
    const mode = checkKey(found, { product, now_ms });
    const holder = found.root.public_id;
    return {
      mode,
      async produce(asked, request) {
        // What is judged is the whole answer, whatever part of it is told.
        const { view: _, ...whole } = request;
        const ready = runner.fresh(asked, whole);
        if (ready) return ready.body;
        const by = { holder, network: null, target: null };
        prepaid.work.assertLeft(by);
        const place = { priority: priorityOf(found.root, now_ms), holder };
        const make = () => runner.produce(asked, whole, mode === "pass" ? "guest" : "buyer");
        const made = await prepaid.work.run(by, asked.price_atomic, () => prepaid.slots.run(place, make));
        return made.body;
      },
      async charge(charge) {
        if (mode === "balance") return debit(found, charge);
        void ledger.charges.pass({ key: found.key, product: charge.product.id, now_ms });
        return null;
      },
    };
  };

  const engine = createWatchEngine({
    rows,
    now_ms: clock.now,
    find: (path) => core.catalog.get(path),
    openPurse,
    findCharged: async (public_id, name) => {
      const key = await ledger.keys.byPublicId(public_id);
      const named = key && (await ledger.charges.findNamed(key.id, nameInBooks(name)));
      return named ? `call_${named.call_id}` : null;
    },
    show: (answer, request, product) => {
      const view = viewFor(request.view, product.definition.usual_view);
      return view === undefined ? answer : renderView(answer, view, product);
    },
    idle_share,
    log: log.warn,
  });

  // Without a scheduler nothing rings: the job comes round each minute.
  let ring = (): void => undefined;
  const alarm = createAlarm({
    timers,
    now_ms: clock.now,
    nextDue: () => firstOf(rows.nextMark(), hooks.nextWait()),
    ring: () => ring(),
  });
  const pass = async (): Promise<void> => {
    await engine.pass();
    await webhooks.pass();
    alarm.arm();
  };

  return {
    routes: (stamp) =>
      createWatchRoutes({
        onChange: alarm.arm,
        responder: listener.responder,
        ledger,
        rows,
        hooks,
        challenge: webhooks.challenge,
        now_ms: clock.now,
        timers,
        find: (path) => core.catalog.get(path),
        paths: () => core.catalog.products.map(({ path }) => path),
        async assertPays(key, product) {
          checkKey({ key, root: await ledger.keys.rootOf(key) }, { product, now_ms: clock.now() });
        },
        per_key,
        idle_share,
        closing: closing.signal,
        stamp,
      }),
    jobs: [
      { id: JOB, schedule: { every_ms: PASS_MS }, at_start: false, skipping: { runs_kept: 1 }, run: pass },
      {
        id: "watches-prune",
        schedule: { every_ms: PRUNED_MS },
        at_start: false,
        skipping: { runs_kept: 1 },
        run: async () => rows.prune(clock.now() - KEPT_MS),
      },
    ],
    pass,
    begin(runNow) {
      ring = () => void runNow(JOB);
      alarm.arm();
    },
    close() {
      alarm.close();
      closing.abort();
    },
  };
}
