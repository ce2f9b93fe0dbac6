import type { WhyWithheld } from "./why-withheld.ts";

/**
 * What a completion is for. "compose": a product of the node writes with it; "door": it is sold as it is, which the
 * terms of some hosts forbid.
 */
export const MODEL_USES = ["compose", "door"] as const;
export type ModelUse = (typeof MODEL_USES)[number];

/** Kinds of work the operator says a model is good for: quick answers and votes, prose, judging what others wrote. */
export const MODEL_CLASSES = ["fast", "writer", "judge"] as const;
export type ModelClass = (typeof MODEL_CLASSES)[number];

/** Why a product is not sold, or that it is sold without a model: "optional" ones write by templates. */
export type ModelNeed = "needed" | "optional";

/** What a product declares as `uses_model`. */
export interface ModelRule {
  readonly use: ModelUse;
  /** Of "needed" it is on no surface while no model is configured for its use. */
  readonly need: ModelNeed;
}

/** One turn of a conversation with a language model. */
export interface ModelMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** One question to a language model. */
export interface CompletionRequest {
  readonly messages: readonly ModelMessage[];
  /** Upper limit of the answer; it is part of what a call may cost. */
  readonly max_tokens: number;
  /** Left out: the provider's own default. Not sent to models that do not accept it. */
  readonly temperature?: number;
  /** Models of this class are asked first; if the class has no model, all are candidates. */
  readonly class?: ModelClass;
  /**
   * JSON is wanted. Providers that can, enforce the schema; others are instructed to answer JSON, or not even that.
   * Check the result: it is a stranger's text either way.
   */
  readonly json?: { readonly name: string; readonly schema: object };
  /** Id of a configured model, or what its host calls it: asked first, if it may be. */
  readonly prefer?: string;
  /** Ids of models to skip, such as those that other seats of a debate have taken; if that leaves no model, all of them
   * are asked. */
  readonly avoid?: readonly string[];
}

/**
 * Text that a model made; what it thought before is taken out. It is not empty, but where a completion is sold as it is
 * (`door`) and the buyer's own limit or words ended it before there were any.
 */
export interface Completion {
  readonly text: string;
  /** Id of the configured model, and what its host calls the one that answered. */
  readonly provider_id: string;
  readonly model: string;
  /** "length": it was cut off at `max_tokens`; "content_filter": its host withheld the rest, of a `door` only. */
  readonly finish_reason: "stop" | "length" | "content_filter";
  /** Calls made for it, failed ones included. */
  readonly attempts: number;
  readonly usage: ModelUsage;
  /** What the operator's prices say it cost, USD. */
  readonly cost_usd: number;
  /** The code that judges the text records its findings here, so that the answer's bundle has them. */
  readonly noteFindings?: (
    findings: readonly { readonly block: string; readonly rule: string; readonly text: string }[],
  ) => void;
}

export interface ModelUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** The host stated none, or what cannot be: counted by this node from the bytes. */
  readonly is_estimated: boolean;
}

/** A run's way to the configured models: the order, the limits and the budget are the node's. */
export interface Model {
  /**
   * One completion from the first model that gives one.
   * @throws NodeError upstream_unavailable when no model can, upstream_bad_response when all answers were useless,
   * deadline_exceeded when the run's time is up. Nothing is charged then.
   */
  complete(request: CompletionRequest): Promise<Completion>;
}

/** A configured model, as anybody may know it. */
export interface ModelFacts {
  readonly id: string;
  /** What its host calls it. */
  readonly model: string;
  readonly uses: readonly ModelUse[];
  readonly classes: readonly ModelClass[];
  readonly context_tokens: number;
  /** On this machine or the operator's own network. */
  readonly is_local: boolean;
  /** Not shut off after failures, and within its budget. */
  readonly is_alive: boolean;
}

/** One run that may ask models. */
export interface ModelRun {
  /** Path of the product, or "job <id>": what its budget is kept under. */
  readonly what: string;
  readonly use: ModelUse;
  /** Price of the call in the smallest unit of USDC; null for jobs, which cost what their budget allows. */
  readonly price_atomic: bigint | null;
  /** Buyers go before jobs and previews. */
  readonly is_urgent: boolean;
  /** Nobody pays for this run alone: a pass, a coupon or a preview, which have a share of the day's money. */
  readonly is_guest?: boolean;
  readonly signal: AbortSignal;
  /** Time the run may still take. */
  readonly left_ms: () => number;
}

/** All models of the node. */
export interface Models {
  /** Why no model may be used so; null when one may. */
  whyNot(use: ModelUse): WhyWithheld | null;
  open(run: ModelRun): Model;
  /** In the order of the configuration. */
  list(): readonly ModelFacts[];
}

/** Why there is no model for a use. */
export const toNoModel = (use: ModelUse): WhyWithheld => ({
  why: `needs a [[models]] entry${use === "door" ? ' with use = ["door"]' : ""}`,
  for_buyers: "it needs a language model, and this node runs none for it",
});

/** Where nobody configured a model. */
export const NO_MODELS: Models = {
  whyNot: toNoModel,
  open: () => {
    throw new Error("no model is configured");
  },
  list: () => [],
};
