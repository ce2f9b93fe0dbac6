import type { Catalog } from "../../catalog/catalog.ts";
import type { JobContext, WritableHistory } from "../../catalog/context.ts";
import type { ProviderDefinition } from "../../catalog/provider.ts";
import type { Config, ProviderTable } from "../../config/schema.ts";
import { renderTime, sleep, startTimeLimit, systemClock, systemTimers } from "../../core/clock.ts";
import { messageOf, NodeError } from "../../core/errors.ts";
import { createIdentity } from "../../core/identity.ts";
import { composeUpstream } from "../../node/compose-catalog.ts";
import { composeStores } from "../../node/compose-stores.ts";
import type { LoadedPlugins } from "../../node/parts.ts";
import { createMemoryRecords } from "../../records/memory-records.ts";
import { VERSION } from "../../releases/version.ts";
import type { Log } from "../../telemetry/log.ts";
import { createNodeSigner } from "../../trust/node-signer.ts";
import type { RunBooks, Upstream } from "../../upstream/client.ts";
import type { ProviderStatus } from "../../upstream/provider-status.ts";
import type { QuotaStatus, QuotaStore } from "../../upstream/quotas.ts";
import type { CheckFinding } from "./finding.ts";
import type { Recorder } from "./record-answers.ts";

export interface ProviderRehearsal {
  readonly config: Config;
  readonly plugins: LoadedPlugins;
  /** The catalog that the node would sell. */
  readonly catalog: Catalog;
  readonly upstream: Pick<Upstream, "usable" | "quotas">;
  readonly quotas: QuotaStore;
  readonly log: Log;
  /** An empty folder, so that nothing of the real data folder is opened. */
  readonly folder: string;
  /** Records answers. With it every product or job runs to its end, until each endpoint has answered once. */
  readonly recorder?: Recorder | undefined;
}

/** Providers checked at the same time. */
const AT_ONCE = 8;
/** The most products or jobs tried until one calls the provider. */
const PIECES_MAX = 3;
const PIECE_MS_MAX = 15_000;
const LOOK_EVERY_MS = 50;
const TIMEOUT_MS = 10_000;
const QUOTA_WARN = 0.8;

/**
 * Runs, for every provider in use, one product or job that reads it, with all alternatives switched off, so that its
 * answer goes through the same reader and schema as in a sale. Nothing is sold or kept. If no product or job calls a
 * provider without stored data, the check only tests whether it answers at all. A failed provider is tried once more,
 * alone.
 */
export async function rehearseProviders(rehearsal: ProviderRehearsal): Promise<readonly CheckFinding[]> {
  const { catalog, upstream, folder, log, plugins } = rehearsal;
  const { market, stores } = composeStores(
    { data_dir: folder, clock: systemClock, log },
    { is_simulated: false, plugins: plugins.plugins },
  );
  const books: RunBooks = {
    records: createMemoryRecords(systemClock.now),
    signer: createNodeSigner(createIdentity()),
    table: stores.table,
    dataset: async (dataset) => stores.datasets.open(dataset, systemClock.now()),
  };
  try {
    // Endpoints of chains are checked one by one elsewhere.
    const asked = catalog.providers.filter((one) => one.chains === undefined && upstream.usable(one));
    const stage = { books, history: stores.history };
    const findings: CheckFinding[] = [];
    const failed: ProviderDefinition[] = [];
    const queue = [...asked];
    const work = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const finding = await rehearseOne(rehearsal, next, stage);
        if (finding.level === "fail") failed.push(next);
        else findings.push(finding);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    // Many calls at once can overload a small machine or a slow line, which is not the provider's fault.
    for (const one of failed) findings.push(await rehearseOne(rehearsal, one, stage));
    return findings.sort((a, b) => a.subject.localeCompare(b.subject));
  } finally {
    stores.close();
    market.close();
  }
}

interface Stage {
  readonly books: RunBooks;
  readonly history: WritableHistory;
}

/** A product or job that reads a provider. */
interface Piece {
  readonly name: string;
  readonly providers: readonly ProviderDefinition[];
  readonly requires: readonly (readonly ProviderDefinition[])[];
  readonly deadline_ms: number;
  readonly run: (context: JobContext) => Promise<unknown>;
}

const reads =
  ({ id }: ProviderDefinition) =>
  ({ providers }: Pick<Piece, "providers">): boolean =>
    providers.some((one) => one.id === id);

/** Products with the parameters of their published example, then jobs; those with the fewest other providers first. */
function listPieces({ catalog }: ProviderRehearsal, provider: ProviderDefinition): readonly Piece[] {
  const products = catalog.products.map(({ path, params, definition }): Piece => {
    const { providers, requires, deadline_ms } = definition;
    const run = async (context: JobContext) =>
      definition.fetch(context, params.fromBody(definition.example.params).params);
    return { name: path, providers, requires, deadline_ms, run };
  });
  const jobs = catalog.plugins.flatMap((plugin) =>
    plugin.jobs.map(({ id, providers, deadline_ms, run }): Piece => {
      return { name: `job ${plugin.id}/${id}`, providers, requires: [], deadline_ms, run };
    }),
  );
  const pick = (pieces: readonly Piece[]) =>
    pieces
      .filter(reads(provider))
      .sort((a, b) => a.providers.length - b.providers.length)
      .slice(0, PIECES_MAX);
  return [...pick(products), ...pick(jobs)];
}

