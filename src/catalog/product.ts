import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { Draft } from "../core/missing.ts";
import type { PassedOn } from "../core/passed-on.ts";
import type { Records } from "../records/record-chain.ts";
import type { Chart } from "./chart.ts";
import type { Computed } from "./computed.ts";
import type { Asks, FetchContext } from "./context.ts";
import { declare } from "./definition-site.ts";
import type { AnswerForm } from "./form.ts";
import type { TellGist } from "./gist.ts";
import type { Listed } from "./listed.ts";
import type { MeterRule } from "./metering.ts";
import type { ModelRule } from "./model.ts";
import type { OfferedValues, Offering } from "./offering.ts";
import {
  ANYTHING,
  FLAG,
  GROUPS,
  LIST,
  MEMBERS,
  maybe,
  NUMBER,
  type OptionRules,
  oneOf,
  RECORD,
  SCHEMA,
  text,
  texts,
  WORK,
} from "./option-rules.ts";
import type { ParsedParams } from "./parsed-params.ts";
import type { Locate } from "./path-setting.ts";
import type { Plan } from "./plan.ts";
import type { PriceTiers, Pricing } from "./price-tiers.ts";
import type { ProductMethod, ProductPath } from "./product-path.ts";
import type { ProviderDefinition } from "./provider.ts";
import type { SoldElsewhere } from "./send-instead.ts";

/** Free, delayed answers from stored snapshots. */
export interface PreviewPolicy<P, D, I> {
  /** How often a snapshot is taken, such as "30m". */
  readonly every: string;
  /** How old its `as_of` must be before it is shown; default: `[preview] delay`. */
  readonly delay?: string;
  /** The preview's own free path, which answers what `?preview=1` does, such as "/launch-risk-preview". */
  readonly path?: ProductPath;
  /** Further parameter sets kept ready, besides the defaults. */
  readonly params?: readonly P[];
  /** Instead of `params`, where the node has a public address: calls about that node, such as its own `/live`. */
  readonly of_node?: (public_url: string) => readonly P[];
  /**
   * Turns fresh inputs into those of an earlier moment, when the upstream's own history allows it; null when it does
   * not. Without it a new node has no preview until `delay` has passed.
   */
  readonly rewind?: (inputs: I, now_ms: number) => I | null;
  /** Withholds parts by setting them to null. The result must still match the data schema. */
  readonly redact?: (data: D) => D;
  /** How many rows the whole answer has: the 402 shows the newest count, so that an empty list surprises no buyer. */
  readonly listed?: (data: D) => Listed;
  /**
   * Pictures for the product's page, made with each snapshot and public as soon as it is old enough. `data` is whole,
   * before `redact`: draw nothing that is not free. A product without charts returns an empty list.
   */
  readonly charts?: (view: { readonly data: D; readonly inputs: I }) => readonly Chart[];
  /** Further pictures, of what the preview gives away: of tables, most often by `drawRows`. */
  readonly rowCharts?: (shown: D) => readonly Chart[];
}

/** One of several products that a single call asks for. */
export interface SoldPart {
  /** By default path. */
  readonly path: ProductPath;
  /** The request to it, with the wanted view of its answer. */
  readonly request: ParsedParams;
}

/**
 * One sellable path. Everything public about it (402 challenge, price lists, manifests, docs) derives from this.
 * Three steps, of which only `fetch` does I/O: `normalise` the parameters, `fetch` raw inputs, `compute` the data.
 */
