import { LRUCache } from "lru-cache";
import { type Clock, renderTime, systemTimers, type Timers } from "../core/clock.ts";
import { isNodeError, isOwnLimit, messageOf, NodeError, toNodeError, UpstreamError } from "../core/errors.ts";
import { createSingleFlight } from "../core/single-flight.ts";
import { type AskingRun, createAsk } from "./ask.ts";
import type { CatalogProduct } from "./catalog.ts";
import { type Chart, parseCharts } from "./chart.ts";
import type { FetchContext, History, RunPurpose, Source, SourceContext } from "./context.ts";
import { createEnvelope, type Envelope } from "./envelope.ts";
import { renderInForm } from "./form.ts";
import { limitModel } from "./limit-model.ts";
import { type Models, NO_MODELS } from "./model.ts";
import type { NodeFacts } from "./node-facts.ts";
import type { ParsedParams } from "./params.ts";
import type { ProviderDefinition } from "./provider.ts";
import { guardProviders, PluginFault } from "./provider-guard.ts";
import { applyView } from "./view.ts";

/** A finished, serialised answer; served as these bytes for as long as it is fresh. */
export interface Answer {
  readonly body: string;
  readonly as_of_ms: number;
  readonly expires_at_ms: number;
  /** A part of it is missing because a call failed. */
  readonly is_thin?: true;
}

/** The parts of an answer before they are wrapped; what a snapshot stores. */
export interface Produced {
  readonly as_of_ms: number;
  readonly generated_at_ms: number;
  readonly sources: readonly Source[];
  readonly warnings: readonly string[];
  readonly data: unknown;
  /** Of snapshots of products that draw some. */
  readonly charts?: readonly Chart[];
}

export interface RunnerOptions {
  readonly node_id: string;
  readonly sandbox: boolean;
  readonly clock: Clock;
  /** What ends a run that takes too long; the system's timers unless given. */
  readonly timers?: Timers | undefined;
  readonly history: History;
  readonly createContext: (run: {
    now_ms: number;
    signal: AbortSignal;
    history: History;
    mayCall: (provider: ProviderDefinition) => void;
    purpose: RunPurpose;
    limit_ms: number;
  }) => SourceContext & {
    sources(): readonly Source[];
    /** The error to sell nothing with, when only this node's own rate limit kept it from asking for all of it. */
    missed(): NodeError | null;
    /** Whether a call failed and no other provider made it good. */
    isThin(): boolean;
  };
  /** None unless given. */
  readonly models?: Models;
  /** A product on sale, for those that ask for it. */
  readonly find?: (path: string) => CatalogProduct | undefined;
  /** While a new sandbox still lives its past: resolves when that is over. Null otherwise. */
  readonly past?: (product: CatalogProduct) => Promise<void> | null;
  /** Told about every failed run, with what the buyer does not get to see. */
  readonly onFailure: (product: CatalogProduct, error: unknown) => void;
  /** Told about every fresh answer, and whether a buyer, or a product a buyer asked for, wanted it. */
  readonly onSuccess: (product: CatalogProduct, answer: Answer, is_wanted: boolean) => void;
  /** Told about every run that gave data, for an answer or for a preview. */
  readonly onRun?: (product: CatalogProduct) => void;
}

export interface Runner {
  /** The kept answer while it is fresh, without waiting for anything; null when one has to be produced. */
  fresh(product: CatalogProduct, request: ParsedParams): Answer | null;
  /**
   * A fresh or still-fresh answer; equal requests at the same time share one run.
   * @throws NodeError upstream_unavailable, upstream_bad_response or deadline_exceeded.
   */
  produce(product: CatalogProduct, request: ParsedParams): Promise<Answer>;
  /** Runs the product for its preview: [earlier view if it has one, current view], both redacted. */
  produceSnapshots(product: CatalogProduct, request: ParsedParams): Promise<readonly Produced[]>;
}

/** What the node has besides: its jobs ask for products too. */
export interface AskingRunner extends Runner {
  createAsk(run: Asking): FetchContext["ask"];
}

/** Who waits for a model, and until when. */
interface ModelTime {
  readonly purpose: RunPurpose;
  readonly signal: AbortSignal;
  readonly until_ms: number;
}

