import type { Static, TSchema } from "@sinclair/typebox";
import type { FetchContext, History, Source } from "../catalog/context.ts";
import type { ProviderDefinition, TermsClass, UpstreamRequest } from "../catalog/provider.ts";
import type { Clock } from "../core/clock.ts";
import { UpstreamError, type UpstreamErrorKind } from "../core/errors.ts";
import { canonicalJSON, sha256Hex } from "../core/hash.ts";
import { NO_PEERS, type Peers } from "../records/peer-statements.ts";
import type { NodeSigner, WritableRecords } from "../records/record-chain.ts";
import { type Address, getAddresses } from "./addresses.ts";
import { type FlightRequest, fly } from "./flight.ts";
import { createFlightShared, type FlightSharedOptions } from "./flight-shared.ts";
import type { ProviderStatus } from "./provider-status.ts";
import { renderReason } from "./redact-url.ts";
import { type ProviderSettings, whyNotUsable } from "./settings.ts";
import { createSharedAnswers } from "./shared-answers.ts";
import { type CallRecord, createSourceList } from "./sources.ts";

/**
 * `version` goes into the User-Agent; `fetch`, `random` (jitter only), `sleep` and `clock` are handed in so that tests
 * need no network and no waiting.
 */
export interface UpstreamOptions extends FlightSharedOptions {
  readonly clock: Clock;
  readonly settings: (provider: ProviderDefinition) => ProviderSettings;
  readonly allow_terms: readonly TermsClass[];
  /** Configured RPC addresses of a chain; undefined leaves the provider's own. */
  readonly chain_rpc: (chain: string) => readonly string[] | undefined;
  /** Whether the answers come from the sandbox; every source then says so. */
  readonly simulated: boolean;
  /** What runs may keep and sign; left out where nothing is run, and then every use of it fails. */
  readonly books?: RunBooks;
}

export interface RunBooks {
  readonly records: WritableRecords;
  readonly signer: NodeSigner;
  /** Left out where the operator named no other nodes. */
  readonly peers?: Peers;
}

const noBooks = (): never => {
  throw new Error("this run has no books to read, write or sign with");
};
const NO_BOOKS: RunBooks = {
  records: { head: noBooks, read: noBooks, append: noBooks, appendAll: noBooks, settle: noBooks },
  signer: { node_id: "", key_id: "", public_key: "", sign: noBooks },
};

export interface RunOptions<H extends History> {
  readonly now_ms: number;
  readonly signal: AbortSignal;
  readonly history: H;
  /** Throws for a provider that what is run does not name; left out where anything may be called. */
  readonly mayCall?: (provider: ProviderDefinition) => void;
}

export type UpstreamContext<H extends History> = FetchContext & {
  readonly history: H;
  readonly records: WritableRecords;
  readonly peers: Peers;
  /** What was called so far, failed calls included; equal entries once. */
  sources(): Source[];
};

export interface Upstream {
  usable(provider: ProviderDefinition): boolean;
  /** Why a provider is not usable, naming the key to set; null when it is. */
  whyNot(provider: ProviderDefinition): string | null;
  /** What one run of a product or job uses. With a writable history it is a JobContext. */
  createContext<H extends History>(run: RunOptions<H>): UpstreamContext<H>;
  /** Of every provider called so far. */
  status(): ProviderStatus[];
}

/** No product needs more; a loop that got out of hand stops here. */
const CALLS_PER_RUN_MAX = 1_000;

type AnyRequest = UpstreamRequest<TSchema>;

interface Call {
  readonly provider: ProviderDefinition;
  readonly request: AnyRequest;
  readonly settings: ProviderSettings;
  readonly addresses: readonly Address[];
  /** Canonical JSON: equal bodies are equal texts. */
  readonly body: string | undefined;
}

const keyOf = ({ provider, request, body, addresses }: Call): string =>
  sha256Hex(
    JSON.stringify([
      provider.id,
      request.chain ?? "",
      request.format ?? "json",
      request.path,
      body ?? "",
      // A reloaded configuration must not be answered from the old address.
      addresses[0]?.key ?? "",
    ]),
  );

