import { Type } from "@sinclair/typebox";
import { defineSeries, type JobContext, outcomeOf } from "intel-node";
import { fetchViews } from "intel-node/providers/evm-rpc/multicall";
import { fetchAccounts } from "intel-node/providers/solana-rpc/accounts";
import { fetchSlotTime } from "intel-node/providers/solana-rpc/slot-time";
import { samplePrices } from "./prices.ts";
import {
  type AccountReader,
  BLOCK_AGE_MAX_MS,
  type ContractReader,
  ROUNDS_MAX,
  type ViewWords,
  YIELD_CHAINS,
  type YieldChain,
  type YieldReading,
} from "./protocol.ts";
import { YIELD_READERS, type YieldReader } from "./readers.ts";

const Nullable = Type.Union([Type.Number(), Type.Null()]);
const Whole = Type.String({ pattern: "^[0-9]{1,78}$" });
const Rewards = Type.Array(
  Type.Object({
    token: Type.String(),
    per_second: Whole,
    ends_at_ms: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
  }),
);

/** What each protocol's contract said, once an hour. Samples of earlier versions know less. */
export const yieldSamples = defineSeries({
  name: "tokens/yields",
  value: Type.Object({
    rate_apy_pct: Nullable,
    share_price: Nullable,
    is_paused: Type.Union([Type.Boolean(), Type.Null()]),
    utilization_pct: Type.Optional(Nullable),
    cap_used_pct: Type.Optional(Nullable),
    locked: Type.Optional(Type.Union([Whole, Type.Null()])),
    rewards: Type.Optional(Type.Union([Rewards, Type.Null()])),
    block_at_ms: Type.Integer({ minimum: 1 }),
  }),
  every: "1h",
  keep: "40d",
  storage: "kept",
  cited: true,
});

type Later = "utilization_pct" | "cap_used_pct" | "locked" | "rewards";
export type YieldSample = Omit<YieldReading, Later> &
  Partial<Pick<YieldReading, Later>> & { readonly block_at_ms: number };

const isOf =
  (chain: YieldChain) =>
  (reader: YieldReader): boolean =>
    reader.chain === chain;
const isContract = (reader: YieldReader): reader is ContractReader & { id: string } => reader.chain !== "solana";
const isAccount = (reader: YieldReader): reader is AccountReader & { id: string } => reader.chain === "solana";

const write = (
  context: JobContext,
  { id }: YieldReader,
  { rewards, ...sample }: YieldReading & { block_at_ms: number },
) => yieldSamples.write(context, { ...sample, rewards: rewards && [...rewards] }, { of: id });

/** Splits a list of answers into as many as each asked for. */
function share<T>(answers: readonly T[], counts: readonly number[]): readonly (readonly T[])[] {
  let at = 0;
  return counts.map((count) => {
    at += count;
    return answers.slice(at - count, at);
  });
}

async function sampleContracts(context: JobContext, chain: ContractReader["chain"]): Promise<void> {
  const readers = YIELD_READERS.filter(isOf(chain)).filter(isContract);
  const answers: (readonly ViewWords[])[][] = readers.map(() => []);
  let block_at_ms: number | null = null;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const lists = readers.map(({ views, more }, index) => (round === 0 ? views : (more?.(answers[index] ?? []) ?? [])));
    const views = lists.flat();
    if (views.length === 0) break;
    const read = await fetchViews(context, { chain, views, ttl_ms: 5_000, age_max_ms: BLOCK_AGE_MAX_MS });
    const counts = lists.map(({ length }) => length);
    for (const [index, part] of share(read.results, counts).entries()) answers[index]?.push(part);
    block_at_ms ??= read.block_at_ms;
  }
  if (block_at_ms === null) return;
  for (const [index, reader] of readers.entries()) {
    const reading = reader.read(answers[index] ?? []);
    if (reading) await write(context, reader, { ...reading, block_at_ms });
  }
}

async function sampleAccounts(context: JobContext): Promise<void> {
  const readers = YIELD_READERS.filter(isAccount);
  const { slot, accounts } = await fetchAccounts(
    context,
    readers.map(({ contract }) => contract),
  );
  const block_at_ms = await fetchSlotTime(context, slot, BLOCK_AGE_MAX_MS);
  for (const [index, reader] of readers.entries()) {
    const account = accounts[index];
    const reading = account ? reader.read(account) : null;
    if (reading) await write(context, reader, { ...reading, block_at_ms });
  }
}

/** Asks every protocol's contract. @throws UpstreamError when no chain answers. */
export async function sampleYields(context: JobContext): Promise<void> {
  const done = await Promise.all(
    YIELD_CHAINS.map((chain) =>
      outcomeOf(chain === "solana" ? sampleAccounts(context) : sampleContracts(context, chain)),
    ),
  );
  // Without a price a row still says what its contract says.
  await Promise.all(YIELD_CHAINS.map((chain) => outcomeOf(samplePrices(context, chain))));
  const [failed] = done.filter((one) => !one.ok);
  if (failed && !failed.ok && done.every((one) => !one.ok)) throw failed.error;
}