type Asking = Pick<AskingRun, "what" | "asks" | "signal" | "payer" | "cite">;

/** Kept free of models at the end of a run that is sold without them too. */
const TEMPLATES_MS = 1_500;
/** How long an answer with a part missing is sold again: what failed may be there a moment later. */
const THIN_TTL_MS = 5_000;
const ANSWERS_MAX = 5_000;
/** Of the texts that are kept. */
const ANSWERS_BYTES_MAX = 64_000_000;
const ANSWER_CHARS_MAX = 1_000_000;
/** Kept of one answer; further ones are made again. */
const VIEWS_MAX = 20;

/** Runs products: fetch, compute, check against the schema, serialise, keep for the product's ttl. */
export function createRunner(options: RunnerOptions): AskingRunner {
  const { clock, timers = systemTimers } = options;
  // A reload may put another definition under the same path: what it did not make is not its answer.
  const answers = new LRUCache<string, Answer & { readonly by: unknown }>({
    max: ANSWERS_MAX,
    maxSize: ANSWERS_BYTES_MAX,
    sizeCalculation: ({ body }, key) => Buffer.byteLength(body) + key.length,
  });
  const flights = createSingleFlight<Answer>();

  // What failed runs had called: whoever asked for the product names it beside what is missing.
  const failed_sources = new WeakMap<object, readonly Source[]>();

  const createAskFor = (run: Asking, purpose: RunPurpose, onThin: () => void = () => undefined) =>
    createAsk({
      ...run,
      find: (path) => options.find?.(path),
      produce: async (product, request) => {
        const { body, is_thin } = await produce(product, request, purpose);
        if (is_thin) onThin();
        return body;
      },
      sourcesOf: (error) => (typeof error === "object" && error !== null ? (failed_sources.get(error) ?? []) : []),
    });

  const openModel = ({ path, price_atomic, definition }: CatalogProduct, { purpose, signal, until_ms }: ModelTime) => {
    const { models = NO_MODELS } = options;
    const { uses_model } = definition;
    if (uses_model === undefined || models.whyNot(uses_model.use) !== null) return null;
    // Who can do without a model hears that it was too slow while there is time for the templates.
    const reserved_ms = uses_model.need === "optional" ? TEMPLATES_MS : 0;
    const left_ms = () => until_ms - reserved_ms - timers.elapsed_ms();
    const is_urgent = purpose === "buyer";
    const model = models.open({ what: path, use: uses_model.use, price_atomic, is_urgent, signal, left_ms });
    return limitModel(model, { timers, left_ms });
  };

  async function run<T>(
    { product, request }: { readonly product: CatalogProduct; readonly request: ParsedParams },
    purpose: RunPurpose,
    work: (context: FetchContext, run: RunFacts) => Promise<T>,
  ) {
    const deadline_ms = product.definition.deadline_ms;
    const abort = new AbortController();
    const late = Promise.withResolvers<never>();
    const cancelLimit = timers.after(deadline_ms, () => {
      abort.abort();
      const message = `${product.id} was not ready within ${deadline_ms} ms. Nothing was charged.`;
      late.reject(new NodeError("deadline_exceeded", message, { retry_after_s: 5 }));
    });
    const what = `${product.path} (${product.file})`;
    const { providers, asks } = product.definition;
    const { mayCall, assertKept } = guardProviders(providers, what);
    const base = options.createContext({
      now_ms: clock.now(),
      signal: abort.signal,
      history: options.history,
      mayCall,
      purpose,
      limit_ms: deadline_ms,
    });
    const { cite, sources } = base;
    const { payer = null } = request;
    let too_busy: unknown = null;
    let asked_thin = false;
    const onThin = () => {
      asked_thin = true;
    };
    const asking = createAskFor({ what, asks, signal: abort.signal, payer, cite }, purpose, onThin);
    const ask: FetchContext["ask"] = (...asked) =>
      asking(...asked).catch((error: unknown) => {
        if (isOwnLimit(error)) too_busy ??= error;
        onThin();
        throw error;
      });
    const node = product.definition.uses_node === true ? base.node : createUndeclaredNode(what);
    if (product.definition.uses_node === true) cite(citeNode(base));
    const model = openModel(product, { purpose, signal: abort.signal, until_ms: timers.elapsed_ms() + deadline_ms });
    const context: FetchContext = { ...base, node, ask, payer, model };
    const facts: RunFacts = { sources, isThin: () => base.isThin() || asked_thin };
    const working = work(context, facts).then((made) => {
      const missed = base.missed() ?? too_busy;
      if (missed) throw missed;
      assertKept();
      return made;
    });
    try {
      const made = await Promise.race([working, late.promise]);
      options.onRun?.(product);
      return made;
    } catch (error) {
      options.onFailure(product, error);
      const known = toBuyerError(product, error);
      failed_sources.set(known, sources());
      throw known;
    } finally {
      cancelLimit();
      abort.abort();
      // The loser of the race must not surface as an unhandled rejection.
      working.catch(() => undefined);
      late.promise.catch(() => undefined);
    }
  }

  async function compute(product: CatalogProduct, request: ParsedParams, purpose: RunPurpose): Promise<Answer> {
    return run({ product, request }, purpose, async (context, { sources, isThin }) => {
      const inputs = await product.definition.fetch(context, request.params);
      const produced = finish({ product, request, inputs, now_ms: clock.now(), sources });
      assertYoung(product, produced);
      const { node_id, sandbox } = options;
      const body = JSON.stringify(
        wrap(product, createEnvelope({ product: product.id, node_id, sandbox, ...produced })),
      );
      if (body.length > ANSWER_CHARS_MAX) throw new Error(`the answer has ${body.length} characters`);
      const is_thin = isThin();
      const ttl_ms = is_thin ? Math.min(THIN_TTL_MS, product.ttl_ms) : product.ttl_ms;
      return {
        body,
        as_of_ms: produced.as_of_ms,
        expires_at_ms: produced.generated_at_ms + ttl_ms,
        ...(is_thin ? { is_thin } : {}),
      };
    });
  }

  // Made once per kept answer and view: they are as old as the whole one.
  const views = new WeakMap<Answer, Map<string, Answer>>();
  const show = (product: CatalogProduct, { view }: ParsedParams, whole: Answer): Answer => {
    if (view === undefined) return whole;
    const made = views.get(whole) ?? new Map<string, Answer>();
    views.set(whole, made);
    const known = made.get(view.key);
    if (known) return known;
    const body = JSON.stringify(applyView(JSON.parse(whole.body), view, product.definition.long ?? []));
    const shown = { ...whole, body };
    if (made.size < VIEWS_MAX) made.set(view.key, shown);
    return shown;
  };

  const fresh = (product: CatalogProduct, request: ParsedParams): Answer | null => {
    const kept = answers.get(`${product.path} ${request.key}`);
    const now = clock.now();
    if (kept?.by !== product.definition.fetch) return null;
    if (kept && isTooOld(product, kept.as_of_ms, now)) return null;
    // A clock set back must not keep an answer alive for longer than its ttl.
    return kept && now < kept.expires_at_ms && kept.expires_at_ms - now <= product.ttl_ms ? kept : null;
  };

  async function produce(product: CatalogProduct, request: ParsedParams, purpose: RunPurpose): Promise<Answer> {
    const kept = fresh(product, request);
    if (kept) return kept;
    await options.past?.(product);
    const key = `${product.path} ${request.key}`;
    // A buyer never waits with a preview or a job, which are patient.
    return flights.run(purpose === "buyer" ? key : `${purpose} ${key}`, async () => {
      const answer = await compute(product, request, purpose);
      options.onSuccess(product, answer, purpose === "buyer");
      if (product.ttl_ms > 0) answers.set(key, { ...answer, by: product.definition.fetch });
      return answer;
    });
  }

  return {
    fresh(product, request) {
      const kept = fresh(product, request);
      return kept && show(product, request, kept);
    },
    produce: async (product, request) => show(product, request, await produce(product, request, "buyer")),
    createAsk: (asking) => createAskFor(asking, "job"),
    produceSnapshots: (product, request) =>
      run({ product, request }, "preview", async (context, { sources }) => {
        const now_ms = clock.now();
        const { rewind, redact, charts, rowCharts } = product.definition.preview;
        const inputs = await product.definition.fetch(context, request.params);
        const earlier = rewind?.(inputs, now_ms) ?? null;
        return [earlier, inputs]
          .filter((one) => one !== null)
          .map((one) => finish({ product, request, inputs: one, now_ms, sources, redact, charts, rowCharts }));
      }),
  };
}

