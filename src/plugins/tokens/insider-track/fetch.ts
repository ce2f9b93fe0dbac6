import { type FetchContext, NodeError } from "intel-node";
import { getBundle, getCreatorSold, type WalletBundle } from "../facts/bundle.ts";
import type { FactId, TokenFacts } from "../facts/fact.ts";
import { mergeReadings } from "../facts/fact.ts";
import { fetchAssessment, warnOf } from "../judge/assess.ts";
import { citeStored, readNewest, readStored, type StoredAssessment } from "../launches/store.ts";
import type { TokenData } from "../parameters/token-schema.ts";
import { describeToken } from "../written/describe.ts";

export interface InsiderRow {
  readonly token: TokenData;
  readonly created_at_ms: number | null;
  readonly at_ms: number;
  readonly facts: TokenFacts;
  readonly bundle: WalletBundle | null;
  readonly creator_sold: number | null;
}

export interface InsiderTrackInputs {
  readonly read_at_ms: number;
  readonly rows: readonly InsiderRow[];
  readonly warnings: readonly string[];
}

async function fetchOne(context: FetchContext, mint: string): Promise<InsiderTrackInputs> {
  const subject = { chain: "solana", address: mint } as const;
  const { profile, facts } = await fetchAssessment(context, subject, await readStored(context, subject));
  const tape = profile.tape?.ok ? profile.tape.value : null;
  if (!profile.rugcheck?.ok && !tape) {
    throw new NodeError(
      "upstream_unavailable",
      "Neither RugCheck nor the tape answers for this mint. Nothing was charged.",
    );
  }
  const age = facts.age_min.value;
  const row: InsiderRow = {
    token: describeToken(profile),
    created_at_ms: age === null ? null : profile.read_at_ms - age * 60_000,
    at_ms: profile.read_at_ms,
    facts,
    bundle: tape && getBundle(tape),
    creator_sold: tape && getCreatorSold(tape),
  };
  return { read_at_ms: context.now_ms, rows: [row], warnings: warnOf(profile) };
}

/** Facts as they were when the launch was judged. */
async function readRow(context: FetchContext, row: StoredAssessment): Promise<InsiderRow> {
  const readings = await readStored(context, { chain: "solana", address: row.token });
  const known: readonly FactId[] = ["insider_pct", "creator_pct", "prior_launches", "prior_rug", "bundle_pct"];
  const { bundle, creator_sold } = row.extra as { bundle: WalletBundle | null; creator_sold: number | null };
  const { token } = row.item as { token: TokenData };
  const facts = mergeReadings(readings.filter(({ fact }) => known.includes(fact)));
  return { token, created_at_ms: row.created_at_ms, at_ms: row.at_ms, facts, bundle, creator_sold };
}

/** @throws NodeError when nothing was judged in the last half hour, or neither source answers for the mint. */
export async function fetchInsiderTrack(context: FetchContext, mint: string | undefined): Promise<InsiderTrackInputs> {
  if (mint !== undefined) return fetchOne(context, mint);
  const stored = await readNewest(context, "solana");
  if (stored.length === 0) {
    throw new NodeError("upstream_unavailable", "No launch was looked at in the last 30 minutes. Nothing was charged.");
  }
  citeStored(context, stored);
  const rows = await Promise.all(stored.slice(0, 60).map((row) => readRow(context, row)));
  return { read_at_ms: context.now_ms, rows, warnings: [] };
}
