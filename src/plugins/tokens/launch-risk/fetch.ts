import { type FetchContext, NodeError } from "intel-node";
import type { Subject } from "../facts/subject.ts";
import { type Assessment, fetchAssessment } from "../judge/assess.ts";
import {
  countLaunches,
  type FactoryWatch,
  isFactoryChain,
  readFactoryWatch,
  readOrigins,
} from "../launches/factory-watch.ts";
import { citeStored, readNewest, readStored, type StoredAssessment } from "../launches/store.ts";
import { assessments } from "../launches/tables.ts";

const DAY_MS = 86_400_000;
const RATED_MAX = 2_000;

export interface LaunchRiskInputs {
  readonly read_at_ms: number;
  readonly single: Assessment | null;
  readonly stored: readonly StoredAssessment[];
  /** Newest verdict of each token of the last day. */
  readonly verdicts: readonly string[];
  /** The source of each launch, by token. */
  readonly origins: ReadonlyMap<string, string>;
  readonly launches: number | null;
  readonly watch: FactoryWatch | null;
}

async function readVerdicts(context: FetchContext): Promise<readonly string[]> {
  const at_ms = { from: context.now_ms - DAY_MS, to: context.now_ms };
  const rows = await context.table(assessments).find({ where: { at_ms }, order: ["at_ms"], limit: RATED_MAX });
  return [...new Map(rows.map(({ token, verdict }) => [token, verdict])).values()];
}

/** @throws NodeError for an unknown token, or when no launch was judged in the last half hour. */
export async function fetchLaunchRisk(
  context: FetchContext,
  { subject, chain, limit }: { readonly subject: Subject | null; readonly chain: string; readonly limit: number },
): Promise<LaunchRiskInputs> {
  const verdicts = await readVerdicts(context);
  const base = { read_at_ms: context.now_ms, verdicts };
  if (subject) {
    const single = await fetchAssessment(context, subject, await readStored(context, subject));
    const origins = await readOrigins(context, subject.chain, [subject.address]);
    return { ...base, stored: [], single, origins, launches: null, watch: null };
  }
  const stored = (await readNewest(context, chain)).slice(0, limit);
  if (stored.length === 0) {
    throw new NodeError(
      "upstream_unavailable",
      `No launch on ${chain} was judged in the last 30 minutes. Nothing was charged.`,
    );
  }
  citeStored(context, stored);
  const watch = isFactoryChain(chain) ? await readFactoryWatch(context, chain, DAY_MS) : null;
  const [origins, launches] = await Promise.all([
    readOrigins(
      context,
      chain,
      stored.map(({ token }) => token),
    ),
    countLaunches(context, chain, context.now_ms - DAY_MS),
  ]);
  return { ...base, stored, single: null, origins, launches, watch };
}