export interface ProductDefinition<P extends TObject = TObject, D extends TSchema = TSchema, I = unknown> {
  readonly path: ProductPath;
  /**
   * Where it is sold, if the configuration decides that; `path` is its default, and its name for `asks` and `[prices]`.
   */
  readonly locate?: Locate;
  /** Older names; they answer 308. */
  readonly aliases?: readonly ProductPath[];
  /** GET reads the parameters from the query, POST from a JSON body. Default: GET only. */
  readonly methods?: readonly ProductMethod[];
  readonly title: string;
  /** At most 450 characters: facilitators refuse payments with longer descriptions. */
  readonly description: string;
  readonly category: string;
  /** At most 5, printable ASCII, at most 32 characters each. */
  readonly tags: readonly string[];
  /**
   * What buyers call it and its title does not say, in any language: words, and questions such as "is it a scam".
   * At most 60 of at most 80 characters. Only the search of products reads them.
   */
  readonly search?: readonly string[];
  /** Decimal USD string; `[prices]` in the config replaces it. */
  readonly price_usd: string;
  /** Other prices by the value of one parameter; `[prices] "/path?name=value"` in the config replaces them. */
  readonly tiers?: PriceTiers;
  /** Its price where that follows from the parameters; lists then show `price_usd` as the lowest one. */
  readonly priced?: Pricing<Static<P>>;
  readonly params: P;
  /** Brings equal requests to one form. Throws NodeError invalid_parameter when a value means nothing. */
  readonly normalise?: (params: Static<P>) => Static<P>;
  /**
   * Which values of a parameter can be sold, if that depends on keys, licences or chains. The others appear on no
   * surface; a request for one gets a 422 that says why, and `intel-node check` says what would enable it.
   */
  readonly offers?: Readonly<Partial<Record<keyof Static<P> & string, OfferedValues>>>;
  /**
   * Refuses, before anybody is asked for money, a call that the configuration cannot answer though each value alone is
   * sold, such as a ticker that only unlicensed sources know. Throws NodeError unknown_subject or invalid_parameter.
   */
  readonly assertSold?: (params: Static<P>, node: Offering) => void;
  /** Values of its parameters that other products take: a buyer who sends one is pointed there. */
  readonly elsewhere?: readonly SoldElsewhere[];
  readonly data: D;
  /** Answers in somebody else's form instead of the envelope. */
  readonly form?: AnswerForm<P, D>;
  /** What its answers say in one sentence, and their key figure: `text` and `headline` of the answer. */
  readonly gist?: TellGist<Static<D>>;
  /** Dotted names of the data's long tables, which `view=brief` leaves out. */
  readonly long?: readonly string[];
  /** The view of a call without `view`: "brief" if the whole answer is more than a model's context can spare. */
  readonly usual_view?: "brief" | "full";
  /** One real-looking call; published, so it must match both schemas and must not be empty. */
  readonly example: { readonly params: Static<P>; readonly as_of: string; readonly data: Static<D> };
  /** All upstreams it may use. */
  readonly providers: readonly ProviderDefinition[];
  /** Of each group at least one must be usable, or the product is withheld. */
  readonly requires: readonly (readonly ProviderDefinition[])[];
  /** Other products whose data `fetch` asks for (`context.ask`). Their providers need not be named here. */
  readonly asks?: Asks;
  /**
   * The products that a call asks for, in order: `fetch` gets their whole answers by number (`PartsContext`). With
   * `partial` among its parameters, a key buys them one by one.
   */
  readonly parts?: (params: Static<P>) => readonly SoldPart[];
  /**
   * Whether it sells whole answers of the products it needs, for less than they cost one by one: while the operator's
   * prices leave no saving it is withheld. No part of it may be a bundle or a plan.
   */
  readonly is_bundle?: boolean;
  /** Whether `fetch` reads `context.node`, what the node knows of itself. */
  readonly uses_node?: boolean;
  /** Whether `fetch` reads `context.payer`: answers are then kept and stored for each payer by himself. */
  readonly uses_payer?: boolean;
  /** Host of the buyer's choice that `fetch` asks, if any: calls that end unpaid are bounded by it, too. */
  readonly stranger_of?: (params: Static<P>) => string | null;
  /**
   * What of the buyer's own money left for somebody else while an answer was made: it is handed over even where its
   * price here cannot be settled.
   */
  readonly passed_on?: (data: Static<D>) => PassedOn | null;
  /**
   * The operator may let the node pay itself at this path instead of selling it (`[bootstrap_trust] mode`): the first
   * settlement that catalogs wait for.
   */
  readonly self_payment?: boolean;
  /** What `fetch` asks `context.model` for, and whether it is sold where no model is configured. */
  readonly uses_model?: ModelRule;
  /**
   * Where the operator meters, keys and channels are charged by what an answer took, at most the ceiling; every other
   * way to pay costs the flat price.
   */
  readonly metered?: MeterRule<Static<D>>;
  /** How long a live answer is used again, such as "15s". */
  readonly ttl: string;
  /**
   * The maximum age of `as_of` when an answer is sold, such as "25h": an older one is refused uncharged, and a shared
   * one is made anew. `fetch` may be stricter about single inputs. Default: as old as `fetch` allows.
   */
  readonly max_age?: string;
  /** Time limit of `fetch` + `compute`; a network whose payments die sooner is not offered. */
  readonly deadline_ms: number;
  readonly preview: PreviewPolicy<Static<P>, Static<D>, I>;
  /** Set on what is bought to pay later calls: it is paid for on chain only, and answers with an API key. */
  readonly plan?: Plan;
  /**
   * Of a product made of records that have to grow first: the earliest time it can have data, ms; null as soon as it
   * has some. The 402 and the price list say it; until then `fetch` throws `no_history`.
   */
  readonly findOpening?: (at: { readonly records: Records; readonly now_ms: number }) => Promise<number | null>;
  /** Its preview is part of /sample. */
  readonly sample?: boolean;
  /** Shown first by /try, in this order, with these parameters of its previews; default: not before others. */
  readonly tried?: { readonly order: number; readonly params?: Static<P> };
  fetch(context: FetchContext, params: Static<P>): Promise<I>;
  compute(inputs: I, at: { readonly params: Static<P>; readonly now_ms: number }): Computed<Draft<Static<D>>>;
}

