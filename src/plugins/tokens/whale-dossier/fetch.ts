import { type Static, Type } from "@sinclair/typebox";
import { type FetchContext, NodeError, outcomeOf, readNewest, readPages, renderTime, type Source } from "intel-node";
import { fetchRPCBatch } from "intel-node/chains";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { SCANNED, SCANNED_CHAINS, type ScannedChain } from "../whales/chains.ts";
import { findLabel } from "../whales/labels.ts";
import { dropWrapped } from "../whales/scan-native.ts";
import { scans, type TransferRow, transfers } from "../whales/tables.ts";
import { type Mover, rankMovers } from "./movers.ts";

const Maybe = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) => Type.Union([schema, Type.Null()]);
/** What is read of /wallet-scan. */
const Scan = Type.Object({
  account_type: Type.String(),
  total_usd: Maybe(Type.Number()),
  age_days: Maybe(Type.Number()),
  tx_count: Maybe(Type.Integer()),
  last_active: Maybe(Type.String()),
});
/** What is read of /job/wallet-audit. */
const Audit = Type.Object({
  verdict: Type.Union([Type.Literal("BLOCK"), Type.Literal("CAUTION"), Type.Literal("CLEAR")]),
  basis: Type.String(),
  risk: Type.Number(),
  screens: Type.Array(Type.Object({ id: Type.String(), status: Type.String() })),
});

export interface DossierFacts {
  readonly mover: Mover;
  /** Null for an address that was named. */
  readonly rank: number | null;
  readonly scan: Static<typeof Scan> | null;
  readonly audit: Static<typeof Audit> | null;
}

export interface WhaleDossierInputs {
  readonly read_at_ms: number;
  readonly newest_ms: number;
  /** Of the subjects alone. */
  readonly rows: readonly TransferRow[];
  /** Chains with more transfers than can be read: the oldest of them are missing. */
  readonly cut: readonly ScannedChain[];
  readonly subjects: readonly DossierFacts[];
  readonly left_out: { readonly labelled: number; readonly contracts: number };
  readonly coverage: readonly {
    readonly chain: ScannedChain;
    readonly blocks_scanned: number;
    readonly blocks_expected: number;
  }[];
}

const WEEK_MS = 7 * 86_400_000;
const SILENT_MAX_MS = 20 * 60_000;
const ROWS_MAX = 10_000;
/** Addresses whose code is looked at, and how many are described. */
const [LOOKED_AT, DESCRIBED] = [12, 3];
const Code = Type.String({ pattern: "^0x([0-9a-fA-F]{2})*$", maxLength: 100_000 });
/** Code of an EIP-7702 account: it is a person's wallet. */
const DELEGATION = "0xef0100";

async function readCoverage(context: FetchContext, chain: ScannedChain) {
  let [blocks, newest_ms] = [0, 0];
  const query = { where: { chain }, by: "at_ms", from: context.now_ms - WEEK_MS, to: context.now_ms } as const;
  for await (const page of readPages(context, context.table(scans), query)) {
    newest_ms ||= page[0]?.at_ms ?? 0;
    for (const { from_block, to_block } of page) blocks += to_block - from_block + 1;
  }
  const blocks_expected = Math.floor(WEEK_MS / 1000 / SCANNED[chain].block_s);
  return { chain, blocks_scanned: Math.min(blocks, blocks_expected), blocks_expected, newest_ms };
}

/** Which of some addresses are contracts; one without a known code does not count. */
async function findContracts(context: FetchContext, movers: readonly Mover[]): Promise<ReadonlySet<string>> {
  const found = await Promise.all(
    SCANNED_CHAINS.map(async (chain) => {
      const own = movers.filter((one) => one.chain === chain);
      if (own.length === 0) return [];
      const codes = await fetchRPCBatch(context, evmRpc, {
        chain,
        method: "eth_getCode",
        calls: own.map(({ address }) => [address, "latest"]),
        result: Code,
        ttl_ms: 3_600_000,
        read: (code: string) => ({ is_contract: code !== "0x" && !code.startsWith(DELEGATION) }),
      });
      return own.filter((_, index) => {
        const code = codes[index];
        return code?.ok === true && code.value.is_contract;
      });
    }),
  );
  return new Set(found.flat().map(({ chain, address }) => `${chain} ${address}`));
}

