import { isLocalModel, type ModelTable, usesOf } from "../config/model-rules.ts";
import type { Config } from "../config/schema.ts";
import { type Clock, systemTimers, type Timers } from "../core/clock.ts";
import { parseDuration } from "../core/duration.ts";
import { parseUSD } from "../core/money.ts";
import type { SpendTogether } from "../core/shared-budget.ts";
import { type BudgetLimits, createBudget, type SpentStore } from "../models/budget.ts";
import { type ModelSettings, toPicodollars, toPicodollarsPerToken } from "../models/model-settings.ts";
import { createModels, type ModelEngine, whyNoModel } from "../models/models.ts";
import type { Sandbox } from "../sandbox/index.ts";
import { createSlots } from "../sell/slots.ts";
import type { Log } from "../telemetry/log.ts";

const LOCAL_TIMEOUT_MS = 90_000;
const HOSTED_TIMEOUT_MS = 30_000;
/** Calls that wait for a model; further ones are told at once that none is free. */
const QUEUE_MAX = 32;

/** Calls at once, and who goes first while others wait: buyers three times as often as jobs and previews. */
const createTurns = (at_once: number) =>
  createSlots({
    slots: at_once,
    queue_max: QUEUE_MAX,
    holder_queue_max: QUEUE_MAX,
    shares: [1, 3],
    dedicated_share: 0,
  });

function toSettings(entry: ModelTable, base_url = entry.base_url): ModelSettings {
  const { id, model, classes, context_tokens, parallel } = entry;
  const is_local = isLocalModel(entry);
  return {
    ...{ id, model, classes, context_tokens, parallel, is_local, uses: usesOf(entry) },
    base_url: base_url.replace(/\/+$/, ""),
    api_key: entry.api_key ?? null,
    price_in: toPicodollarsPerToken(parseUSD(entry.price_in)),
    price_out: toPicodollarsPerToken(parseUSD(entry.price_out)),
    daily_max: entry.daily_usd === undefined ? null : toPicodollars(parseUSD(entry.daily_usd)),
    timeout_ms:
      entry.timeout === undefined ? (is_local ? LOCAL_TIMEOUT_MS : HOSTED_TIMEOUT_MS) : parseDuration(entry.timeout),
  };
}

/** Stands in a sandbox whose operator configured no model. */
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
export const createModelRule = (config: Pick<Config, "llm" | "models">) => {
  const settings = listModelSettings(config, null);
  return { whyNot: (use: "compose" | "door") => whyNoModel(settings, use) };
};

export const readModelLimits = ({ llm }: Pick<Config, "llm">, settings: readonly ModelSettings[]): BudgetLimits => ({
  daily: toPicodollars(parseUSD(llm.daily_usd)),
  of_model: Object.fromEntries(
    settings.flatMap(({ id, daily_max }) => (daily_max === null ? [] : [[id, daily_max] as const])),
  ),
  of_product: Object.fromEntries(
    Object.entries(llm.product_daily_usd).map(([path, usd]) => [path, toPicodollars(parseUSD(usd))]),
  ),
});

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
  const { llm } = config;
  const settings = listModelSettings(config, sandbox);
  const onShare = (share: number) => {
    const hint = share < 1 ? "" : "Only models that cost nothing are asked until midnight UTC.";
    log.warn({ event: "model_budget", spent_share: share, daily_usd: llm.daily_usd, hint });
  };
  return createModels({
    settings,
    budget: createBudget({ clock, store, limits: readModelLimits(config, settings), onShare, spendTogether }),
    cost_share: { compose: llm.cost_share, door: llm.door_cost_share },
    createTurns,
    parallel: llm.parallel,
    fetch: (url, init) => fetch(url, init),
    clock,
    timers: timers ?? systemTimers,
    random: Math.random,
    user_agent: `intel-node/${version}`,
    log: (event) => (event.event === "model_shut" ? log.error({ ...event }) : log.warn({ ...event })),
  });
}
