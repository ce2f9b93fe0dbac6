import { type JobContext, outcomeOf } from "intel-node";
import { type DexPair, fetchTokenPairs, TOKENS_PER_CALL } from "intel-node/providers/dexscreener/pairs";
import { ownPairs } from "../facts/profile.ts";
import type { Subject } from "../facts/subject.ts";
import { SCANNED_CHAINS, type ScannedChain } from "../whales/chains.ts";
import { createdPools } from "./factory-tables.ts";
import { YOUNGEST_MS } from "./store.ts";
import { assessments, launches } from "./tables.ts";

/** A launch whose turn it is to be judged. */
export interface DueLaunch {
  readonly subject: Subject;
  readonly created_at_ms: number;
}

const HOUR_MS = 3_600_000;
/** Ages at which a launch is looked at again. */
const AGES_MS = [YOUNGEST_MS, 15 * 60_000, HOUR_MS] as const;
const YOUNG_MAX_MS = 6 * HOUR_MS;
const LISTED = 200;
const PER_RUN = { solana: 6, evm: 1 } as const;

const bornIn = ({ now_ms }: JobContext) => ({ from: now_ms - YOUNG_MAX_MS, to: now_ms - YOUNGEST_MS });

/** Whether its newest verdict is older than the last age it has to be looked at. */
const isDue = (launch: DueLaunch, newest: ReadonlyMap<string, number>, now_ms: number): boolean => {
  const mark_ms = AGES_MS.filter((age) => now_ms - launch.created_at_ms >= age).at(-1) ?? 0;
  return (newest.get(launch.subject.address) ?? 0) < launch.created_at_ms + mark_ms;
};

/** The launchpad's, newest first. */
async function listOfLaunchpad(context: JobContext): Promise<readonly DueLaunch[]> {
  const where = { chain: "solana", created_at_ms: bornIn(context) };
  const rows = await context.table(launches).find({ where, order: ["-created_at_ms"], limit: LISTED });
  return rows.map(({ token, created_at_ms }) => ({ subject: { chain: "solana", address: token }, created_at_ms }));
}

/** What factories made, newest first. */
async function listOfFactories(context: JobContext, chain: ScannedChain): Promise<readonly DueLaunch[]> {
  const where = { chain, is_launch: true, at_ms: bornIn(context) };
  const rows = await context.table(createdPools).find({ where, order: ["-at_ms"], limit: LISTED });
  return rows.map(({ token, at_ms }) => ({ subject: { chain, address: token }, created_at_ms: at_ms }));
}

/**
 * Of launches by factories those with most to sell into: most of what is launched there is never traded. A token whose
 * oldest pool is an hour older than the one the factory made was launched earlier: it is marked and left out.
 */
async function pickTraded(context: JobContext, chain: ScannedChain, due: readonly DueLaunch[]) {
  const asked = due.slice(0, TOKENS_PER_CALL);
  if (asked.length === 0) return [];
  const listed = await outcomeOf(
    fetchTokenPairs(context, { chain, tokens: asked.map(({ subject }) => subject.address) }),
  );
  if (!listed.ok) return [];
  const traded = asked.map((launch) => ({ launch, pairs: ownPairs(listed.value, launch.subject) }));
  const isOld = ({ launch, pairs }: { readonly launch: DueLaunch; readonly pairs: readonly DexPair[] }) =>
    pairs.some(({ created_at_ms }) => created_at_ms !== null && created_at_ms < launch.created_at_ms - HOUR_MS);
  for (const { launch } of traded.filter(isOld)) await markOld(context, chain, launch);
  const depth = (pairs: readonly DexPair[]): number => pairs[0]?.liquidity_usd ?? 0;
  return traded
    .filter((one) => !isOld(one) && depth(one.pairs) > 0)
    .sort((a, b) => depth(b.pairs) - depth(a.pairs))
    .map(({ launch }) => launch);
}

async function markOld(context: JobContext, chain: ScannedChain, { subject }: DueLaunch): Promise<void> {
  const table = context.table(createdPools);
  const rows = await table.find({ where: { chain, token: subject.address, is_launch: true } });
  await table.put(rows.map((row) => ({ ...row, is_launch: false })));
}

/** Launches whose turn it is: of Solana's launchpad the newest, of each EVM chain the one with most to sell into. */
export async function listDue(context: JobContext): Promise<readonly DueLaunch[]> {
  const { now_ms } = context;
  const done = await context
    .table(assessments)
    .find({ where: { at_ms: { from: now_ms - 8 * HOUR_MS } }, limit: 2_000, order: ["-at_ms"] });
  const newest = new Map<string, number>();
  for (const { token, at_ms } of done) newest.set(token, Math.max(newest.get(token) ?? 0, at_ms));
  const due = (list: readonly DueLaunch[]) => list.filter((one) => isDue(one, newest, now_ms));
  const of_launchpad = due(await listOfLaunchpad(context)).slice(0, PER_RUN.solana);
  const of_factories = await Promise.all(
    SCANNED_CHAINS.map(async (chain) => {
      const picked = await pickTraded(context, chain, due(await listOfFactories(context, chain)));
      return picked.slice(0, PER_RUN.evm);
    }),
  );
  return [...of_launchpad, ...of_factories.flat()];
}
