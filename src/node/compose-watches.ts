import { renderView } from "../catalog/make-answer.ts";
import { viewFor } from "../catalog/view.ts";
import { systemTimers } from "../core/clock.ts";
import { renderPush } from "../doors/a2a/push.ts";
import { createWatchFeed } from "../http/watch-feed.ts";
import { createWatchPreviewRoute } from "../http/watch-preview.ts";
import { createWatchRoutes } from "../http/watch-routes.ts";
import { checkKey } from "../payments/keys/usable.ts";
import { createWatchPurses } from "../sell/watch-purse.ts";
import { createAlarm } from "../watches/alarm.ts";
import { createWatchEngine } from "../watches/engine.ts";
import { createWebhooks, renderPlain } from "../watches/webhooks.ts";
import type { ComposedWatches, Core, Listener, Prepaid, StartOptions } from "./parts.ts";

const JOB = "watches";
/** A watch that is due sooner has its own alarm. */
const PASS_MS = 60_000;
const PRUNED_MS = 3_600_000;
/** Watches that ended, and what was told, can be read for so long. */
const KEPT_MS = 30 * 86_400_000;

const firstOf = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

/** Watches by key: each evaluation is a call of the key, charged under its own name. Null where watches are off. */
export function composeWatches(
  { config, clock, log, timers = systemTimers }: StartOptions,
  core: Core,
  { listener, prepaid }: { readonly listener: Listener; readonly prepaid: Prepaid },
): ComposedWatches | null {
  if (!config.watch.enabled) return null;
  const { ledger } = core;
  const { watches: rows, watch_hooks: hooks } = core.stores;
  const webhooks = createWebhooks({
    rows: hooks,
    render: (form, event) =>
      form === "event" ? renderPlain(event) : renderPush(event, form === "a2a-0.3" ? "0.3" : "1.0"),
    ask: core.askStranger,
    now_ms: clock.now,
    random: Math.random,
    log: log.warn,
  });
  const closing = new AbortController();
  const { idle_share, per_key } = config.watch;
  const feed = createWatchFeed({ ledger, rows, hooks, timers, closing: closing.signal });

  const purses = createWatchPurses({ core, prepaid, now_ms: clock.now });
  const engine = createWatchEngine({
    rows,
    now_ms: clock.now,
    find: (path) => core.catalog.get(path),
    openPurse: purses.open,
    findCharged: purses.findCharged,
    show: (answer, request, product) => {
      const view = viewFor(request.view, product.definition.usual_view);
      return view === undefined ? answer : renderView(answer, view, product);
    },
    idle_share,
    log: log.warn,
  });

  // Without a scheduler nothing rings: the job runs each minute.
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
    alarm.rearm();
  };

  return {
    feed,
    routes: (stamp, shop) => [
      createWatchPreviewRoute({
        responder: listener.responder,
        now_ms: clock.now,
        products: () => core.catalog.products,
        nextSample(product, request, after_ms) {
          const sample = core.previews.nextPast(product, request, after_ms);
          return sample && { at_ms: sample.as_of_ms, data: sample.data };
        },
        idle_share,
        stamp,
        work: prepaid.work,
        limitOf: listener.limits.limitOf,
      }),
      ...createWatchRoutes({
        onChange: alarm.arm,
        responder: listener.responder,
        ledger,
        rows,
        hooks,
        challenge: webhooks.challenge,
        now_ms: clock.now,
        shop,
        feed,
        find: (path) => core.catalog.get(path),
        products: () => core.catalog.products,
        async assertPays(key, product) {
          checkKey({ key, root: await ledger.keys.rootOf(key) }, { product, now_ms: clock.now() });
        },
        per_key,
        work: prepaid.work,
        limitOf: listener.limits.limitOf,
        idle_share,
        stamp,
      }),
    ],
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
