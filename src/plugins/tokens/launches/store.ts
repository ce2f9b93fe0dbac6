import { canonicalJSON, type FetchContext, type JobContext, type Source, sha256Hex } from "intel-node";
import type { FactId, StoredReading } from "../facts/fact.ts";
import type { Subject } from "../facts/subject.ts";
import type { Assessment } from "../judge/assess.ts";
import { describeItem, getPrice } from "../written/describe.ts";
import { assessments, launches, readings } from "./tables.ts";

const FRESH_MS = 30 * 60_000;
const ROWS_MAX = 200;
/** A launch is judged when the first minutes are over. */
export const YOUNGEST_MS = 3 * 60_000;

/** What sources said of a token within the last day. */
export async function readStored(
  context: Pick<FetchContext, "table">,
  { chain, address }: Subject,
): Promise<readonly StoredReading[]> {
  const rows = await context.table(readings).find({ where: { chain, token: address } });
  return rows.map(({ fact, source, value, at_ms }) => ({ fact: fact as FactId, source, value, at_ms }));
}

/** Keeps a verdict, and what it was made of. */
export async function writeAssessment(
  context: Pick<JobContext, "table" | "now_ms">,
  assessment: Assessment,
  more: { readonly created_at_ms: number; readonly sources: readonly Source[]; readonly extra: unknown },
): Promise<void> {
  const { profile, judgement, facts } = assessment;
  const { chain, address: token } = profile.subject;
  const at_ms = context.now_ms;
  const read = new Map(assessment.readings.map((one) => [`${one.fact} ${one.source}`, one]));
  await context.table(readings).put([...read.values()].map((one) => ({ ...one, chain, token, at_ms })));
  await context.table(assessments).put([
    {
      chain,
      token,
      at_ms,
      created_at_ms: more.created_at_ms,
      verdict: judgement.verdict,
      basis: judgement.basis,
      risk: judgement.risk,
      inputs_sha256: sha256Hex(canonicalJSON([...read.values()])),
      price_usd: getPrice(profile),
      liquidity_usd: facts.liquidity_usd.value,
      item: describeItem(assessment, more.created_at_ms),
      extra: more.extra,
      sources: [...more.sources],
    },
  ]);
}

export type StoredAssessment = Awaited<ReturnType<typeof readNewest>>[number];

/** The newest verdict of each token judged within the last half hour, newest launch first. */
export async function readNewest(context: Pick<FetchContext, "table" | "now_ms">, chain: string) {
  const since = { from: context.now_ms - FRESH_MS, to: context.now_ms };
  const rows = await context
    .table(assessments)
    .find({ where: { chain, at_ms: since }, order: ["-at_ms"], limit: ROWS_MAX });
  const newest = new Map<string, (typeof rows)[number]>();
  for (const row of rows) if (!newest.has(row.token)) newest.set(row.token, row);
  return [...newest.values()].sort((a, b) => b.created_at_ms - a.created_at_ms);
}

/** Names the sources a stored verdict was made of: one call of each provider. */
export function citeStored(
  context: Pick<FetchContext, "cite">,
  rows: readonly { readonly sources: readonly unknown[] }[],
): void {
  const newest = new Map<string, Source>();
  for (const source of rows.flatMap(({ sources }) => sources as readonly Source[])) {
    const known = newest.get(source.provider);
    if (!known || (!known.ok && source.ok)) newest.set(source.provider, source);
  }
  for (const source of newest.values()) context.cite(source);
}

/** The newest launch that is old enough to be judged; null without a stored one of the last hours. */
export async function findFreshLaunch(context: Pick<FetchContext, "table" | "now_ms">, chain = "solana") {
  const created_at_ms = { from: context.now_ms - 6 * 3_600_000, to: context.now_ms - YOUNGEST_MS };
  return context.table(launches).first({ where: { chain, created_at_ms }, order: ["-created_at_ms"] });
}
