import { AsyncLocalStorage } from "node:async_hooks";
import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { History, JobSourceContext, RunPurpose, Source, SourceContext } from "../catalog/context.ts";
import type { DatasetForm, DatasetReader } from "../catalog/dataset-reader.ts";
import { createAsking, toTooBusy } from "../catalog/failover.ts";
import type { NodeFacts } from "../catalog/node-facts.ts";
import type { ProviderDefinition, TermsClass } from "../catalog/provider.ts";
import type { Download, DownloadRequest, RequestTarget, UpstreamRequest } from "../catalog/request.ts";
import type { DroppedRows } from "../catalog/rows.ts";
import type { Drained, SubscriptionRequest } from "../catalog/subscription.ts";
import type { Columns, RowOf } from "../catalog/table.ts";
import type { WhyWithheld } from "../catalog/why-withheld.ts";
import type { Clock } from "../core/clock.ts";
import { isNodeError, type NodeError, UpstreamError, type UpstreamErrorKind } from "../core/errors.ts";
import { thread_turns } from "../core/thread-turns.ts";
import type { GuardedFetch } from "../guarded-fetch/types.ts";
import { NO_PEERS, type Peers } from "../records/peer-statements.ts";
import type { NodeSigner, WritableRecords } from "../records/record-chain.ts";
import {
  type AnyRequest,
  createCall,
  createFlightRequest,
  createRule,
  getSharedKey,
  listErrorForms,
  type UpstreamCall,
} from "./call.ts";
import { createFileSink, DOWNLOAD, type Downloaded } from "./download.ts";
import { createDroppedList } from "./dropped-list.ts";
import { fly } from "./flight.ts";
import { createFlightShared, type FlightSharedOptions } from "./flight-shared.ts";
import { createTokens } from "./oauth.ts";
import type { ProviderStatus } from "./provider-status.ts";
import type { QuotaStatus } from "./quotas.ts";
import { renderReason } from "./redact-url.ts";
import { type ProviderSettings, toNoChain, whyNotUsable } from "./settings.ts";
import { createSharedAnswers } from "./shared-answers.ts";
import { type Connect, createSockets, createStream } from "./sockets.ts";
import { type CallRecord, createSourceList, type SourceList } from "./sources.ts";
import type { Patience } from "./throttle.ts";

/**
 * `version` goes into the User-Agent; `fetch`, `random` (only for jitter), `sleep` and `clock` are passed in so that
 * tests need neither network nor waiting.
 */
export interface UpstreamOptions extends FlightSharedOptions {
  readonly clock: Clock;
  /** Opens WebSockets; default: the runtime's own. */
  readonly connect?: Connect;
  readonly settings: (provider: ProviderDefinition) => ProviderSettings;
  /** Read again at each use. */
  readonly allow_terms: readonly TermsClass[];
  /** The operator's settings for a provider's own keys, or for a plugin's table; absent if nothing reads them. */
  readonly config?: (of: TObject | ProviderDefinition) => unknown;
  /** Configured RPC addresses of a chain; undefined leaves the provider's own. */
  readonly chain_rpc: (chain: string) => readonly string[] | undefined;
  /** Whether the answers come from the sandbox; every source then says so. */
  readonly simulated: boolean;
  /** The storage and signatures for runs; absent if nothing runs, and then every use fails. */
  readonly books?: RunBooks;
}

export interface RunBooks {
  readonly records: WritableRecords;
  readonly signer: NodeSigner;
  /** Facts about the node itself; absent if nothing asks. */
  readonly node?: NodeFacts;
  /** Absent if nothing declares tables. */
  readonly table?: JobSourceContext["table"];
  /** Absent if nothing declares datasets. An opened dataset becomes a source of the run. */
  readonly dataset?: <C extends Columns>(dataset: DatasetForm<C>) => Promise<DatasetReader<RowOf<C>>>;
  /** Absent if the operator has named no other nodes. */
  readonly peers?: Peers;
  /** Absent if only upstreams are called. */
  readonly askStranger?: GuardedFetch;
}

