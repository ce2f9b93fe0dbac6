import { compareText, type JobContext, outcomeOf, renderTime } from "intel-node";
import { type DexPair, fetchTokenPairs, TOKENS_PER_CALL } from "intel-node/providers/dexscreener/pairs";
import { TOKEN_CHAINS, type TokenChain } from "intel-node/providers/issuer-tokens";
import { ownPairs } from "../facts/profile.ts";
import { assessments } from "../launches/tables.ts";
import { aggregate } from "../markets/markets.ts";
import {
  DAY_MS,
  GRADES_CHAIN,
  type GradeRow,
  readGrade,
  toRows,
  VERDICTS_CHAIN,
  type VerdictOutcome,
  verdictGrades,
} from "./verdict-records.ts";

/** Verdicts that are taken up in an hour. */
const TAKEN_MAX = 20;
/** Grades that are given in an hour. */
const GRADED_MAX = 120;
const HOUR_MS = 3_600_000;
/** A price later than this says nothing of the day it was due. */
const LATE_MAX_MS = DAY_MS;
const [RUGGED_RATIO, FELL_RATIO, LIQUIDITY_MIN_USD] = [0.1, 0.5, 1_000];

const isChain = (chain: string): chain is TokenChain => TOKEN_CHAINS.some((one) => one === chain);

/** What became of a token, by what its pools say now. */
export function judgeOutcome(
  { price_usd, due_ms }: Pick<GradeRow, "price_usd" | "due_ms">,
  market: { readonly price_usd: number | null; readonly liquidity_usd: number | null; readonly pools: number },
  now_ms: number,
): VerdictOutcome {
  if (now_ms - due_ms > LATE_MAX_MS) return "missed";
  const ratio = (market.price_usd ?? 0) / price_usd;
  const is_drained = market.liquidity_usd !== null && market.liquidity_usd < LIQUIDITY_MIN_USD;
  if (market.pools === 0 || is_drained || ratio <= RUGGED_RATIO) return "rugged";
  return ratio <= FELL_RATIO ? "fell" : "held";
}

/** Brings the table up to date with the chains: a crash may have come between the two. */
async function repair(context: JobContext): Promise<void> {
  const [verdicts, grades] = await Promise.all([
    context.records.read(VERDICTS_CHAIN, { limit: TAKEN_MAX, newest: true }),
    context.records.read(GRADES_CHAIN, { limit: GRADED_MAX, newest: true }),
  ]);
  const table = context.table(verdictGrades);
  for (const row of verdicts.flatMap(toRows)) {
    const { chain, token, horizon_d } = row;
    if (!(await table.first({ where: { chain, token, horizon_d } }))) await table.insert([row]);
  }
  for (const { chain, token, horizon_d, outcome } of grades.map(readGrade)) {
    const row = await table.first({ where: { chain, token, horizon_d } });
    if (row?.outcome === null) await table.put([{ ...row, outcome }]);
  }
}

/**
 * Takes up verdicts of the last hour, one a token and only with a price: which of them is decided by the hash of their
 * inputs, so that there is no choice.
 */
async function takeUp(context: JobContext): Promise<void> {
  const table = context.table(verdictGrades);
  const found = await context
    .table(assessments)
    .find({ where: { at_ms: { from: context.now_ms - HOUR_MS } }, order: ["at_ms"], limit: 1_000 });
  const first = new Map([...found].reverse().map((one) => [`${one.chain} ${one.token}`, one]));
  const drawn = [...first.values()]
    .filter(({ price_usd }) => price_usd !== null && price_usd > 0)
    .sort((a, b) => compareText(a.inputs_sha256, b.inputs_sha256))
    .slice(0, TAKEN_MAX);
  for (const { chain, token, verdict, basis, risk, at_ms, inputs_sha256, price_usd, liquidity_usd } of drawn) {
    if (await table.first({ where: { chain, token } })) continue;
    const stored = await context.records.append(VERDICTS_CHAIN, (link) => ({
      v: 1,
      ...link,
      chain,
      token,
      verdict,
      basis,
      risk: String(risk),
      judged_at: renderTime(at_ms),
      inputs_sha256,
      price_usd: String(price_usd),
      liquidity_usd: liquidity_usd === null ? null : String(liquidity_usd),
    }));
    await table.insert(toRows(stored));
  }
}

async function gradeSome(context: JobContext, chain: TokenChain, due: readonly GradeRow[]): Promise<void> {
  const asked = await outcomeOf(
    fetchTokenPairs(context, { chain, tokens: [...new Set(due.map(({ token }) => token))] }),
  );
  // Silence is not an outcome: it is asked again within a day, and is missed after that.
  const pairs: readonly DexPair[] | null = asked.ok ? asked.value : null;
  for (const row of due) {
    const { token, horizon_d, verdict_hash } = row;
    const is_late = context.now_ms - row.due_ms > LATE_MAX_MS;
    if (pairs === null && !is_late) continue;
    const market = aggregate(ownPairs(pairs ?? [], { chain, address: token }));
    const outcome = judgeOutcome(row, market, context.now_ms);
    const told = outcome === "missed" ? { price_usd: null, liquidity_usd: null } : market;
    await context.records.append(GRADES_CHAIN, (link) => ({
      v: 1,
      ...link,
      verdict_hash,
      chain,
      token,
      horizon_d,
      outcome,
      graded_at: renderTime(context.now_ms),
      price_usd: told.price_usd === null ? null : String(told.price_usd),
      liquidity_usd: told.liquidity_usd === null ? null : String(told.liquidity_usd),
    }));
    await context.table(verdictGrades).put([{ ...row, outcome }]);
  }
}

/** Takes up new verdicts and grades those whose day has come. @throws Error when the books cannot be written. */
export async function gradeVerdicts(context: JobContext): Promise<void> {
  await repair(context);
  await takeUp(context);
  const due = await context
    .table(verdictGrades)
    .find({ where: { outcome: null, due_ms: { to: context.now_ms } }, order: ["due_ms"], limit: GRADED_MAX });
  for (const chain of TOKEN_CHAINS) {
    const own = due.filter((row) => row.chain === chain && isChain(row.chain));
    for (let at = 0; at < own.length; at += TOKENS_PER_CALL) {
      await gradeSome(context, chain, own.slice(at, at + TOKENS_PER_CALL));
    }
  }
}
