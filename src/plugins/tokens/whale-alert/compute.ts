import { type Computed, renderTime, renderUnits } from "intel-node";
import { PACE, STORED_MIN_USD, WHALE_CHAINS } from "../whales/chains.ts";
import { findDecimals } from "../whales/decimals.ts";
import { classify, findLabel } from "../whales/labels.ts";
import { describeNotes } from "../whales/notes.ts";
import type { TransferRow } from "../whales/tables.ts";
import type { WhaleAlertInputs } from "./fetch.ts";
import type { WhaleAlertData } from "./schema.ts";

type Alert = WhaleAlertData["alerts"][number];

const TOGETHER_BLOCKS = 10;
const WHOLE_RATIO = 0.8;

interface Group {
  readonly first: TransferRow;
  readonly last_block: number;
  readonly amount: bigint;
  readonly usd: number;
  readonly parts: number;
}

/** Transfers of one token between the same two within ten blocks, as one. */
export function collapse(rows: readonly TransferRow[]): readonly Group[] {
  const open = new Map<string, Group>();
  const groups: Group[] = [];
  for (const row of [...rows].sort((a, b) => a.block - b.block || a.log_index - b.log_index)) {
    const key = `${row.chain} ${row.token} ${row.from} ${row.to}`;
    const known = open.get(key);
    const fresh = { first: row, last_block: row.block, amount: BigInt(row.amount), usd: row.usd, parts: 1 };
    if (known && row.block - known.last_block <= TOGETHER_BLOCKS) {
      const amount = known.amount + fresh.amount;
      open.set(key, {
        first: known.first,
        last_block: row.block,
        amount,
        usd: known.usd + row.usd,
        parts: known.parts + 1,
      });
      continue;
    }
    if (known) groups.push(known);
    open.set(key, fresh);
  }
  return [...groups, ...open.values()];
}

function describeAlert({ first, amount, usd, parts }: Group): readonly Alert[] {
  const { tx, log_index, asset, from, to, block, at_ms, total_usd } = first;
  const chain = WHALE_CHAINS.find((one) => one === first.chain);
  if (!chain) return [];
  const is_trade = chain === "solana";
  const decimals = findDecimals(first);
  return [
    {
      id: `${chain}:${tx}:${log_index}`,
      chain,
      kind: is_trade ? "dex_trade" : "transfer",
      class: is_trade ? "trade" : classify(from, to),
      asset,
      amount: decimals === null ? null : renderUnits(amount, decimals),
      usd,
      // Of several parts it would be that of the first alone.
      tx_total_usd: parts === 1 ? total_usd : null,
      from: from === "" ? null : from,
      from_label: findLabel(from)?.name ?? null,
      to: to === "" ? null : to,
      to_label: findLabel(to)?.name ?? null,
      tx,
      block,
      before: renderTime(at_ms),
      parts,
    },
  ];
}

/**
 * Inflow less outflow of labelled exchanges, by token, and how much of the value has a label at all. Trades in pools
 * are not transfers.
 */
export function getNetflows(all: readonly TransferRow[]): WhaleAlertData["exchange_netflow"] {
  const rows = all.filter(({ chain }) => chain !== "solana");
  const assets = [...new Set(rows.map(({ asset }) => asset))].sort();
  return assets.map((asset) => {
    const own = rows.filter((row) => row.asset === asset).map((row) => ({ ...row, class: classify(row.from, row.to) }));
    const sum = (list: readonly { readonly usd: number }[]) => list.reduce((total, { usd }) => total + usd, 0);
    const inflow_usd = sum(own.filter((row) => row.class === "exchange_inflow"));
    const outflow_usd = sum(own.filter((row) => row.class === "exchange_outflow"));
    const labelled = sum(own.filter((row) => row.class !== "unknown"));
    return { asset, net_usd: inflow_usd - outflow_usd, inflow_usd, outflow_usd, labelled_share: labelled / sum(own) };
  });
}

export function computeWhaleAlert(
  inputs: WhaleAlertInputs,
  { min_usd, limit }: { readonly min_usd: number; readonly limit: number },
): Computed<WhaleAlertData> {
  const { rows, scanned, pools, native, from_ms, read_at_ms } = inputs;
  const large = collapse(rows)
    .filter(({ usd }) => usd >= min_usd)
    .sort((a, b) => b.usd - a.usd);
  const chains = scanned.map(({ chain, blocks, blocks_expected }) => ({
    chain,
    blocks_scanned: Math.min(blocks, blocks_expected),
    blocks_expected,
    confirmations: PACE[chain].confirmations,
  }));
  const thin = chains.filter(({ blocks_scanned, blocks_expected }) => blocks_scanned < WHOLE_RATIO * blocks_expected);
  return {
    as_of_ms: Math.max(...[...scanned, ...pools].map(({ newest_ms }) => newest_ms)),
    data: {
      window: { from: renderTime(from_ms), to: renderTime(read_at_ms) },
      min_usd,
      count: large.length,
      alerts: large.slice(0, limit).flatMap(describeAlert),
      exchange_netflow: getNetflows(rows),
      coverage: {
        chains,
        native: native.map(({ chain, blocks, blocks_expected }) => ({
          chain,
          blocks_scanned: blocks,
          blocks_expected,
          internal: "not_seen",
        })),
        pools: pools.map(({ pool, name, listed, read }) => ({
          chain: "solana",
          pool,
          name,
          listed,
          read,
          commitment: "finalized",
        })),
      },
    },
    warnings: [
      ...thin.map(
        ({ chain, blocks_scanned, blocks_expected }) =>
          `coverage: ${blocks_scanned} of ${blocks_expected} blocks of ${chain} were read`,
      ),
      ...native.flatMap(({ chain, blocks, blocks_expected }) =>
        blocks < WHOLE_RATIO * blocks_expected
          ? [`coverage.native: for ether itself ${blocks} of ${blocks_expected} blocks of ${chain} were read`]
          : [],
      ),
      ...describeNotes(inputs.notes, "coverage"),
      ...inputs.cut.map((chain) => `coverage: the oldest transfers of ${chain} are left out, there are too many`),
      ...pools.map(({ name, listed, read }) => `coverage: of ${name} on solana ${read} of ${listed} trades were read`),
      `exchange_netflow: of transfers from ${STORED_MIN_USD} US dollars between labelled addresses only`,
      "alerts: USDC, USDT, DAI, WETH, WBTC, cbBTC on Ethereum and Base (stablecoins count at 1 US dollar), bitcoin; " +
        "of ether itself what transactions carry, not what contracts pay out inside of them",
    ],
  };
}
