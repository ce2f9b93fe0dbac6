import { createSlots } from "../calls/slots.ts";
import { isLocalModel, type ModelTable, usesOf } from "../config/model-rules.ts";
import type { Config } from "../config/schema.ts";
import { type Clock, systemTimers, type Timers } from "../core/clock.ts";
import { parseDuration } from "../core/duration.ts";
import { parseUSD } from "../core/money.ts";
import type { SpendTogether } from "../core/shared-budget.ts";
import { type BudgetLimits, createBudget, type SpentStore } from "../models/budget.ts";
import {
  type ModelSettings,
  PICODOLLARS_PER_USD,
  toPicodollars,
  toPicodollarsPerToken,
} from "../models/model-settings.ts";
import { createModels, type ModelEngine, type ModelsConfig, type Turns, whyNoModel } from "../models/models.ts";
import type { Sandbox } from "../sandbox/index.ts";
import type { Log } from "../telemetry/log.ts";

const LOCAL_TIMEOUT_MS = 90_000;
const HOSTED_TIMEOUT_MS = 30_000;
/** Calls that wait for a model; further ones are refused at once. */
const QUEUE_MAX = 32;

/** Calls at once, and who goes first while others wait: buyers three times as often as jobs and previews. */
export function createTurns(at_once: number): Turns {
  const sharesOf = (slots: number) => ({ slots, shares: [1, 3], dedicated_share: 0 });
  const slots = createSlots({ ...sharesOf(at_once), queue_max: QUEUE_MAX, holder_queue_max: QUEUE_MAX });
  return { run: slots.run, setLimit: (now_at_once) => slots.configure(sharesOf(now_at_once)) };
}

function toSettings(entry: ModelTable, base_url = entry.base_url): ModelSettings {
  const { id, model, classes, context_tokens, parallel } = entry;
  const is_local = isLocalModel(entry);
  return {
    id,
    model,
    classes,
    context_tokens,
    parallel,
    is_local,
    uses: usesOf(entry),
    base_url: base_url.replace(/\/+$/, ""),
    api_key: entry.api_key ?? null,
    price_in: toPicodollarsPerToken(parseUSD(entry.price_in)),
    price_out: toPicodollarsPerToken(parseUSD(entry.price_out)),
    daily_max: entry.daily_usd === undefined ? null : toPicodollars(parseUSD(entry.daily_usd)),
    timeout_ms:
      entry.timeout === undefined ? (is_local ? LOCAL_TIMEOUT_MS : HOSTED_TIMEOUT_MS) : parseDuration(entry.timeout),
  };
}

/** Used in a sandbox whose operator configured no model. */
const SANDBOX_MODEL: ModelTable = {
  id: "sandbox",
  base_url: "http://127.0.0.1",
  model: "sandbox-writer",
  classes: [],
  context_tokens: 32_768,
  price_in: "0",
  price_out: "0",
  parallel: 8,
  terms_ack: false,
  door_ack: false,
};

/** The models of a configuration, played by the sandbox where there is one. */
export function listModelSettings(
  { llm, models }: Pick<Config, "llm" | "models">,
  sandbox: Pick<Sandbox, "modelUrl"> | null,
): readonly ModelSettings[] {
  if (!llm.enabled) return [];
  if (sandbox === null) return models.map((entry) => toSettings(entry));
  const played = models.length > 0 ? models : [SANDBOX_MODEL];
  return played.map((entry) => toSettings(entry, sandbox.modelUrl(entry.id)));
}

/** Why no model may be used so, by the configuration alone. */
export const createModelRule = (
  config: Pick<Config, "llm" | "models">,
  sandbox: Pick<Sandbox, "modelUrl"> | null = null,
) => {
  const settings = listModelSettings(config, sandbox);
  return { whyNot: (use: "compose" | "door") => whyNoModel(settings, use) };
};

export const readModelLimits = ({ llm }: Pick<Config, "llm">, settings: readonly ModelSettings[]): BudgetLimits => ({
  daily: toPicodollars(parseUSD(llm.daily_usd)),
  guests: toPicodollars(parseUSD(llm.daily_usd)) * llm.guest_share,
  of_model: Object.fromEntries(
    settings.flatMap(({ id, daily_max }) => (daily_max === null ? [] : [[id, daily_max] as const])),
  ),
  of_product: Object.fromEntries(
    Object.entries(llm.product_daily_usd).map(([path, usd]) => [path, toPicodollars(parseUSD(usd))]),
  ),
});

/** What the engine takes of a configuration; a reload hands it the next one's. */
export function readModelsConfig(
  config: Pick<Config, "llm" | "models">,
  sandbox: Pick<Sandbox, "modelUrl"> | null,
): ModelsConfig & { readonly limits: BudgetLimits } {
  const { llm } = config;
  const settings = listModelSettings(config, sandbox);
  return {
    settings,
    limits: readModelLimits(config, settings),
    cost_share: { compose: llm.cost_share, door: llm.door_cost_share },
    run_cost_share: llm.run_cost_share,
    parallel: llm.parallel,
  };
}

/** Budgets of the day as the operator reads them, USD. */
export const listModelBudgets = ({ budgets }: Pick<ModelEngine, "budgets">) =>
  budgets().map(({ scope, spent, limit, is_spent }) => ({
    scope,
    spent_usd: spent / PICODOLLARS_PER_USD,
    limit_usd: limit / PICODOLLARS_PER_USD,
    is_spent: is_spent === true,
  }));

export interface ModelParts {
  readonly config: Pick<Config, "llm" | "models">;
  readonly clock: Clock;
  readonly timers?: Timers | undefined;
  readonly log: Pick<Log, "warn" | "error">;
  readonly version: string;
  /** Set when upstreams are simulated. */
  readonly sandbox: Pick<Sandbox, "modelUrl"> | null;
  readonly store: SpentStore;
  /** Where several nodes spend the same money. */
  readonly spendTogether?: SpendTogether | undefined;
}

export function composeModels(parts: ModelParts): ModelEngine {
  const { config, clock, timers, log, version, sandbox, store, spendTogether } = parts;
  const { limits, ...first } = readModelsConfig(config, sandbox);
  const onShare = (share: number) => {
    const hint = share < 1 ? "" : "Only models that cost nothing are asked until midnight UTC.";
    log.warn({ event: "model_budget", spent_share: share, hint });
  };
  return createModels({
    ...first,
    budget: createBudget({ clock, store, limits, onShare, spendTogether }),
    createTurns,
    fetch: (url, init) => fetch(url, init),
    clock,
    timers: timers ?? systemTimers,
    random: Math.random,
    user_agent: `intel-node/${version}`,
    log: (event) => (event.event === "model_shut" ? log.error({ ...event }) : log.warn({ ...event })),
  });
}
