import { type Computed, type Draft, missing, missingIn, renderTime } from "intel-node";
import { STORED_MIN_USD } from "../whales/chains.ts";
import { classify, findLabel, TRANSFER_CLASSES } from "../whales/labels.ts";
import type { TransferRow } from "../whales/tables.ts";
import type { DossierFacts, WhaleDossierInputs } from "./fetch.ts";
import type { DossierSubject, WhaleDossierData } from "./schema.ts";

const HOUR_MS = 3_600_000;
const LARGEST = 3;
const RELATED = { transfers: 3, share: 0.2, most: 5 } as const;
const WHOLE_RATIO = 0.8;
const SCOPE_NOTE =
  "Transfers of 100,000 US dollars and more of USDC, USDT, DAI, WETH, WBTC and cbBTC on Ethereum and Base, in the " +
  "blocks that were read. Who stands behind an address is not known; native coins and other tokens are not seen.";

interface Leg {
  readonly row: TransferRow;
  readonly is_in: boolean;
  readonly other: string;
}

const sumOf = (legs: readonly Leg[]): number => legs.reduce((sum, { row }) => sum + row.usd, 0);
const split = (legs: readonly Leg[]) => ({
  in_usd: sumOf(legs.filter(({ is_in }) => is_in)),
  out_usd: sumOf(legs.filter(({ is_in }) => !is_in)),
});

function groupBy(legs: readonly Leg[], keyOf: (leg: Leg) => string): ReadonlyMap<string, readonly Leg[]> {
  const groups = new Map<string, Leg[]>();
  for (const leg of legs) {
    const own = groups.get(keyOf(leg));
    if (own) own.push(leg);
    else groups.set(keyOf(leg), [leg]);
  }
  return groups;
}

/** An address's transfers of a chain, from its side. */
function listLegs(rows: readonly TransferRow[], address: string, chain: string): readonly Leg[] {
  return rows
    .filter((row) => row.chain === chain && row.from !== row.to && (row.from === address || row.to === address))
    .map((row) => ({ row, is_in: row.to === address, other: row.to === address ? row.from : row.to }));
}

function listRelated(legs: readonly Leg[]): DossierSubject["related"] {
  const total = sumOf(legs);
  return [...groupBy(legs, ({ other }) => other)]
    .map(([address, own]) => ({ address, transfers: own.length, share: sumOf(own) / total }))
    .filter(({ transfers, share }) => transfers >= RELATED.transfers && share >= RELATED.share)
    .sort((a, b) => b.share - a.share)
    .slice(0, RELATED.most);
}

function listQuestions(scan: DossierFacts["scan"], legs: readonly Leg[]): readonly string[] {
  const unlabelled = legs.filter(({ row }) => classify(row.from, row.to) === "unknown");
  const share = Math.round((100 * sumOf(unlabelled)) / Math.max(1, sumOf(legs)));
  return [
    ...(share > 0 ? [`Who are the unlabelled other ends of ${share} % of its flow?`] : []),
    ...(scan === null || scan.age_days === null ? ["How old is it?"] : []),
    "Who stands behind it?",
  ];
}

/** An answer that is asked for has more members than are read. */
const pickProfile = ({
  account_type,
  total_usd,
  age_days,
  tx_count,
  last_active,
}: NonNullable<DossierFacts["scan"]>) => ({
  account_type,
  total_usd,
  age_days,
  tx_count,
  last_active,
});
const pickAudit = ({ verdict, basis, risk, screens }: NonNullable<DossierFacts["audit"]>) => ({
  verdict,
  basis,
  risk,
  screens: screens.map(({ id, status }) => ({ id, status })),
});

function describeSubject(
  { mover, rank, scan, audit }: DossierFacts,
  rows: readonly TransferRow[],
): Draft<DossierSubject> {
  const legs = listLegs(rows, mover.address, mover.chain);
  const { in_usd: in_usd_7d, out_usd: out_usd_7d } = split(legs);
  const by_asset = [...groupBy(legs, ({ row }) => row.asset)].map(([id, own]) => ({ id, ...split(own) }));
  const classes = groupBy(legs, ({ row }) => classify(row.from, row.to));
  return {
    address: mover.address,
    chain: mover.chain,
    why_selected: { gross_usd_24h: mover.gross_usd_24h, net_usd_24h: mover.net_usd_24h, rank },
    profile: scan
      ? missingIn(pickProfile(scan), `/wallet-scan does not know it of ${mover.address}`)
      : missing(`/wallet-scan gave no answer about ${mover.address}`),
    flows: {
      by_asset: by_asset.sort((a, b) => b.in_usd + b.out_usd - a.in_usd - a.out_usd),
      by_counterparty_class: TRANSFER_CLASSES.flatMap((id) => {
        const own = classes.get(id);
        return own ? [{ id, ...split(own) }] : [];
      }),
      in_usd_7d,
      out_usd_7d,
      transfers_7d: legs.length,
      hours_active: new Set(legs.map(({ row }) => Math.floor(row.at_ms / HOUR_MS))).size,
    },
    largest: legs
      .toSorted((a, b) => b.row.usd - a.row.usd)
      .slice(0, LARGEST)
      .map(({ row, is_in, other }) => ({
        asset: row.asset,
        usd: row.usd,
        direction: is_in ? ("in" as const) : ("out" as const),
        other,
        other_label: findLabel(other)?.name ?? null,
        tx: row.tx,
        before: renderTime(row.at_ms),
      })),
    related: listRelated(legs),
    audit: audit ? pickAudit(audit) : missing(`/job/wallet-audit gave no answer about ${mover.address}`),
    open_questions: [...listQuestions(scan, legs)],
  };
}

function listWarnings(inputs: WhaleDossierInputs): readonly string[] {
  const thin = inputs.coverage.filter((one) => one.blocks_scanned < WHOLE_RATIO * one.blocks_expected);
  return [
    ...thin.map((one) => `coverage: ${one.blocks_scanned} of ${one.blocks_expected} blocks of ${one.chain} were read`),
    ...inputs.cut.map((chain) => `coverage: the oldest transfers of ${chain} are left out, there are too many`),
    ...(inputs.subjects.length < 3 && inputs.subjects[0]?.rank !== null
      ? [`subjects: only ${inputs.subjects.length} moved ${STORED_MIN_USD} US dollars and more`]
      : []),
  ];
}

export function computeWhaleDossier(inputs: WhaleDossierInputs): Computed<Draft<WhaleDossierData>> {
  const subjects = inputs.subjects.map((one) => describeSubject(one, inputs.rows));
  return {
    as_of_ms: inputs.newest_ms,
    data: {
      subjects,
      left_out: { ...inputs.left_out },
      coverage: inputs.coverage.map(({ chain, blocks_scanned, blocks_expected }) => ({
        chain,
        blocks_scanned,
        blocks_expected,
      })),
      scope_note: SCOPE_NOTE,
      not_advice: true,
    },
    warnings: listWarnings(inputs),
  };
}