/** What a product takes from the node's own books is named like any other source. */
const citeNode = ({ node, now_ms, simulated }: Pick<SourceContext, "node" | "now_ms" | "simulated">): Source => ({
  provider: "this_node",
  url: node.public_url ?? "",
  fetched_at: renderTime(now_ms),
  ok: true,
  ...(simulated ? { simulated } : {}),
});

/** In the place of the node's own facts for a product that does not say it reads them. */
const createUndeclaredNode = (what: string): NodeFacts =>
  new Proxy({} as NodeFacts, {
    get: () => {
      throw new PluginFault(`${what} reads context.node and does not declare uses_node`);
    },
  });

type Sources = () => readonly Source[];

/** What is known of a run once its calls are made. */
interface RunFacts {
  readonly sources: Sources;
  readonly isThin: () => boolean;
}

interface Finish {
  readonly product: CatalogProduct;
  readonly request: ParsedParams;
  readonly inputs: unknown;
  readonly now_ms: number;
  readonly sources: Sources;
  readonly redact?: ((data: unknown) => unknown) | undefined;
  readonly charts?: ((view: { data: unknown; inputs: unknown }) => readonly Chart[]) | undefined;
  readonly rowCharts?: ((shown: unknown) => readonly Chart[]) | undefined;
}

/** Computes and checks. Data that does not match the published schema is never sold. */
function finish({ product, request, inputs, now_ms, sources, redact, charts, rowCharts }: Finish): Produced {
  const computed = product.definition.compute(inputs, { params: request.params, now_ms });
  const given = redact ? redact(computed.data) : computed.data;
  const data = product.round(given);
  const fault = product.data_check.Check(data) ? undefined : product.data_check.Errors(data).First();
  if (fault) throw new Error(`data does not match its schema at "${fault.path}": ${fault.message}`);
  const drawn =
    charts || rowCharts ? [...(charts?.({ data: computed.data, inputs }) ?? []), ...(rowCharts?.(data) ?? [])] : null;
  if (!Number.isFinite(computed.as_of_ms)) throw new Error("as_of_ms is not a time");
  return {
    as_of_ms: computed.as_of_ms,
    generated_at_ms: now_ms,
    sources: sources(),
    warnings: computed.warnings,
    data,
    ...(drawn ? { charts: parseCharts(drawn) } : {}),
  };
}