async function rehearseOne(
  rehearsal: ProviderRehearsal,
  provider: ProviderDefinition,
  stage: Stage,
): Promise<CheckFinding> {
  const quotas = rehearsal.upstream.quotas(provider);
  const reached = await reach(rehearsal.config, provider);
  // If the host cannot be reached, every product or job would wait in vain.
  if (reached.level === "fail") return withQuota(reached, quotas);
  let found: CheckFinding | undefined;
  for (const piece of listPieces(rehearsal, provider)) {
    const status = await makePiece(rehearsal, { provider, piece }, stage);
    if (status) found ??= judge(status, piece);
    // A provider that refuses gets no further calls.
    if (found && (found.level !== "ok" || !rehearsal.recorder?.lacks(provider.id))) break;
  }
  return withQuota(found ?? reached, quotas);
}

/** The providers for a run: the one to check, and the first usable one of each group without it. */
function castFor(
  { requires }: Piece,
  provider: ProviderDefinition,
  upstream: ProviderRehearsal["upstream"],
): Set<string> {
  const needed = requires
    .filter((group) => !group.some(({ id }) => id === provider.id))
    .flatMap((group) => group.find((one) => upstream.usable(one)) ?? []);
  return new Set([provider, ...needed].map(({ id }) => id));
}

/** Result of the calls to the provider during the run; null if there was no call. */
async function makePiece(
  { config, plugins, upstream, quotas, log, recorder }: ProviderRehearsal,
  { provider, piece }: { readonly provider: ProviderDefinition; readonly piece: Piece },
  { books, history }: Stage,
): Promise<ProviderStatus | null> {
  const cast = castFor(piece, provider, upstream);
  const tables: Record<string, ProviderTable> = { ...config.providers.tables };
  for (const { id } of piece.providers) {
    if (!cast.has(id)) tables[id] = { ...tables[id], enabled: false } as ProviderTable;
  }
  const alone = composeUpstream({
    config: { ...config, providers: { ...config.providers, tables } },
    plugins: plugins.plugins,
    clock: systemClock,
    log,
    version: VERSION,
    sandbox: null,
    market: { quotas },
    books,
    watchCall: recorder?.watchCall,
  });
  const limit_ms = Math.min(piece.deadline_ms, PIECE_MS_MAX);
  const stop = new AbortController();
  const limit = startTimeLimit(systemTimers, limit_ms, stop.signal);
  const { signal } = limit;
  const find = () => alone.status().find((one) => one.provider === provider.id) ?? null;
  // One checked answer is enough; the node reads the rest of a job's data later.
  const judged = async () => {
    while (find() === null) await sleep(systemTimers, LOOK_EVERY_MS, signal);
  };
  const { now } = systemClock;
  const base = alone.createContext({ now_ms: now(), signal, history, purpose: "job", limit_ms });
  const ask = () => Promise.reject(new NodeError("upstream_unavailable", "a rehearsal asks for no other product"));
  try {
    const made = piece.run({ ...base, ask, payer: null, model: null });
    // The provider's answers count, not the success of the run. Models cost money, so none is called.
    await (recorder ? Promise.race([made, limited(signal)]) : Promise.race([made, judged()])).catch(() => undefined);
    return find();
  } finally {
    stop.abort();
    limit.end();
    alone.close();
  }
}

/** Fails when the time is up, because a run may ignore its signal. */
const limited = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));

/** The advice for each kind of failure. */
const ADVICE: readonly (readonly [string, string])[] = [
  ["upstream_auth", "check its key in [providers.<id>], and what your plan allows"],
  ["upstream_rate_limited", "a plan that allows more, or a lower [providers.<id>] rate_per_s"],
  ["upstream_bad_response", "its answers have another shape than this version reads: look for a newer one"],
];

function judge({ provider, ok, calls, last_error = "" }: ProviderStatus, { name }: Piece): CheckFinding {
  const base = { area: "provider", subject: provider } as const;
  // "No such subject" is an answer of the expected shape.
  if (ok || last_error.startsWith("upstream_not_found")) {
    return { ...base, level: "ok", says: `${calls} calls answered as ${name} expects` };
  }
  const advice =
    ADVICE.find(([kind]) => last_error.startsWith(kind))?.[1] ?? "see whether it is down, and your way there";
  const level = last_error.startsWith("upstream_rate_limited") ? "warn" : "fail";
  return { ...base, level, says: last_error, todo: advice.replace("<id>", provider) };
}

/** Checks that anything answers at a provider's address. */
async function reach({ providers }: Config, { id, base_urls }: ProviderDefinition): Promise<CheckFinding> {
  const base = { area: "provider", subject: id } as const;
  const url = providers.tables[id]?.base_url ?? base_urls[0];
  if (url === undefined) return { ...base, level: "skipped", says: "has no address of its own" };
  try {
    const { status } = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (status < 500) {
      return {
        ...base,
        level: "ok",
        says: `reachable (HTTP ${status}); what reads it needs stored data, so no answer was judged`,
      };
    }
    return { ...base, level: "fail", says: `answers HTTP ${status}`, todo: "see whether it is down" };
  } catch (error) {
    return { ...base, level: "fail", says: messageOf(error), todo: "see whether it is down, and your way there" };
  }
}

/** Adds the used part of a quota. */
function withQuota(finding: CheckFinding, quotas: readonly QuotaStatus[]): CheckFinding {
  const fullest = [...quotas].sort((a, b) => b.spent / b.limit - a.spent / a.limit)[0];
  if (!fullest) return finding;
  const { spent, limit, period, resets_at_ms } = fullest;
  const anew = renderTime(resets_at_ms);
  const says = `${finding.says}; ${spent} of ${limit} calls of this ${period} spent, anew at ${anew}`;
  if (spent < QUOTA_WARN * limit || finding.level !== "ok") return { ...finding, says };
  return { ...finding, says, level: "warn", todo: "a larger plan; what needs it fails uncharged when it is spent" };
}