async function describe(context: FetchContext, mover: Mover, rank: number | null): Promise<DossierFacts> {
  const { address } = mover;
  const [scan, audit] = await Promise.all([
    outcomeOf(context.ask("/wallet-scan", { address }, Scan)),
    outcomeOf(context.ask("/job/wallet-audit", { address }, Audit)),
  ]);
  return { mover, rank, scan: scan.ok ? scan.value.data : null, audit: audit.ok ? audit.value.data : null };
}

/** Transfers from or to the subjects. */
function listOwn(rows: readonly TransferRow[], subjects: readonly DossierFacts[]): readonly TransferRow[] {
  const own = new Set(subjects.map(({ mover }) => `${mover.chain} ${mover.address}`));
  return rows.filter(({ chain, from, to }) => own.has(`${chain} ${from}`) || own.has(`${chain} ${to}`));
}

/** @throws NodeError subject_not_found for an address that moved nothing, upstream_unavailable without a fresh scan. */
export async function fetchWhaleDossier(context: FetchContext, address?: string): Promise<WhaleDossierInputs> {
  const { now_ms } = context;
  const coverage = await Promise.all(SCANNED_CHAINS.map((chain) => readCoverage(context, chain)));
  const live = coverage.filter(({ newest_ms }) => now_ms - newest_ms <= SILENT_MAX_MS);
  if (live.length === 0) {
    throw new NodeError("upstream_unavailable", "No chain was scanned in the last 20 minutes. Nothing was charged.");
  }
  for (const { chain, newest_ms } of live) {
    const source: Source = {
      provider: "evm_rpc",
      url: `eth_getLogs of ${chain}`,
      fetched_at: renderTime(newest_ms),
      ok: true,
    };
    context.cite(context.simulated ? { ...source, simulated: true } : source);
  }
  const read = await Promise.all(
    live.map(({ chain }) =>
      readNewest(context, context.table(transfers), {
        where: { chain },
        by: "at_ms",
        from: now_ms - WEEK_MS,
        to: now_ms,
        rows_max: ROWS_MAX,
      }),
    ),
  );
  const rows = await context.inTurn(() => dropWrapped(read.flatMap((one) => one.rows)));
  const movers = await context.inTurn(() => rankMovers(rows, now_ms));
  const tell = (subjects: readonly DossierFacts[], left_out: WhaleDossierInputs["left_out"]): WhaleDossierInputs => ({
    read_at_ms: now_ms,
    newest_ms: Math.max(...live.map(({ newest_ms }) => newest_ms)),
    coverage,
    rows: listOwn(rows, subjects),
    cut: live.flatMap(({ chain }, index) => (read[index]?.is_cut ? [chain] : [])),
    subjects,
    left_out,
  });
  if (address !== undefined) {
    const named = movers.find((one) => one.address === address);
    if (!named) throw new NodeError("subject_not_found", "That address moved nothing large within seven days here.");
    return tell([await describe(context, named, null)], { labelled: 0, contracts: 0 });
  }
  const today = movers.filter(({ gross_usd_24h }) => gross_usd_24h > 0);
  const unlabelled = today.filter((one) => findLabel(one.address) === null).slice(0, LOOKED_AT);
  const contracts = await findContracts(context, unlabelled);
  const chosen = unlabelled.filter(({ chain, address: one }) => !contracts.has(`${chain} ${one}`)).slice(0, DESCRIBED);
  if (chosen.length === 0) {
    throw new NodeError(
      "upstream_unavailable",
      "Nobody but labelled addresses and contracts moved much. Nothing was charged.",
    );
  }
  const subjects = await Promise.all(chosen.map((mover, index) => describe(context, mover, index + 1)));
  const labelled = today.slice(0, LOOKED_AT).filter((one) => findLabel(one.address) !== null).length;
  return tell(subjects, { labelled, contracts: contracts.size });
}
