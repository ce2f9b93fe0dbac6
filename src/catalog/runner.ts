import { LRUCache } from "lru-cache";
import { type Clock, renderTime, systemTimers, type Timers } from "../core/clock.ts";
import { isNodeError, isOwnLimit, messageOf, NodeError, toNodeError, UpstreamError } from "../core/errors.ts";
import type { Counted } from "../core/metering.ts";
import type { PassedOn } from "../core/passed-on.ts";
import type { SalesFirst } from "../core/sales-first.ts";
import { createSingleFlight } from "../core/single-flight.ts";
import { type ThreadTurns, type TurnClass, thread_turns } from "../core/thread-turns.ts";
import type { PointInTime } from "./as-of.ts";
import { type AskingRun, createAsk, createPartReader } from "./ask.ts";
import type { CatalogProduct } from "./catalog.ts";
import type { FetchContext, History, PartsContext, RunPurpose, Source, SourceContext } from "./context.ts";
import { getRunKind } from "./failed-run.ts";
import { outcomeOf } from "./failover.ts";
import { limitModel } from "./limit-model.ts";
import { type AnswerParts, type Produced, renderView } from "./make-answer.ts";
import { countTokens } from "./metering.ts";
import { type Models, NO_MODELS } from "./model.ts";
import { noteTurns, type WrittenBy } from "./model-turns.ts";
import type { NodeFacts } from "./node-facts.ts";
import type { ParsedParams } from "./params.ts";
import type { ProviderDefinition } from "./provider.ts";
import { guardProviders, PluginFault } from "./provider-guard.ts";
import { computeView, listViewInputs, type RenderedAnswer, renderFromInputs } from "./rendered-answer.ts";
import type { SinceBase } from "./since.ts";
import type { StandIns } from "./stand-in.ts";
import { createStoodIn } from "./stood-in.ts";
import type { View } from "./view.ts";
import { PLAIN_WORKSHOP, type Production, type Workshop } from "./workshop.ts";

/** A finished, serialised answer; served as these bytes for as long as it is fresh. */
export interface Answer {
  readonly body: string;
  readonly as_of_ms: number;
  readonly expires_at_ms: number;
  /** A part of it is missing because a call failed. */
  readonly is_thin?: true;
  /** What of the buyer's own money left for somebody else while it was made. */
  readonly passed_on?: PassedOn | undefined;
  /** What its meter counted; left out without a meter. */
  readonly counted?: Counted | undefined;
  /** What it was made from, if that is kept. */
  readonly origin?: AnswerOrigin | undefined;
}

/** What an answer follows from, its inputs by their hash. */
export interface AnswerOrigin {
  readonly params: unknown;
  readonly now_ms: number;
  readonly sources: readonly Source[];
  readonly row_warnings: readonly string[];
  readonly inputs_sha256: string;
  /** Questions to models and their answers; left out if no model was asked. */
  readonly written?: WrittenBy | undefined;
}

/** An answer that was made, and may be sold from now on. */
export interface MadeAnswer {
  readonly product: CatalogProduct;
  readonly origin: AnswerOrigin;
  /** Null for the whole answer. */
  readonly view: View | null;
  readonly body: string;
  /** Null for a view: the inputs came with the whole answer. */
  readonly inputs: string | null;
  /** Of an answer that says only what changed. */
  readonly changes?: SinceBase | undefined;
  /** Of an answer as of an earlier time. */
  readonly point_in_time?: PointInTime | undefined;
}

/** Keeps the inputs of answers. */
export interface OriginKeeper {
  /**
   * Inputs as text and its hash, before `compute` has seen them; null for those that are not kept.
   * @param inTurn does one piece of the work when it is its turn: large inputs are several.
   */
  write(
    product: CatalogProduct,
    inputs: unknown,
    inTurn: <T>(piece: () => T) => Promise<T>,
  ): Promise<{ readonly text: string; readonly sha256: string } | null>;
  /** Told of every answer that may be sold, and of every view of one. Waits for nothing. */
  note(made: MadeAnswer): void;
}