const noBooks = (): never => {
  throw new Error("this run has no books to read, write or sign with");
};
const noConfig = (): never => {
  throw new Error("this run has no configuration to read");
};
const askNobody: GuardedFetch = async () => ({
  ok: false,
  rule: "connect",
  reason: "strangers are not asked",
  hops: [],
});
/** Facts about the node that do not exist: every use is an error. */
const NO_NODE = new Proxy({} as NodeFacts, { get: noBooks });
const NO_BOOKS: RunBooks = {
  records: { head: noBooks, read: noBooks, append: noBooks, appendAll: noBooks, settle: noBooks },
  signer: { node_id: "", key_id: "", public_key: "", sign: noBooks },
};

export interface UpstreamRunOptions<H extends History> {
  readonly now_ms: number;
  readonly signal: AbortSignal;
  readonly history: H;
  /** Throws for a provider that the product or job does not name; absent if any may be called. */
  readonly mayCall?: (provider: ProviderDefinition) => void;
  /** Default: a buyer. */
  readonly purpose?: RunPurpose;
  /** Remaining time of the run, which limits the wait of a call for its turn. */
  readonly limit_ms?: number;
}

export type UpstreamContext<H extends History> = SourceContext & {
  readonly history: H;
  readonly table: JobSourceContext["table"];
  readonly records: WritableRecords;
  readonly peers: Peers;
  readonly download: JobSourceContext["download"];
  readonly drain: JobSourceContext["drain"];
  /** The calls so far, including failed ones; equal entries once. */
  sources(): Source[];
  /** Rows left out of answers, with one warning for each provider. */
  rowWarnings(): string[];
  /**
   * The error to refuse a sale with, if only this node's own rate limit caused something to be missing; null otherwise.
   */
  missed(): NodeError | null;
  /** Whether a call failed without a replacement by another provider, so that missing data may be available soon. */
  isThin(): boolean;
};

export interface Upstream {
  usable(provider: ProviderDefinition): boolean;
  /** The reason why a provider is unusable, or for a chain, with the key to set; null if it is usable. */
  whyNot(provider: ProviderDefinition, chain?: string): WhyWithheld | null;
  /** The operator's settings for a provider's own keys, or for a plugin's table. */
  config(of: TObject | ProviderDefinition): unknown;
  /** Creates the context for one run of a product or job. With a writable history it is a JobSourceContext. */
  createContext<H extends History>(run: UpstreamRunOptions<H>): UpstreamContext<H>;
  /** Status of every provider called so far. */
  status(): ProviderStatus[];
  /** Ends the connections of streams. */
  close(): void;
  /** Time since which breakers block every address of a provider; null while it may be called. */
  shutSince(provider: string): number | null;
  /** The used part of a provider's quotas. */
  quotas(provider: ProviderDefinition): readonly QuotaStatus[];
}

/** The most calls of a run: no product needs more, and a runaway loop stops here. */
const CALLS_PER_RUN_MAX = 1_000;
/** Longest wait of a call for its turn while another provider may have the data. */
const HURRY_MS = 2_000;
/** Time that a call needs after its wait. */
const CALL_MS = 1_000;
const JOB_WAIT_MS = 600_000;

const failed = ({ id }: ProviderDefinition, kind: UpstreamErrorKind, why: string): UpstreamError =>
  new UpstreamError(kind, id, `${id}: ${why}`);

/** The failed calls that caused an error. */
const listCauses = (error: unknown): readonly unknown[] =>
  isNodeError(error) ? (error.options.causes ?? []).flatMap(listCauses) : [error];

/**
 * The node's client for its upstreams. Each call passes, in this order: terms and keys, cache, single flight, address
 * failover, rate limit and quotas, breaker and pauses, one attempt with its checks, retries. Answers are frozen,
 * because several callers share them: copy before sorting.
 */
