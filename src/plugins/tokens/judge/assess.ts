import { type FetchContext, getOwn, toTooBusy } from "intel-node";
import { findCreatorConflict } from "../facts/creators.ts";
import { type FactReading, mergeReadings, type StoredReading, type TokenFacts } from "../facts/fact.ts";
import { listTop10Bounds } from "../facts/holders.ts";
import { fetchProfile, isThin, listSilent, type TokenProfile } from "../facts/profile.ts";
import { readFacts } from "../facts/read-facts.ts";
import { warnOfDisagreement } from "../facts/second-node.ts";
import { isEVM, isIssuer, type Subject } from "../facts/subject.ts";
import { launches } from "../launches/tables.ts";
import { type Judgement, judge } from "./judge.ts";

/** A token with all that was read of it, and what LR-1 says. */
export interface Assessment {
  readonly profile: TokenProfile;
  readonly readings: readonly FactReading[];
  readonly facts: TokenFacts;
  readonly judgement: Judgement;
}

/** Sources whose silence may have hidden a danger. The tape and the round trip have their own facts. */
const GUARDS: readonly string[] = ["mint", "powers", "rugcheck", "goplus", "honeypot", "pairs", "trade", "holders"];

/** What a profile and stored findings come to. Pure. */
export function assess(profile: TokenProfile, stored: readonly StoredReading[] = []): Assessment {
  const { subject, read_at_ms } = profile;
  const readings = readFacts(profile);
  const facts = mergeReadings(readings, stored, read_at_ms);
  const silent = listSilent(profile).flatMap(({ part }) => (GUARDS.includes(part) ? [part] : []));
  const options = { is_evm: isEVM(subject), is_issuer: isIssuer(subject), silent };
  const judgement = judge(facts, options);
  const creators = findCreatorConflict(profile);
  const conflicts = creators ? [...judgement.conflicts, { fact: "creator" as const, values: creators }] : [];
  return { profile, readings, facts, judgement: creators ? { ...judgement, conflicts } : judgement };
}

/** Reads and judges one token for a buyer. @throws NodeError */
export async function fetchAssessment(
  context: FetchContext,
  subject: Subject,
  stored: readonly StoredReading[] = [],
): Promise<Assessment> {
  const profile = await fetchProfile(context, subject);
  if (isThin(profile)) throw toTooBusy(listSilent(profile)[0]?.error);
  return assess({ ...profile, launch: await findLaunch(context, subject) }, stored);
}

/** Its creator, where this node watched: as in /pump-monitor and the factories' lists. */
async function findLaunch(
  context: FetchContext,
  { chain, address }: Subject,
): Promise<NonNullable<TokenProfile["launch"]> | null> {
  const row = await context.table(launches).first({ where: { chain, token: address } });
  return row ? { source: row.source, creator: row.creator } : null;
}

const PARTS: Readonly<Record<string, string>> = {
  mint: "authorities: the chain did not answer (solana_rpc)",
  powers: "owner: the chain did not answer (evm_rpc)",
  rugcheck: "insiders, holders: rugcheck did not answer",
  goplus: "powers, taxes: goplus did not answer",
  honeypot: "sell: honeypot.is did not answer",
  holders: "holders: blockscout did not answer",
  pairs: "liquidity, age, flow: dexscreener did not answer",
  tape: "bundle: the tape of pump.fun did not answer",
  trade: "sell: no trade could be simulated",
  round_trip: "sell: raydium has no round trip, which is no proof of a trap",
};

/** Parts that only confirm another one. */
const AGAIN: readonly string[] = ["mint_again", "powers_again"];

/** A warning of every answer made of opinions and tables: none of them states its time. */
export const UNDATED = "facts: no source of these but the chain states a time; they are taken to be as new as the call";

/** Which sources were silent, as warnings. */
export const warnOf = (profile: TokenProfile): readonly string[] => [
  ...listSilent(profile).flatMap(({ part }) =>
    AGAIN.includes(part) ? [] : (getOwn(PARTS, part) ?? `${part}: no answer`),
  ),
  ...warnOfDisagreement(profile),
  ...listTop10Bounds(profile)
    .slice(0, 1)
    .map(
      ({ source, min, max }) =>
        `top10_pct: fewer than ten holders are listed (${source}); it lies between ${min.toFixed(2)} and ` +
        `${max.toFixed(2)}, and the worse bound counts`,
    ),
  UNDATED,
];

export const SCOPE_NOTE =
  "Not checked: whether the sources are right, the owner's plans, other pools, who the holders are.";
