import {
  type Completion,
  type CompletionRequest,
  type Model,
  type ModelFacts,
  type ModelRun,
  type Models,
  type ModelUse,
  toNoModel,
} from "../catalog/model.ts";
import type { WhyWithheld } from "../catalog/why-withheld.ts";
import type { Clock, Timers } from "../core/clock.ts";
import { isNodeError, NodeError } from "../core/errors.ts";
import { type AskedModel, askModel, type ModelAsking } from "./ask-model.ts";
import type { Budget, BudgetLimits, Reservation } from "./budget.ts";
import type { FetchModel } from "./call-model.ts";
import { createDialect } from "./dialect.ts";
import { createHealth, type Health, type HealthStatus } from "./health.ts";
import { type ModelSettings, PICODOLLARS_PER_USD, type Picodollars, toPicodollars } from "./model-settings.ts";
import type { CallFailure, FailedCompletion, GoodCall, WordlessCall } from "./read-completion.ts";
import { costOf, countUsage, estimatePrompt, worstCost } from "./tokens.ts";

/** Turns among those who wait; `calls/slots.ts` is one. Throws NodeError overloaded where too many wait. */
export interface Turns {
  /** So many at once from now on; what is under way and what waits goes on. */
  setLimit(at_once: number): void;
  run<T>(place: { readonly priority: number; readonly holder: string }, work: () => Promise<T>): Promise<T>;
}

/** What a reload may change. */
export interface ModelsConfig {
  /** In the order they are asked. */
  readonly settings: readonly ModelSettings[];
  /** Part of a product's price that one call may cost, by what it is for. */
  readonly cost_share: Readonly<Record<ModelUse, number>>;
  /** Part of a product's price that all calls of one run may cost together. */
  readonly run_cost_share: number;
  /** Calls at once, of all models. */
  readonly parallel: number;
}

export interface ModelsOptions extends ModelsConfig {
  readonly budget: Budget;
  readonly createTurns: (at_once: number) => Turns;
  readonly fetch: FetchModel;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly random: () => number;
  readonly user_agent: string;
  readonly log: (event: ModelEvent) => void;
}

/** What is reported to the operator. "shut" is for what only he can fix. */
export type ModelEvent =
  | {
      readonly event: "model_failed";
      readonly model: string;
      readonly kind: CallFailure | "wordless";
      readonly reason: string;
    }
  | { readonly event: "model_shut"; readonly model: string; readonly kind: CallFailure; readonly reason: string }
  | { readonly event: "model_usage_implausible"; readonly model: string; readonly reason: string };

/** How one model does, since the node started. */
export interface ModelStatus extends HealthStatus {
  readonly id: string;
  readonly model: string;
  readonly calls: number;
  readonly failures: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  /** Answers whose token count cannot be true. */
  readonly usage_implausible: number;
}

export interface ModelEngine extends Models {
  status(): readonly ModelStatus[];
  readonly budgets: Budget["status"];
  /** Other models from now on; calls under way end with the one they were made to. Never throws. */
  configure(next: ModelsConfig & { readonly limits: BudgetLimits }): void;
}

interface Entry {
  readonly settings: ModelSettings;
  readonly asking: ModelAsking;
  readonly health: Health;
  /** Of answers without words to what a job wrote, by job: those say nothing about any other. */
  readonly of_jobs: Map<string, Health>;
  readonly turns: Turns;
  readonly latencies_ms: number[];
  calls: number;
  failures: number;
  prompt_tokens: number;
  completion_tokens: number;
  usage_implausible: number;
}

/** What is left of what one run may cost. */
interface Purse {
  left: Picodollars;
}

interface EntryTime {
  readonly run: ModelRun;
  readonly calls_max: number;
}

const ATTEMPTS_MAX = 4;
const MODELS_PER_CALL_MAX = 3;
const LATENCIES_KEPT = 100;
/** What is left of a run that is worth beginning a call for. */
const CALL_MS_MIN = 1_000;
const AUTH_PAUSE_MS = 900_000;
const LIMITED_PAUSE_MS = 20_000;
const RETRY_AFTER_S = 20;