function createFlightRequest(call: Call, isWanted: () => boolean): FlightRequest {
  const { provider, request, settings, addresses, body } = call;
  return {
    provider,
    addresses,
    chain: request.chain,
    body,
    format: request.format ?? "json",
    expectation: request,
    timeout_ms: request.timeout_ms ?? settings.timeout_ms ?? provider.limits.timeout_ms,
    rate_per_s: settings.rate_per_s ?? provider.limits.rate_per_s,
    isWanted,
  };
}

const failed = ({ id }: ProviderDefinition, kind: UpstreamErrorKind, why: string): UpstreamError =>
  new UpstreamError(kind, id, `${id}: ${why}`);

/**
 * The node's way to its upstreams. Around each call, in this order: terms and keys, cache, single flight, address
 * failover, rate limit, breaker and pauses, one attempt with its checks, retries. Answers are frozen, because several
 * callers share them: copy before sorting.
 */
export function createUpstream(options: UpstreamOptions): Upstream {
  const shared = createFlightShared(options);
  const answers = createSharedAnswers(options.clock);
  const { books = NO_BOOKS } = options;
  const whyNot = (provider: ProviderDefinition, settings = options.settings(provider)) =>
    whyNotUsable(provider, settings, options.allow_terms);

  const prepare = (provider: ProviderDefinition, request: AnyRequest): Call => {
    const settings = options.settings(provider);
    const why = whyNot(provider, settings);
    if (why !== null) throw failed(provider, "upstream_auth", why);
    const addresses = getAddresses(provider, request, { settings, chain_rpc: options.chain_rpc });
    const body = request.body === undefined ? undefined : canonicalJSON(request.body);
    return { provider, request, settings, addresses, body };
  };

  const send = async (call: Call, signal: AbortSignal, record: (calls: readonly CallRecord[]) => void) => {
    const { provider, request, addresses } = call;
    const answer = await answers.get({
      key: keyOf(call),
      expectation: request,
      ttl_ms: request.ttl_ms,
      signal,
      start: (isWanted) => fly(shared, createFlightRequest(call, isWanted)),
    });
    if (answer === "full") throw failed(provider, "upstream_unavailable", "too many different calls at once");
    if (answer === "left") {
      const url = addresses[0]?.shown ?? "";
      record([{ url, fetched_at_ms: options.clock.now(), error: "upstream_timeout" }]);
      throw failed(provider, "upstream_timeout", "the caller's time was up before it answered");
    }
    record(answer.calls);
    const { outcome } = answer;
    if (outcome.ok) return outcome.value;
    if ("error" in outcome) throw outcome.error;
    const secrets = addresses.flatMap((address) => address.secrets);
    throw failed(provider, "upstream_bad_response", renderReason(outcome.refused, secrets));
  };

  return {
    usable: (provider) => whyNot(provider) === null,
    whyNot: (provider) => whyNot(provider),
    status: () => shared.status(),
    createContext({ now_ms, signal, history, mayCall }) {
      const sources = createSourceList(options.simulated);
      let calls = 0;
      const call = async (provider: ProviderDefinition, request: AnyRequest): Promise<unknown> => {
        mayCall?.(provider);
        calls += 1;
        if (calls > CALLS_PER_RUN_MAX) throw failed(provider, "upstream_unavailable", "too many calls in one run");
        if (signal.aborted) throw failed(provider, "upstream_timeout", "the caller's time is up");
        try {
          return await send(prepare(provider, request), signal, (made) =>
            sources.add(provider, made, request.attribution),
          );
        } catch (error) {
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
        ...books,
        usable: (provider) => whyNot(provider) === null,
        getTakerBps: (provider) => options.settings(provider).taker_bps,
        async get<S extends TSchema>(provider: ProviderDefinition, request: UpstreamRequest<S>): Promise<Static<S>> {
          // Checked against request.schema before it gets here.
          return (await call(provider, request)) as Static<S>;
        },
        cite: sources.cite,
        sources: sources.list,
      };
    },
  };
}
