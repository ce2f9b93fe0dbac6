import { expect, test } from "bun:test";
import { settled } from "../../../../test/helpers/settled.ts";
import type { TransferRow } from "../whales/tables.ts";
import { computeWhaleDossier } from "./compute.ts";
import { rankMovers } from "./movers.ts";
import type { WhaleDossierData } from "./schema.ts";

const NOW_MS = 1_790_000_000_000;
const [ANN, BEN, CAT] = [`0x${"a".repeat(40)}`, `0x${"b".repeat(40)}`, `0x${"c".repeat(40)}`];
const ZERO = `0x${"0".repeat(40)}`;
const BINANCE = "0x28c6c06298d514db089934071355e5743bf21d60";
let index = 0;
function row(from: string, to: string, usd: number, changes: Partial<TransferRow> = {}): TransferRow {
  index += 1;
  return {
    chain: "ethereum",
    tx: `0x${index}`,
    log_index: 1,
    block: 100 + index,
    block_hash: "0x",
    total_usd: null,
    token: "0xusdc",
    asset: "USDC",
    from,
    to,
    amount: "1",
    usd,
    at_ms: NOW_MS - 1_000,
    ...changes,
  };
}
const dossierOf = (rows: readonly TransferRow[], address: string) => {
  const mover = rankMovers(rows, NOW_MS).find((one) => one.address === address);
  if (!mover) throw new Error("nobody");
  const dossier = computeWhaleDossier({
    read_at_ms: NOW_MS,
    newest_ms: NOW_MS,
    rows,
    left_out: { labelled: 0, contracts: 0 },
    coverage: [],
    cut: [],
    subjects: [{ mover, rank: 1, scan: null, audit: null }],
  });
  return settled<WhaleDossierData>(dossier).data.subjects[0];
};

test("the published vector: 1.2 million in and 3.0 out are 4.2 gross, 1.8 out net", () => {
  const [first] = rankMovers([row(BEN, ANN, 1_200_000), row(ANN, CAT, 3_000_000)], NOW_MS);
  expect(first).toMatchObject({ address: ANN, gross_usd_24h: 4_200_000, net_usd_24h: -1_800_000 });
});

test("the zero address, the token itself and yesterday's transfers do not change ranks", () => {
  const rows = [
    row(ZERO, ANN, 5_000_000, { token: CAT }),
    row(ANN, CAT, 9_000_000, { token: CAT }),
    row(BEN, ANN, 7_000_000, { at_ms: NOW_MS - 90_000_000 }),
  ];
  const movers = rankMovers(rows, NOW_MS);
  expect(movers.map(({ address }) => address)).toEqual([ANN, BEN]);
  expect(movers[1]).toMatchObject({ gross_usd_24h: 0, gross_usd: 7_000_000 });
});

test("flows are shown by token and by the other end, and doubled values double them", () => {
  const rows = [row(BINANCE, ANN, 1_000_000), row(ANN, BEN, 400_000, { asset: "WETH" }), row(ANN, BEN, 400_000)];
  const subject = dossierOf(rows, ANN);
  expect(subject?.flows).toMatchObject({
    by_asset: [
      { id: "USDC", in_usd: 1_000_000, out_usd: 400_000 },
      { id: "WETH", in_usd: 0, out_usd: 400_000 },
    ],
    by_counterparty_class: [
      { id: "exchange_outflow", in_usd: 1_000_000, out_usd: 0 },
      { id: "unknown", in_usd: 0, out_usd: 800_000 },
    ],
    in_usd_7d: 1_000_000,
    out_usd_7d: 800_000,
    transfers_7d: 3,
    hours_active: 1,
  });
  expect(subject?.largest[0]).toMatchObject({ direction: "in", other_label: "Binance 14", usd: 1_000_000 });
  expect(subject?.related).toEqual([]);
  const doubled = dossierOf(
    rows.map((one) => ({ ...one, usd: 2 * one.usd })),
    ANN,
  );
  expect(doubled?.flows.in_usd_7d).toBe(2_000_000);
});

test("wallets that change places change dossiers, rows in any order make the same one: nothing leaks", () => {
  const rows = [row(ANN, BEN, 100_000), row(BEN, ANN, 100_000), row(ANN, BEN, 100_000), row(CAT, ANN, 700_000)];
  const swap = (address: string) => (address === ANN ? CAT : address === CAT ? ANN : address);
  const swapped = rows.map((one) => ({ ...one, from: swap(one.from), to: swap(one.to) }));
  const [ann, cat] = [dossierOf(rows, ANN), dossierOf(swapped, CAT)];
  expect(cat?.flows).toEqual(ann?.flows as never);
  expect(cat?.related).toEqual(ann?.related as never);
  expect(dossierOf(rows, CAT)?.flows).toMatchObject({ in_usd_7d: 0, out_usd_7d: 700_000, transfers_7d: 1 });
  const dossier = dossierOf(rows.toReversed(), ANN);
  expect(dossier?.flows).toEqual(ann?.flows as never);
  const twice = dossierOf(
    rows.map((one) => ({ ...one, usd: 2 * one.usd })),
    ANN,
  );
  expect(twice?.related).toEqual(ann?.related as never);
});

test("an other end of three transfers and a fifth of the flow is related", () => {
  const rows = [row(ANN, BEN, 100_000), row(BEN, ANN, 100_000), row(ANN, BEN, 100_000), row(CAT, ANN, 700_000)];
  expect(dossierOf(rows, ANN)?.related).toEqual([{ address: BEN, transfers: 3, share: 0.3 }]);
});
