import { renderTime } from "../core/clock.ts";
import { renderUSD } from "../core/money.ts";
import type { WatchHook } from "../watches/types.ts";
import type { WatchesAnswer } from "./answers.ts";
import type { OperatedCore, OperatedStart } from "./operated-node.ts";

const SHOWN_MAX = 1_000;

/** Of all buyers, as the operator sees them: no parameters, and no whole address of a webhook. */
export function readWatches(
  { config }: Pick<OperatedStart, "config">,
  { stores }: Pick<OperatedCore, "stores">,
): WatchesAnswer {
  const { watches, watch_hooks } = stores;
  const { active, paused, told } = watches.totals();
  const { hooks, parked } = watch_hooks.hookTotals();
  return {
    enabled: config.watch.enabled,
    active,
    paused,
    told,
    webhooks: { all: hooks, parked },
    items: watches.newest(SHOWN_MAX).map((watch) => ({
      watch: watch.id,
      key_id: watch.key,
      product: watch.product,
      label: watch.label,
      state: watch.state,
      ended: watch.ended,
      next_at: watch.state === "active" && watch.next_ms !== null ? renderTime(watch.next_ms) : null,
      evaluations: watch.evaluations,
      told: watch.told,
      spent_usd: renderUSD(watch.spent),
      budget_usd: renderUSD(watch.budget),
      failed_in_a_row: watch.failed_in_a_row,
      last_error: watch.last_error,
      webhook: renderHook(watch_hooks.hook(watch.id)),
    })),
  };
}

const renderHook = (hook: WatchHook | null): WatchesAnswer["items"][number]["webhook"] =>
  hook && {
    host: URL.parse(hook.url)?.host ?? "",
    delivered_seq: hook.delivered_seq,
    attempts: hook.attempts,
    parked: hook.is_parked,
    last_error: hook.last_error,
  };