/** The node's way to its models: which are asked, in which order, within which time and money. */
export function createModels(options: ModelsOptions): ModelEngine {
  const { timers } = options;
  const elapsed_ms = () => timers.elapsed_ms();
  const turns = options.createTurns(options.parallel);
  const createEntry = (settings: ModelSettings): Entry => ({
    settings,
    asking: { ...options, settings, dialect: createDialect(elapsed_ms) },
    health: createHealth(elapsed_ms),
    of_jobs: new Map(),
    turns: options.createTurns(settings.parallel),
    latencies_ms: [],
    calls: 0,
    failures: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    usage_implausible: 0,
  });
  let { cost_share, run_cost_share } = options;
  let entries: readonly Entry[] = options.settings.map(createEntry);

  /** Null for what a buyer asks: prompt and limits may be his own, and say nothing about the model. */
  const findJobHealth = ({ of_jobs }: Entry, { price_atomic, what }: ModelRun): Health | null => {
    if (price_atomic !== null) return null;
    const known = of_jobs.get(what) ?? createHealth(elapsed_ms);
    of_jobs.set(what, known);
    return known;
  };

  const noteWordless = (entry: Entry, run: ModelRun, { reason }: WordlessCall): void => {
    entry.failures += 1;
    options.log({ event: "model_failed", model: entry.settings.id, kind: "wordless", reason });
    entry.health.pass();
    findJobHealth(entry, run)?.fail();
  };

  /** What a failed call says about its model. */
  const noteFailure = (entry: Entry, run: ModelRun, { kind, reason, retry_after_ms }: FailedCompletion): void => {
    const { health, settings } = entry;
    const model = settings.id;
    entry.failures += 1;
    if (kind === "auth" || kind === "balance" || kind === "model_gone") {
      health.shut(kind === "model_gone" ? null : AUTH_PAUSE_MS);
      options.log({ event: "model_shut", model, kind, reason });
      return;
    }
    options.log({ event: "model_failed", model, kind, reason });
    if (kind === "limited") health.shut(retry_after_ms ?? LIMITED_PAUSE_MS);
    else if (kind === "bad_request" && run.price_atomic === null) health.refuse();
    else if (kind === "too_long" || kind === "loading" || kind === "bad_request") health.pass();
    else health.fail();
  };

  const finish = (
    entry: Entry,
    { request, good, reserved }: { request: CompletionRequest; good: Omit<GoodCall, "kind">; reserved: Reservation },
  ): Omit<Completion, "attempts"> => {
    const { settings, health } = entry;
    const { is_implausible, ...usage } = countUsage(request, good.text, good.usage);
    if (is_implausible) {
      entry.usage_implausible += 1;
      const { prompt_tokens, completion_tokens } = good.usage;
      const reason = `states ${prompt_tokens} and ${completion_tokens} tokens, which the bytes cannot have had`;
      options.log({ event: "model_usage_implausible", model: settings.id, reason });
    }
    const cost = costOf(settings, usage);
    reserved.commit(cost, usage);
    health.succeed();
    entry.prompt_tokens += usage.prompt_tokens;
    entry.completion_tokens += usage.completion_tokens;
    const { text, model, finish_reason } = good;
    return { text, provider_id: settings.id, model, finish_reason, usage, cost_usd: cost / PICODOLLARS_PER_USD };
  };

  /** Candidates of a call: preferred first, then those of its class, then the others; each in the file's order. */
  const listCandidates = (run: ModelRun, request: CompletionRequest): readonly Entry[] => {
    const usable = entries.filter(({ settings }) => settings.uses.includes(run.use));
    const { avoid = [], prefer } = request;
    const rank = ({ settings: { id, model, classes } }: Entry): number => {
      if (id === prefer || model === prefer) return 0;
      const is_fit = request.class === undefined || classes.length === 0 || classes.includes(request.class);
      return (is_fit ? 1 : 2) + (avoid.includes(id) ? 2 : 0);
    };
    return usable.toSorted((a, b) => rank(a) - rank(b));
  };

  const askEntry = async (entry: Entry, request: CompletionRequest, { run, calls_max }: EntryTime) => {
    const begun_ms = elapsed_ms();
    const { signal, left_ms } = run;
    const place = { priority: run.is_urgent ? 1 : 0, holder: run.what };
    const asked = await entry.turns.run(place, () => askModel(entry.asking, request, { signal, left_ms, calls_max }));
    entry.calls += asked.calls;
    entry.latencies_ms.push(elapsed_ms() - begun_ms);
    if (entry.latencies_ms.length > LATENCIES_KEPT) entry.latencies_ms.shift();
    return asked;
  };

  const shareOf = ({ price_atomic }: ModelRun, share: number): Picodollars =>
    price_atomic === null ? Number.POSITIVE_INFINITY : toPicodollars(price_atomic) * share;

  /** Null where it may cost too much, or the other nodes cannot be asked: then no money is spent. */
  const reserve = async (
    run: ModelRun,
    purse: Purse,
    call: { readonly model: string; readonly worst: Picodollars },
  ) => {
    const { worst } = call;
    if (worst > purse.left || worst > shareOf(run, cost_share[run.use])) return null;
    purse.left -= worst;
    const { what, is_guest = false } = run;
    const reserved = await options.budget.reserveTogether({ what, is_guest, ...call }).catch(() => null);
    if (reserved === null) purse.left += worst;
    return reserved && watchPurse(reserved, purse, worst);
  };

  const complete = async (run: ModelRun, request: CompletionRequest, purse: Purse): Promise<Completion> => {
    const failures: FailedCompletion[] = [];
    const ofBuyer = run.price_atomic === null ? {} : ({ is_buyers: true } as const);
    let tokens_needed = estimatePrompt(request.messages) + request.max_tokens;
    let attempts = 0;
    let asked_models = 0;
    for (const entry of listCandidates(run, request)) {
      if (asked_models >= MODELS_PER_CALL_MAX || attempts >= ATTEMPTS_MAX) break;
      assertTime(run);
      const { settings, health } = entry;
      const worst = worstCost(settings, request);
      if (settings.context_tokens < tokens_needed) continue;
      const of_job = findJobHealth(entry, run);
      if (of_job?.tryCall() === false) continue;
      if (!health.tryCall()) {
        of_job?.pass();
        continue;
      }
      const reserved = await reserve(run, purse, { model: settings.id, worst });
      if (reserved === null) {
        health.pass();
        of_job?.pass();
        continue;
      }
      asked_models += 1;
      let asked: AskedModel;
      try {
        asked = await askEntry(entry, request, { run, calls_max: ATTEMPTS_MAX - attempts });
      } catch (error) {
        reserved.release();
        health.pass();
        of_job?.pass();
        throw error;
      }
      attempts += asked.calls;
      const { outcome } = asked;
      if (outcome.kind === "ok" || (outcome.kind === "wordless" && isAnswer(outcome, run))) {
        of_job?.succeed();
        return { ...finish(entry, { request, good: outcome, reserved }), attempts };
      }
      if (outcome.kind === "wordless") {
        failures.push({ kind: "bad_answer", reason: outcome.reason, ...ofBuyer });
        noteWordless(entry, run, outcome);
        // What it wrote and nobody saw has its price: what its host states, else the one that was set aside.
        const { is_implausible: _, ...usage } = countUsage(request, outcome.text, outcome.usage);
        if (!usage.is_estimated) reserved.commit(costOf(settings, usage), usage);
        continue;
      }
      of_job?.pass();
      // What was written and is of no use has its price all the same: at most the one that was set aside.
      if (outcome.kind !== "bad_answer" && outcome.is_left !== true) reserved.release();
      failures.push(outcome.kind === "bad_request" ? { ...outcome, ...ofBuyer } : outcome);
      // That the run's time was up says nothing about the model.
      if (run.signal.aborted) health.pass();
      else noteFailure(entry, run, outcome);
      // What was too much for this one needs a larger one.
      if (outcome.kind === "too_long") tokens_needed = Math.max(tokens_needed, settings.context_tokens + 1);
    }
    assertTime(run);
    throw toBuyerError(failures);
  };

  return {
    whyNot: (use) =>
      whyNoModel(
        entries.map(({ settings }) => settings),
        use,
      ),
    open(run): Model {
      const purse = { left: shareOf(run, run_cost_share) };
      return {
        complete: (request) =>
          turns
            .run({ priority: run.is_urgent ? 1 : 0, holder: run.what }, () => complete(run, request, purse))
            .catch((error: unknown) => {
              throw isNodeError(error) && error.code === "overloaded" ? toBuyerError([]) : error;
            }),
      };
    },
    list: () => entries.map((entry) => toFacts(entry, options.budget)),
    status: () => entries.map(toStatus),
    budgets: options.budget.status,
    configure(next) {
      ({ cost_share, run_cost_share } = next);
      turns.setLimit(next.parallel);
      options.budget.configure(next.limits);
      const known = new Map(entries.map((entry) => [entry.settings.id, entry]));
      entries = next.settings.map((settings) => {
        const old = known.get(settings.id);
        if (!old || !isSameHost(old.settings, settings)) return createEntry(settings);
        old.turns.setLimit(settings.parallel);
        // A call under way ends at the prices it was begun with.
        return { ...old, settings, asking: { ...old.asking, settings } };
      });
    },
  };
}