/** A product whose schemas are no longer known to the type checker; the catalog holds these. */
// biome-ignore lint/suspicious/noExplicitAny: the inputs type is private to one product and erased here on purpose.
export type AnyProduct = ProductDefinition<any, any, any>;

/** Every option of a product, and what it must be. */
export const PRODUCT_OPTIONS: OptionRules<AnyProduct> = {
  path: text("/tide-height"),
  locate: maybe(WORK),
  aliases: maybe(texts('["/old-name"]')),
  methods: maybe(texts('["GET", "POST"]')),
  title: text(),
  description: text(),
  category: text("weather"),
  tags: texts('["tide"]'),
  search: maybe(texts('["high water", "when is the tide in"]')),
  price_usd: text("0.002"),
  tiers: maybe(RECORD),
  priced: maybe(RECORD),
  params: MEMBERS,
  normalise: maybe(WORK),
  offers: maybe(RECORD),
  assertSold: maybe(WORK),
  elsewhere: maybe(LIST),
  data: SCHEMA,
  form: maybe(RECORD),
  gist: maybe(WORK),
  long: maybe(texts('["history"]')),
  usual_view: maybe(oneOf(["brief", "full"])),
  example: RECORD,
  providers: LIST,
  requires: GROUPS,
  asks: maybe(RECORD),
  parts: maybe(WORK),
  is_bundle: maybe(FLAG),
  uses_node: maybe(FLAG),
  uses_payer: maybe(FLAG),
  stranger_of: maybe(WORK),
  passed_on: maybe(WORK),
  self_payment: maybe(FLAG),
  uses_model: maybe(RECORD),
  metered: maybe(RECORD),
  ttl: text("15s"),
  max_age: maybe(text("25h")),
  deadline_ms: NUMBER,
  preview: RECORD,
  plan: maybe(RECORD),
  findOpening: maybe(WORK),
  sample: maybe(FLAG),
  tried: maybe(RECORD),
  fetch: WORK,
  compute: WORK,
};

/** Every option of `preview`. */
export const PREVIEW_OPTIONS: OptionRules<AnyProduct["preview"]> = {
  every: text("30m"),
  delay: maybe(text("15m")),
  path: maybe(text("/tide-height-preview")),
  params: maybe(LIST),
  of_node: maybe(WORK),
  rewind: maybe(WORK),
  redact: maybe(WORK),
  listed: maybe(WORK),
  charts: maybe(WORK),
  rowCharts: maybe(WORK),
};

/** Every member of `example`. */
export const EXAMPLE_OPTIONS: OptionRules<AnyProduct["example"]> = {
  params: RECORD,
  as_of: text("2026-01-01T00:00:00Z"),
  data: ANYTHING,
};

/** Declares a product; only fixes the types. The catalog checks it when it is loaded, naming file and line. */
export function defineProduct<P extends TObject, D extends TSchema, I>(
  definition: ProductDefinition<P, D, I>,
): ProductDefinition<P, D, I> {
  return declare(definition);
}