export interface RunnerOptions {
  readonly node_id: string;
  readonly sandbox: boolean;
  readonly clock: Clock;
  /** What ends a run that takes too long; the system's timers unless given. */
  readonly timers?: Timers | undefined;
  /** Divides the thread's time; default: the thread's own turns. */
  readonly turns?: ThreadTurns | undefined;
  /** Does the work of answers; default: all of it is done in this thread. */
  readonly workshop?: Workshop | undefined;
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
    /** Rows that were left out of answers, one warning a provider. */
    rowWarnings(): readonly string[];
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
  /** How a sale waits for it. */
  readonly standBack?: SalesFirst["standBack"];
  /** Nothing is kept unless given. */
  readonly origins?: OriginKeeper;
  /** Sells this node answers that it cannot make; default: none. */
  readonly stand_ins?: StandIns;
  /** Told about every failed run, with what the buyer does not get to see. */
  readonly onFailure: (product: CatalogProduct, error: unknown, told: NodeError) => void;
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
  produce(product: CatalogProduct, request: ParsedParams, by?: "buyer" | "guest"): Promise<Answer>;
  /** Runs the product for its preview: [earlier view if it has one, current view], both redacted. */
  produceSnapshots(product: CatalogProduct, request: ParsedParams): Promise<readonly Produced[]>;
}

/** The node's own interface: its jobs ask for products too. */
export interface AskingRunner extends Runner {
  createAsk(run: Asking): FetchContext["ask"];
}

/** The run that waits for a model, and until when. */
interface ModelTime {
  readonly purpose: CallerKind;
  readonly signal: AbortSignal;
  readonly until_ms: number;
}

/** A guest is served as a buyer, but does not pay for an answer on its own: a pass or a coupon does. */
type CallerKind = RunPurpose | "guest";

/** For whom a run is made, and when. */
interface RunHow {
  readonly wanted: CallerKind;
  /** While a new sandbox's past is not lived yet: as a new node answers. */
  readonly before_past?: boolean | undefined;
  /** Another product asks for it. */
  readonly is_part?: boolean | undefined;
  /** Counts what is done for it. */
  readonly production?: Production | undefined;
}

/** What `fetch` gave, and for whom. */
interface Inputs {
  readonly product: CatalogProduct;
  readonly params: unknown;
  readonly inputs: unknown;
  /** As text, where that was written. */
  readonly text: string | null;
  readonly facts: Pick<RunFacts, "sources" | "rowWarnings" | "signal">;
  readonly wanted: CallerKind;
  /** When the run began, epoch ms. */
  readonly began_ms: number;
}

