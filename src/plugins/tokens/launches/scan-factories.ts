import { checksumAddress, type JobContext } from "intel-node";
import { fetchBlockHash } from "intel-node/providers/evm-rpc/block-hash";
import { type BlockHead, fetchHead } from "intel-node/providers/evm-rpc/head";
import { type EvmLog, fetchLogs } from "intel-node/providers/evm-rpc/logs";
import { readAgreedHash } from "../whales/agreed-hash.ts";
import { type ScanBook, takeBack } from "../whales/blocks.ts";
import { getStretchOf, SCANNED, type ScannedChain } from "../whales/chains.ts";
import { CREATION_TOPICS, FACTORIES, FACTORY_PACE, readCreation } from "./factories.ts";
import { type CreatedPoolRow, createdPools, factoryNotes, factoryScans } from "./factory-tables.ts";

/** Blocks asked for at once at first: a quarter of an hour. */
const SPAN: Readonly<Record<ScannedChain, number>> = { ethereum: 75, base: 450 };
/** Tokens looked up at once. */
const KNOWN_AT_ONCE = 500;
const ROWS_AT_ONCE = 5_000;

/** Keeps a sentence about a scan of factories. */
export async function noteFactories(context: JobContext, chain: ScannedChain, what: string): Promise<void> {
  await context.table(factoryNotes).insert([{ chain, at_ms: context.now_ms, what }]);
}

const createFactoryBook = (context: JobContext, chain: ScannedChain): ScanBook => ({
  findLast: () => context.table(factoryScans).first({ where: { chain }, order: ["-to_block"] }),
  async forget({ from_block, to_block }) {
    await context.table(createdPools).remove({ chain, block: { from: from_block, to: to_block } });
    await context.table(factoryScans).remove({ chain, to_block });
  },
  note: (what) => noteFactories(context, chain, what),
});

/** Logs carry no time: a block's is counted back from the newest one's. */
const timeOf = (chain: ScannedChain, head: BlockHead, block: number): number =>
  head.at_ms - (head.block - block) * SCANNED[chain].block_s * 1000;

/** Logs as rows; whether a pool is its token's first is not known yet. */
function toRows(chain: ScannedChain, head: BlockHead, logs: readonly EvmLog[]): readonly CreatedPoolRow[] {
  return logs.flatMap((log): readonly CreatedPoolRow[] => {
    const read = readCreation(chain, log);
    if (!read) return [];
    const token = read.token === null ? "" : checksumAddress(read.token);
    const { transaction_hash: tx, log_index, block_number: block } = log;
    return [
      { ...read, chain, token, is_launch: token !== "", tx, log_index, block, at_ms: timeOf(chain, head, block) },
    ];
  });
}

/** Of several pools of a token the first one launched it, and none where an earlier one is stored. */
async function markFirst(
  context: JobContext,
  { chain, from_block }: { readonly chain: ScannedChain; readonly from_block: number },
  rows: readonly CreatedPoolRow[],
) {
  const tokens = [...new Set(rows.flatMap(({ token }) => (token === "" ? [] : [token])))];
  const seen = new Set<string>();
  for (let at = 0; at < tokens.length; at += KNOWN_AT_ONCE) {
    const some = { in: tokens.slice(at, at + KNOWN_AT_ONCE) };
    const where = { chain, token: some, block: { below: from_block } };
    const known = await context.table(createdPools).find({ where, limit: 10_000 });
    for (const { token } of known) seen.add(token);
  }
  return rows.map((row) => {
    const is_launch = row.is_launch && !seen.has(row.token);
    seen.add(row.token);
    return { ...row, is_launch };
  });
}

/**
 * Reads which pools a chain's factories made since the last scan, as deep as its confirmations and an hour back at
 * most: whole stretches or nothing, each pool once. Rows of blocks that left the chain are taken back first.
 * @throws UpstreamError or Disagreement; nothing is stored then, and the next run reads it again.
 */
export async function scanFactories(context: JobContext, chain: ScannedChain): Promise<void> {
  const head = await fetchHead(context, chain);
  const last = await takeBack(createFactoryBook(context, chain), (block) => fetchBlockHash(context, { chain, block }));
  const stretch = getStretchOf(FACTORY_PACE[chain], head.block, last?.to_block);
  if (!stretch) return;
  const own = FACTORIES.filter((one) => one.chain === chain);
  const [to_hash, logs] = await Promise.all([
    readAgreedHash(context, chain, stretch.to_block),
    fetchLogs(context, {
      chain,
      address: own.map(({ address }) => address),
      topics: [[...new Set(own.map(({ kind }) => CREATION_TOPICS[kind]))]],
      ...stretch,
      span: SPAN[chain],
    }),
  ]);
  const rows = await markFirst(context, { chain, from_block: stretch.from_block }, toRows(chain, head, logs));
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    await context.table(createdPools).put(rows.slice(at, at + ROWS_AT_ONCE));
  }
  await context.table(factoryScans).insert([{ chain, ...stretch, to_hash, at_ms: head.at_ms }]);
}