export function createUpstream(options: UpstreamOptions): Upstream {
  const shared = createFlightShared(options);
  const tokens = createTokens(shared);
  const answers = createSharedAnswers(options.clock);
  const { clock, log, connect } = options;
  const sockets = createSockets({
    clock,
    timers: shared.timers,
    random: shared.random,
    log,
    ...(connect ? { connect } : {}),
  });
  const { books = NO_BOOKS, contact, config = noConfig } = options;
  // Set for everything that an attempt calls, at any depth, so that it need not be a parameter of every reader.
  const hurry = new AsyncLocalStorage<true>();
  const whyNot = (provider: ProviderDefinition, settings = options.settings(provider)) =>
    whyNotUsable(provider, settings, { allow_terms: options.allow_terms, contact });
  const countAddresses = ({ chains = {} }: ProviderDefinition, chain: string): number =>
    (options.chain_rpc(chain) ?? (Object.hasOwn(chains, chain) ? chains[chain] : undefined) ?? []).length;

  const prepare = (provider: ProviderDefinition, target: RequestTarget): UpstreamCall => {
    const settings = options.settings(provider);
    const why = whyNot(provider, settings);
    if (why !== null) throw failed(provider, "upstream_auth", why.for_buyers);
    return createCall(provider, target, { settings, chain_rpc: options.chain_rpc });
  };
  const credentialsOf = ({ provider, settings }: UpstreamCall, patience: () => Patience | null) =>
    tokens.of(provider, { settings, chain_rpc: options.chain_rpc }, patience);

  const send = async (call: UpstreamCall, request: AnyRequest, run: CallRun): Promise<unknown> => {
    const { provider, addresses } = call;
    const rule = createRule(provider, request);
    const key = getSharedKey(call, rule);
    const answer = await answers.get({
      key,
      reading: rule,
      ttl_ms: request.ttl_ms,
      revalidate: request.revalidate ?? false,
      signal: run.signal,
      patience: run.patience,
      start: ({ patience, known }) => {
        const credentials = credentialsOf(call, patience);
        return fly(shared, createFlightRequest(call, { rule, patience, known, credentials }));
      },
    });
    if (answer === "full") throw failed(provider, "upstream_unavailable", "too many different calls at once");
    if (answer === "left") {
      const url = addresses[0]?.shown ?? "";
      run.record([{ url, fetched_at_ms: options.clock.now(), error: "upstream_timeout" }]);
      throw failed(provider, "upstream_timeout", "the caller's time was up before it answered");
    }
    run.record(answer.calls);
    const { outcome } = answer;
    if (outcome.ok) {
      const { reading, dropped, is_own } = outcome;
      if (dropped) run.noteDropped(key, dropped);
      if (dropped && is_own) shared.onDropped(provider.id, addresses[0]?.shown ?? "", dropped);
      return reading;
    }
    if ("error" in outcome) throw outcome.error;
    const secrets = addresses.flatMap((address) => address.secrets);
    throw failed(provider, "upstream_bad_response", renderReason(outcome.refused, secrets));
  };

  const drain = <S extends TSchema, T>(
    provider: ProviderDefinition,
    request: SubscriptionRequest<S, T>,
    addSource: SourceList["add"],
  ): Drained<T> => {
    const { addresses } = prepare(provider, request);
    const drained = sockets.drain(createStream(provider, request, addresses));
    addSource(provider, [{ url: addresses[0]?.shown ?? "", fetched_at_ms: options.clock.now() }]);
    // What `request.read` made of messages that match `request.schema`.
    return drained as Drained<T>;
  };

  /** Downloads are neither kept nor shared, because each has its own file. */
  const download = async (call: UpstreamCall, request: DownloadRequest, run: CallRun): Promise<Download> => {
    const patience = () => (run.signal.aborted ? null : run.patience());
    const { calls, outcome } = await fly(
      shared,
      createFlightRequest(call, {
        rule: { ...DOWNLOAD, errors: listErrorForms(call.provider, request) },
        patience,
        known: request.known,
        credentials: credentialsOf(call, patience),
        openSink: () => createFileSink(request),
      }),
    );
    run.record(calls);
    if (!outcome.ok) throw outcome.error;
    const { fetched_at_ms } = outcome.call;
    return outcome.unchanged
      ? { unchanged: true, fetched_at_ms }
      : { unchanged: false, fetched_at_ms, ...(outcome.reading as Downloaded) };
  };

  return {
    close: sockets.close,
    config,
    usable: (provider) => whyNot(provider) === null,
    whyNot: (provider, chain) =>
      whyNot(provider) ?? (chain === undefined || countAddresses(provider, chain) > 0 ? null : toNoChain(chain)),
    status: () => shared.status(),
    shutSince: (provider) => shared.shutSince(provider),
    quotas: (provider) =>
      shared.quotas.status(provider.id, { ...provider.limits.quotas, ...options.settings(provider).quotas }),
    createContext({ now_ms, signal, history, mayCall, purpose = "buyer", limit_ms }) {
      const sources = createSourceList(options.simulated);
      const dropped_rows = createDroppedList();
      const until_ms = limit_ms === undefined ? undefined : shared.timers.elapsed_ms() + limit_ms;
      const is_urgent = purpose === "buyer";
      const unasked = new Set<unknown>();
      // Failed calls that no other provider replaced.
      const missing = new Set<unknown>();
      let calls = 0;
      const usable = (provider: ProviderDefinition) => whyNot(provider) === null;
      const patienceOf = (in_hurry: boolean) => (): Patience => {
        if (in_hurry) return { is_urgent, wait_max_ms: HURRY_MS };
        const left_ms = until_ms === undefined ? undefined : until_ms - shared.timers.elapsed_ms() - CALL_MS;
        return { is_urgent, wait_max_ms: left_ms ?? (is_urgent ? HURRY_MS : JOB_WAIT_MS) };
      };
      const make = async <T>(
        provider: ProviderDefinition,
        attribution: AnyRequest["attribution"],
        work: (run: CallRun) => Promise<T>,
      ): Promise<T> => {
        mayCall?.(provider);
        calls += 1;
        if (calls > CALLS_PER_RUN_MAX) throw failed(provider, "upstream_unavailable", "too many calls in one run");
        if (signal.aborted) throw failed(provider, "upstream_timeout", "the caller's time is up");
        try {
          const record = (made: readonly CallRecord[]) => sources.add(provider, made, attribution);
          const noteDropped = (key: string, dropped: DroppedRows) => dropped_rows.add(provider.id, key, dropped);
          return await work({ signal, record, noteDropped, patience: patienceOf(hurry.getStore() === true) });
        } catch (error) {
          if (error instanceof UpstreamError && error.own_limit) unasked.add(error);
          // "No such subject" counts as an answer.
          if (!(error instanceof UpstreamError && error.kind === "upstream_not_found")) missing.add(error);
          if (error instanceof UpstreamError) throw error;
          const message = `${provider.id}: the call could not be made`;
          throw new UpstreamError("upstream_unavailable", provider.id, message, { cause: error });
        }
      };
      return {
        now_ms,
        signal,
        simulated: options.simulated,
        history,
        peers: NO_PEERS,
        node: NO_NODE,
        table: noBooks,
        ...books,
        async dataset<C extends Columns>(definition: DatasetForm<C>): Promise<DatasetReader<RowOf<C>>> {
          const reader = await (books.dataset ?? noBooks)(definition);
          for (const source of reader.sources) sources.cite(source);
          return reader;
        },
        askStranger: (request) => {
          const ask = books.askStranger ?? askNobody;
          if (request.outlives_run === true) return ask(request);
          const both = request.signal ? AbortSignal.any([signal, request.signal]) : signal;
          return ask({ ...request, signal: both });
        },
        inTurn: async (piece) => thread_turns.run(is_urgent ? "buyer" : "patient", piece),
        usable,
        countAddresses,
        ...createAsking({
          usable,
          signal,
          may_be_thin: purpose === "job",
          inHurry: (work) => hurry.run(true, work),
          onMadeGood: (errors) => {
            for (const error of errors.flatMap(listCauses)) {
              unasked.delete(error);
              missing.delete(error);
            }
          },
        }),
        config: (of: TObject | ProviderDefinition) => config(of) as never,
        get<S extends TSchema, T = Static<S>>(provider: ProviderDefinition, typed: UpstreamRequest<S, T>): Promise<T> {
          const request: AnyRequest = { ...typed, schema: typed.schema as TSchema };
          // What `read` made of an answer that matches `schema`.
          return make(provider, typed.attribution, (run) =>
            send(prepare(provider, request), request, run),
          ) as Promise<T>;
        },
        download: (provider, request) =>
          make(provider, request.attribution, (run) => download(prepare(provider, request), request, run)),
        drain: (provider, request) => {
          mayCall?.(provider);
          return drain(provider, request, sources.add);
        },
        cite: sources.cite,
        sources: sources.list,
        rowWarnings: dropped_rows.list,
        isThin: () => missing.size > 0,
        missed: () => {
          const [error] = unasked;
          return error === undefined || purpose === "job" ? null : toTooBusy(error);
        },
      };
    },
  };
}

/** The facts about its run that a call needs. */
interface CallRun {
  readonly signal: AbortSignal;
  readonly record: (calls: readonly CallRecord[]) => void;
  /** Called with the rows left out of the answer with that key. */
  readonly noteDropped: (key: string, dropped: DroppedRows) => void;
  readonly patience: () => Patience;
}