/** The answer in its form. What came of that is sold only if it is what the schema says. */
function wrap({ definition, data_check }: CatalogProduct, envelope: Envelope): unknown {
  const { form } = definition;
  const whole = renderInForm(form, envelope);
  const fault = form === undefined || data_check.Check(whole) ? undefined : data_check.Errors(whole).First();
  if (fault) throw new Error(`the answer does not match its schema at "${fault.path}": ${fault.message}`);
  return whole;
}

const isTooOld = ({ max_age_ms }: CatalogProduct, as_of_ms: number, now_ms: number): boolean =>
  max_age_ms !== null && now_ms - as_of_ms > max_age_ms;

/** What a product calls too old is not sold as live, whoever let it through. */
function assertYoung(product: CatalogProduct, { as_of_ms, generated_at_ms }: Produced): void {
  if (!isTooOld(product, as_of_ms, generated_at_ms)) return;
  const age_s = Math.floor((generated_at_ms - as_of_ms) / 1000);
  const message = `The newest data of ${product.id} is ${age_s} s old. Nothing was charged.`;
  throw new NodeError("upstream_unavailable", message, { retry_after_s: 60 });
}

function toBuyerError(product: CatalogProduct, error: unknown): NodeError {
  if (isNodeError(error)) return error;
  if (error instanceof UpstreamError) return toNodeError([error], product.id);
  const message = `${product.id} failed by a fault of its own. Nothing was charged.`;
  return new NodeError("product_failed", message, { cause: messageOf(error), retry_after_s: 30 });
}
