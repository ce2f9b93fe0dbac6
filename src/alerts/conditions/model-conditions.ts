import { PICODOLLARS_PER_USD, type Picodollars } from "../../models/model-settings.ts";
import type { ModelEngine } from "../../models/models.ts";
import type { AlertCondition } from "../types.ts";

type AlertedModels = Pick<ModelEngine, "status" | "budgets">;

const MINUTE_MS = 60_000;
const BUDGET_SHARE = 0.8;

const renderCost = (cost: Picodollars): string => `${(cost / PICODOLLARS_PER_USD).toFixed(2)} USD`;
const nameOf = (scope: string): string =>
  scope === "all" ? "the models" : scope === "guests" ? "models for passes, coupons and previews" : scope;

/** What is wrong with the language models and with the money they may cost today. */
export const findModelConditions = ({ models }: { readonly models: AlertedModels }): readonly AlertCondition[] => [
  ...findModelsDown(models),
  ...models.budgets().flatMap(({ scope, spent, limit, is_spent }): readonly AlertCondition[] => {
    if (limit === 0) return [];
    const text = `${renderCost(spent)} of ${renderCost(limit)} until midnight UTC.`;
    const share = `${Math.floor((100 * spent) / limit)} %`;
    const nearly: AlertCondition = {
      id: `model-budget:${scope}`,
      severity: "warning",
      title: `${share} of what ${nameOf(scope)} may cost today are spent`,
      text: `${text} A larger daily_usd takes a reload.`,
      // Calls under way count with the most they may cost.
      for_ms: MINUTE_MS,
    };
    const all: AlertCondition = {
      id: `model-spent:${scope}`,
      // A stranger with a coupon can spend what guests have; it is there for that.
      severity: scope === "guests" ? "warning" : "critical",
      title: `what ${nameOf(scope)} may cost today is spent`,
      text: `${text} What needs more is uncharged, or asks models that cost nothing.`,
      for_ms: 0,
    };
    return [...(spent >= BUDGET_SHARE * limit ? [nearly] : []), ...(is_spent === true ? [all] : [])];
  }),
];

/** One that failed is down until it has answered: a pause that is over says nothing yet. */
function findModelsDown({ status }: AlertedModels): readonly AlertCondition[] {
  const all = status();
  if (all.length === 0 || all.some(({ state }) => state === "closed")) return [];
  const text = `${all.map(({ id }) => id).join(", ")}: what needs one is uncharged. The log names the reasons.`;
  return [{ id: "models", severity: "critical", title: "no language model answers", text, for_ms: 2 * MINUTE_MS }];
}

/** Whether an open alert of these cannot be judged yet: since the start no model has answered, no call was refused. */
export function isModelUnseen(id: string, models: AlertedModels): boolean {
  if (id.startsWith("model-spent:")) {
    return models.budgets().some(({ scope, is_spent }) => id === `model-spent:${scope}` && is_spent === null);
  }
  const all = models.status();
  return id === "models" && all.length > 0 && all.every(({ completion_tokens }) => completion_tokens === 0);
}