/** A reservation that is also one of what its run may cost. */
const watchPurse = (reserved: Reservation, purse: Purse, worst: Picodollars): Reservation => ({
  commit(cost, usage) {
    purse.left += worst - cost;
    reserved.commit(cost, usage);
  },
  release() {
    purse.left += worst;
    reserved.release();
  },
});

/**
 * Whether an answer without words is sold as it is: the buyer's limit, or the filter of a host that he was told of, is
 * what ended it. One that ended of itself with nothing is no answer to anybody.
 */
const isAnswer = ({ finish_reason, text }: WordlessCall, { use }: ModelRun): boolean =>
  use === "door" && (finish_reason !== "stop" || text !== "");

/** Whether what is known of one model holds for the other: another key or address may put right what was wrong. */
const isSameHost = (one: ModelSettings, other: ModelSettings): boolean =>
  one.base_url === other.base_url && one.model === other.model && one.api_key === other.api_key;

/** Why no model may be used so; null when one may. */
export const whyNoModel = (settings: readonly Pick<ModelSettings, "uses">[], use: ModelUse): WhyWithheld | null =>
  settings.some(({ uses }) => uses.includes(use)) ? null : toNoModel(use);

function assertTime({ signal, left_ms }: ModelRun): void {
  if (!signal.aborted && left_ms() >= CALL_MS_MIN) return;
  throw new NodeError("deadline_exceeded", "No model answered in time. Nothing was charged.", { retry_after_s: 5 });
}