type Rendered = RenderedAnswer & Pick<AnswerParts, "sources" | "row_warnings">;

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
  const { clock, timers = systemTimers, turns = thread_turns, workshop = PLAIN_WORKSHOP } = options;
  // A reload may put another definition under the same path: what it did not make is not its answer.
  const answers = new LRUCache<string, Answer & { readonly by: unknown }>({
    max: ANSWERS_MAX,
    maxSize: ANSWERS_BYTES_MAX,
    sizeCalculation: ({ body }, key) => Buffer.byteLength(body) + key.length,
  });
  const flights = createSingleFlight<Answer>();
  const { node_id, sandbox, stand_ins } = options;
  const stood_in = stand_ins
    ? createStoodIn({
        node_id,
        sandbox,
        clock,
        stand_ins,
        // The product's own sources still fail: `onRun` is not called.
        onBought: (product, answer) => options.onSuccess(product, answer, true),
      })
    : null;

  // Upstreams that failed runs had called: the product that asked names them beside what is missing.
  const failed_sources = new WeakMap<object, readonly Source[]>();

  const toAskingRun = (run: Asking, how: RunHow, onThin: () => void = () => undefined): AskingRun => ({
    ...run,
    find: (path) => options.find?.(path),
    produce: async (product, request) => {
      const answer = how.before_past
        ? await produceNow(product, request, { ...how, is_part: true })
        : await produce(product, request, { wanted: how.wanted, is_part: true });
      if (answer.is_thin) onThin();
      return { whole: answer.body, shown: show(product, request, answer).body };
    },
    sourcesOf: (error) => (typeof error === "object" && error !== null ? (failed_sources.get(error) ?? []) : []),
  });

  const openModel = ({ path, price_atomic, definition }: CatalogProduct, { purpose, signal, until_ms }: ModelTime) => {
    const { models = NO_MODELS } = options;
    const { uses_model } = definition;
    if (uses_model === undefined || models.whyNot(uses_model.use) !== null) return null;
    // A product that can do without the model learns that it was too slow while there is time for the templates.
    const reserved_ms = uses_model.need === "optional" ? TEMPLATES_MS : 0;
    const left_ms = () => until_ms - reserved_ms - timers.elapsed_ms();
    const whose = { is_urgent: purpose === "buyer" || purpose === "guest", is_guest: isGuest(purpose) };
    const model = models.open({ what: path, use: uses_model.use, price_atomic, ...whose, signal, left_ms });
    return noteTurns(limitModel(model, { timers, left_ms }));
  };

  async function run<T>(
    { product, request }: { readonly product: CatalogProduct; readonly request: ParsedParams },
    how: RunHow,
    work: (context: PartsContext, run: RunFacts) => Promise<T>,
  ) {
    const { wanted: purpose, production } = how;
    const deadline_ms = product.definition.deadline_ms;
    const abort = new AbortController();
    const late = Promise.withResolvers<never>();
    /** Products it waits for, one entry per question. */
    const waiting = new Set<{ readonly path: string }>();
    const cancelLimit = timers.after(deadline_ms, () => {
      const silent = [...new Set([...waiting].map(({ path }) => path))];
      abort.abort();
      const without = silent.length > 0 ? `, for want of ${silent.join(", ")}` : "";
      const message = `${product.id} was not ready within ${deadline_ms} ms${without}. Nothing was charged.`;
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
      purpose: purpose === "guest" ? "buyer" : purpose,
      limit_ms: deadline_ms,
    });
    const { cite, sources, rowWarnings } = base;
    const { payer = null } = request;
    let too_busy: unknown = null;
    let asked_thin = false;
    const onThin = () => {
      asked_thin = true;
    };
    const asking = toAskingRun({ what, asks, signal: abort.signal, payer, cite }, how, onThin);
    const parts = product.definition.parts?.(request.params) ?? [];
    const heard = <A>(path: string, answer: Promise<A>): Promise<A> => {
      const question = { path };
      waiting.add(question);
      return answer
        .catch((error: unknown) => {
          if (isOwnLimit(error)) too_busy ??= error;
          onThin();
          throw error;
        })
        .finally(() => waiting.delete(question));
    };
    const askFor = createAsk(asking);
    const ask: FetchContext["ask"] = (path, ...asked) => heard(path, askFor(path, ...asked));
    const readPart = createPartReader(asking, parts);
    const part: PartsContext["part"] = (index) => heard(parts[index]?.path ?? "", readPart(index));
    const node = product.definition.uses_node === true ? base.node : createUndeclaredNode(what);
    if (product.definition.uses_node === true) cite(citeNode(base));
    const noted = openModel(product, { purpose, signal: abort.signal, until_ms: timers.elapsed_ms() + deadline_ms });
    const counting = noted === null ? NO_MODEL : countTokens(noted.model);
    const inTurn: FetchContext["inTurn"] = async (piece) =>
      turns.run(turnOf(purpose), () => (production === undefined ? piece() : production.count(piece)));
    const context: PartsContext = { ...base, node, ask, part, payer, inTurn, model: counting.model };
    const { counted: countedTokens } = counting;
    const written = () => noted?.read() ?? null;
    const isThin = () => base.isThin() || asked_thin;
    const facts: RunFacts = { sources, rowWarnings, written, isThin, countedTokens, signal: abort.signal };
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
      const known = toBuyerError(product, error);
      // Data missing before the past was backfilled says nothing about the product.
      if (!how.before_past) options.onFailure(product, error, known);
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

  /** The answer of a run's inputs, made here or beside this thread. */
  async function render(made: Inputs, production: Production): Promise<Rendered> {
    const { product, params, inputs, text, facts, wanted, began_ms } = made;
    // A clock that was set back meanwhile must not make an answer older than what is in it.
    const now = (): number => Math.max(clock.now(), began_ms);
    const inTurn = <T>(piece: () => T): Promise<T> => turns.run(turnOf(wanted), piece);
    const said = () => ({ sources: facts.sources(), row_warnings: facts.rowWarnings() });
    const parts = { product, params, inputs };
    const order = { ...parts, ...said(), now_ms: now(), text };
    const how = { signal: facts.signal, inTurn, is_patient: !isBuyers(wanted) };
    const beside = await production.makeBeside("answer", order, how);
    const renderHere = (): Rendered => {
      const last = said();
      return { ...last, ...renderFromInputs({ ...parts, ...last, now_ms: now() }, options) };
    };
    const { sources, row_warnings } = order;
    const rendered: Rendered = beside
      ? { ...beside, sources, row_warnings }
      : await inTurn(() => production.countRender(renderHere));
    assertYoung(product, rendered);
    const { length } = rendered.body;
    if (length > ANSWER_CHARS_MAX) throw new Error(`the answer has ${length} characters`);
    return rendered;
  }

  async function compute(product: CatalogProduct, request: ParsedParams, how: RunHow): Promise<Answer> {
    const production = workshop.begin(product, how.is_part === true);
    try {
      return await run({ product, request }, { ...how, production }, async (context, facts) => {
        const { isThin, countedTokens } = facts;
        const inputs = await product.definition.fetch(context, request.params);
        const { origins } = options;
        const { params } = request;
        const { wanted } = how;
        const inTurn = <T>(piece: () => T): Promise<T> => turns.run(turnOf(wanted), () => production.count(piece));
        // In separate pieces: writing large inputs takes about as long as computing with them.
        const written = (await origins?.write(product, inputs, inTurn)) ?? null;
        const text = written?.text ?? null;
        const { now_ms: began_ms } = context;
        const rendered = await render({ product, params, inputs, text, facts, wanted, began_ms }, production);
        const { body, as_of_ms, generated_at_ms, passed_on, sources, row_warnings } = rendered;
        const by_models = facts.written();
        const made_of = {
          params,
          now_ms: generated_at_ms,
          sources,
          row_warnings,
          ...(by_models === null ? {} : { written: by_models }),
        };
        const origin = written === null ? null : { ...made_of, inputs_sha256: written.sha256 };
        if (origin && written) origins?.note({ product, origin, view: null, body, inputs: written.text });
        const counted = countFor(product, rendered, countedTokens);
        const is_thin = isThin();
        const is_short = is_thin || how.before_past === true;
        const ttl_ms = is_short ? Math.min(THIN_TTL_MS, product.ttl_ms) : product.ttl_ms;
        return {
          body,
          as_of_ms,
          expires_at_ms: generated_at_ms + ttl_ms,
          ...(is_thin ? { is_thin } : {}),
          ...(passed_on === undefined ? {} : { passed_on }),
          ...(counted === undefined ? {} : { counted }),
          ...(origin === null ? {} : { origin }),
        };
      });
    } finally {
      production.end();
    }
  }

  // Made once per kept answer and view: they are as old as the whole one.
  const views = new WeakMap<Answer, Map<string, Answer>>();
  const show = (product: CatalogProduct, { view }: ParsedParams, whole: Answer): Answer => {
    if (view === undefined) return whole;
    const made = views.get(whole) ?? new Map<string, Answer>();
    views.set(whole, made);
    const known = made.get(view.key);
    if (known) return known;
    const body = renderView(whole.body, view, product);
    const shown = { ...whole, body };
    if (whole.origin) options.origins?.note({ product, origin: whole.origin, view, body, inputs: null });
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

  async function produce(product: CatalogProduct, request: ParsedParams, how: RunHow): Promise<Answer> {
    const kept = fresh(product, request);
    if (kept) return kept;
    const { wanted } = how;
    const past = options.past?.(product) ?? null;
    if (past !== null) {
      const early = isBuyers(wanted) ? await produceBeforePast(product, request, how) : null;
      if (early) return early;
      await (isBuyers(wanted) && options.standBack ? options.standBack(past) : past);
    }
    return produceNow(product, request, how);
  }

  /**
   * What a new node could sell in its first second. Null where a part is missing, or all of it: a sandbox's past, which
   * is being lived, may bring that.
   */
  async function produceBeforePast(product: CatalogProduct, request: ParsedParams, how: RunHow) {
    const made = await outcomeOf(produceNow(product, request, { ...how, before_past: true }));
    if (made.ok) return made.value.is_thin ? null : made.value;
    if (mayComeWithPast(made.error)) return null;
    throw made.error;
  }

  async function produceNow(product: CatalogProduct, request: ParsedParams, how: RunHow) {
    const { wanted, before_past } = how;
    const kept = before_past ? fresh(product, request) : null;
    if (kept) return kept;
    const key = `${product.path} ${request.key}`;
    // If no model can be asked, every payer's run costs the same: guests and buyers share the run.
    const purpose = wanted === "guest" && !mayAskModels(product) ? "buyer" : wanted;
    const make = async () => {
      const answer = await compute(product, request, { ...how, wanted: purpose });
      if (before_past && answer.is_thin) return answer;
      options.onSuccess(product, answer, isBuyers(purpose));
      stood_in?.noteOwn(product, request, answer.body);
      if (product.ttl_ms > 0) answers.set(key, { ...answer, by: product.definition.fetch });
      return answer;
    };
    // An answer that is not cached belongs to its caller: two concurrent calls make two.
    if (product.ttl_ms === 0) return make();
    // A buyer never waits with a preview or a job, which are patient.
    const named = purpose === "buyer" ? key : `${purpose} ${key}`;
    return flights.run(before_past ? `early ${named}` : named, make);
  }

  /** What a buyer gets: what was made here, else what a peer made. A free call is never worth a peer's price. */
  async function serve(product: CatalogProduct, request: ParsedParams, by: "buyer" | "guest"): Promise<Answer> {
    if (stood_in === null || by === "guest") return produce(product, request, { wanted: by });
    const kept = fresh(product, request) ?? stood_in.fresh(product, request);
    if (kept) return kept;
    return produce(product, request, { wanted: by }).catch((error: unknown) => {
      const own = answers.peek(`${product.path} ${request.key}`);
      const is_ours = own?.by === product.definition.fetch;
      return stood_in.buy({ product, request, own: is_ours ? own.body : null }, error);
    });
  }

  return {
    fresh(product, request) {
      const kept = fresh(product, request) ?? stood_in?.fresh(product, request) ?? null;
      return kept && show(product, request, kept);
    },
    produce: async (product, request, by = "buyer") => show(product, request, await serve(product, request, by)),
    createAsk: (asking) => createAsk(toAskingRun(asking, { wanted: "job" })),
    async produceSnapshots(product, request) {
      // A job's: what is patient waits for its turn instead of being held back.
      const production = workshop.begin(product, true);
      try {
        return await run({ product, request }, { wanted: "preview", production }, async (context, facts) => {
          const now_ms = clock.now();
          const inputs = await product.definition.fetch(context, request.params);
          const said = { sources: facts.sources(), row_warnings: facts.rowWarnings() };
          const parts = { product, params: request.params, inputs, now_ms, ...said };
          const inTurn = <T>(piece: () => T): Promise<T> => turns.run("patient", piece);
          const how = { signal: facts.signal, inTurn, is_patient: true };
          const views = await production.makeBeside("views", { ...parts, text: null }, how);
          if (views !== null) return views;
          const compute = (one: unknown) => () => production.countRender(() => computeView({ ...parts, inputs: one }));
          return Promise.all(listViewInputs(parts).map((one) => inTurn(compute(one))));
        });
      } finally {
        production.end();
      }
    },
  };
}

const isBuyers = (wanted: CallerKind): boolean => wanted === "buyer" || wanted === "guest";
const turnOf = (wanted: CallerKind): TurnClass => (isBuyers(wanted) ? "buyer" : "patient");

/** Whether what a call lacks may be stored later: not where it was turned away, or asked for what cannot be had. */
const mayComeWithPast = (error: unknown): boolean =>
  isNodeError(error) && getRunKind(error) !== "busy" && error.options.of_request !== true;

const isGuest = (purpose: CallerKind): boolean => purpose === "guest" || purpose === "preview";

const mayAskModels = ({ definition: { uses_model, asks = {}, parts } }: CatalogProduct): boolean =>
  uses_model !== undefined || parts !== undefined || Object.keys(asks).length > 0;

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
  readonly rowWarnings: () => readonly string[];
  /** Null where no model was asked. */
  readonly written: () => WrittenBy | null;
  readonly isThin: () => boolean;
  /** Of the models it was given. */
  readonly countedTokens: () => Counted;
  /** Fires when its time is up. */
  readonly signal: AbortSignal;
}

