import { join } from "node:path";
import type { Config } from "../config/schema.ts";
import { renderTime, systemClock } from "../core/clock.ts";
import { PICODOLLARS_PER_USD } from "../models/model-settings.ts";
import { listModelSettings, readModelLimits } from "../node/compose-models.ts";
import { readModelCosts } from "../stores/model-rows.ts";

export interface CheckedModel {
  readonly id: string;
  readonly model: string;
  readonly uses: readonly string[];
  /** The most it may cost a day, null for a free model; and its cost today, by product. */
  readonly daily_usd: number | null;
  readonly spent_usd: Readonly<Record<string, number>>;
}

/** The configured models and their cost today, from the books of a node that may be running. */
export function listModels(config: Config): readonly CheckedModel[] {
  const settings = listModelSettings(config, null);
  const limits = readModelLimits(config, settings);
  const day = renderTime(systemClock.now()).slice(0, 10);
  const costs = readModelCosts(join(config.data.dir, "kept.db"), day);
  return settings.map(({ id, model, uses, price_in, price_out }) => ({
    id,
    model,
    uses,
    daily_usd:
      price_in + price_out === 0
        ? null
        : Math.min(limits.daily, limits.of_model[id] ?? limits.daily) / PICODOLLARS_PER_USD,
    spent_usd: Object.fromEntries(
      costs.filter((row) => row.model === id).map(({ what, cost }) => [what, cost / PICODOLLARS_PER_USD]),
    ),
  }));
}

/** One line for each model, and one for each path that it wrote for. */
export function renderModel({ id, model, uses, daily_usd, spent_usd }: CheckedModel): readonly string[] {
  const total = Object.values(spent_usd).reduce((sum, usd) => sum + usd, 0);
  const budget = daily_usd === null ? "free" : `${total.toFixed(6)} of ${daily_usd} USD spent today`;
  const parts = Object.entries(spent_usd).map(([what, usd]) => `  model     ${id}: ${usd.toFixed(6)} USD for ${what}`);
  return [`  model     ${id} (${model}) for ${uses.join(" and ")}: ${budget}`, ...parts];
}
