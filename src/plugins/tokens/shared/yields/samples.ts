import { Type } from "@sinclair/typebox";
import { defineSeries, type JobContext, outcomeOf } from "intel-node";
import { fetchViews } from "intel-node/providers/evm-rpc/multicall";
import { fetchAccounts } from "intel-node/providers/solana-rpc/accounts";
import { fetchSlotTime } from "intel-node/providers/solana-rpc/slot-time";
import {
  type AccountReader,
  type ContractReader,
  YIELD_CHAINS,
  type YieldChain,
  type YieldReading,
} from "./protocol.ts";
import { YIELD_READERS, type YieldReader } from "./readers.ts";

const Nullable = Type.Union([Type.Number(), Type.Null()]);

/** What each protocol's contract said, once an hour. Samples of the first version know neither utilisation nor cap. */
export const yieldSamples = defineSeries({
  name: "tokens/yields",
  value: Type.Object({
    rate_apy_pct: Nullable,
    share_price: Nullable,
    is_paused: Type.Union([Type.Boolean(), Type.Null()]),
    utilization_pct: Type.Optional(Nullable),
    cap_used_pct: Type.Optional(Nullable),
    block_at_ms: Type.Integer({ minimum: 1 }),
  }),
  every: "1h",
  keep: "40d",
  storage: "kept",
  cited: true,
});

export type YieldSample = Omit<YieldReading, "utilization_pct" | "cap_used_pct"> &
  Partial<Pick<YieldReading, "utilization_pct" | "cap_used_pct">> & { readonly block_at_ms: number };

const BLOCK_AGE_MAX_MS = 120_000;

const isOf =
  (chain: YieldChain) =>
  (reader: YieldReader): boolean =>
    reader.chain === chain;
const isContract = (reader: YieldReader): reader is ContractReader & { id: string } => reader.chain !== "solana";
const isAccount = (reader: YieldReader): reader is AccountReader & { id: string } => reader.chain === "solana";

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
  const ask = async (lists: readonly ContractReader["views"][]) => {
    const views = lists.flat();
    if (views.length === 0) return null;
    const read = await fetchViews(context, { chain, views, ttl_ms: 5_000, age_max_ms: BLOCK_AGE_MAX_MS });
    return {
      ...read,
      parts: share(
        read.results,
        lists.map(({ length }) => length),
      ),
    };
  };
  const first = await ask(readers.map(({ views }) => views));
  if (!first) return;
  const more = await ask(readers.map(({ more: listMore }, index) => listMore?.(first.parts[index] ?? []) ?? []));
  for (const [index, reader] of readers.entries()) {
    const reading = reader.read(first.parts[index] ?? [], more?.parts[index] ?? []);
    if (reading) await yieldSamples.write(context, { ...reading, block_at_ms: first.block_at_ms }, { of: reader.id });
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
    if (reading) await yieldSamples.write(context, { ...reading, block_at_ms }, { of: reader.id });
  }
}

/** Asks every protocol's contract. @throws UpstreamError when no chain answers. */
export async function sampleYields(context: JobContext): Promise<void> {
  const done = await Promise.all(
    YIELD_CHAINS.map((chain) =>
      outcomeOf(chain === "solana" ? sampleAccounts(context) : sampleContracts(context, chain)),
    ),
  );
  const [failed] = done.filter((one) => !one.ok);
  if (failed && !failed.ok && done.every((one) => !one.ok)) throw failed.error;
}