function toBuyerError(failures: readonly FailedCompletion[]): NodeError {
  const is_bad = failures.length > 0 && failures.every(({ kind }) => kind === "bad_answer");
  const of_request = failures.length > 0 && failures.every((failure) => failure.is_buyers === true);
  const cause = failures.map(({ kind, reason }) => `${kind}: ${reason}`).join("; ");
  const message = is_bad
    ? "Every model answered nothing of use. Nothing was charged."
    : "No model can answer now. Nothing was charged.";
  return new NodeError(is_bad ? "upstream_bad_response" : "upstream_unavailable", message, {
    retry_after_s: RETRY_AFTER_S,
    ...(of_request ? { of_request } : {}),
    ...(cause === "" ? {} : { cause: new Error(cause) }),
  });
}

const toFacts = ({ settings, health }: Entry, budget: Budget): ModelFacts => {
  const { id, model, uses, classes, context_tokens, is_local, price_in, price_out } = settings;
  const is_affordable = price_in + price_out === 0 || budget.left() > 0;
  const is_alive = health.status().state !== "open" && is_affordable;
  return { id, model, uses, classes, context_tokens, is_local, is_alive };
};

const toStatus = (entry: Entry): ModelStatus => {
  const { settings, health, calls, failures, prompt_tokens, completion_tokens, usage_implausible } = entry;
  const sorted = entry.latencies_ms.toSorted((a, b) => a - b);
  const at = (share: number) => {
    const ms = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
    return ms === undefined ? null : Math.round(ms);
  };
  return {
    id: settings.id,
    model: settings.model,
    ...health.status(),
    calls,
    failures,
    prompt_tokens,
    completion_tokens,
    usage_implausible,
    p50_ms: at(0.5),
    p95_ms: at(0.95),
  };
};