const NO_MODEL = { model: null, counted: (): Counted => ({ by: "tokens", models: [], is_estimated: false }) };

/** What a product's meter counted. */
function countFor(
  { definition: { metered } }: CatalogProduct,
  { peer_price }: Pick<RenderedAnswer, "peer_price">,
  countedTokens: () => Counted,
): Counted | undefined {
  if (metered === undefined) return undefined;
  return metered.by === "tokens" ? countedTokens() : { by: metered.by, peer_price };
}

const isTooOld = ({ max_age_ms }: CatalogProduct, as_of_ms: number, now_ms: number): boolean =>
  max_age_ms !== null && now_ms - as_of_ms > max_age_ms;

/** An answer that is older than its product allows is not sold as live, whatever check let it through. */
function assertYoung(
  product: CatalogProduct,
  { as_of_ms, generated_at_ms }: Pick<Produced, "as_of_ms" | "generated_at_ms">,
): void {
  if (!isTooOld(product, as_of_ms, generated_at_ms)) return;
  const age_s = Math.floor((generated_at_ms - as_of_ms) / 1000);
  const message = `The newest data of ${product.id} is ${age_s} s old. Nothing was charged.`;
  throw new NodeError("upstream_unavailable", message, { retry_after_s: 60 });
}

function toBuyerError(product: CatalogProduct, error: unknown): NodeError {
  if (isNodeError(error)) return error;
  if (error instanceof UpstreamError) return toNodeError([error], product.id);
  const message = `${product.id} failed because of its own fault. Nothing was charged.`;
  return new NodeError("product_failed", message, { cause: messageOf(error), retry_after_s: 30 });
}
