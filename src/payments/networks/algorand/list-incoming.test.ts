import { afterAll, expect, test } from "bun:test";
import { networkById } from "../table.ts";
import { listAlgorandIncoming } from "./list-incoming.ts";

const found = networkById("algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe");
if (!found) throw new Error("no Algorand test network");
const network = found;
const SELLER = "5VESRRRI2HBMN2XJAM4JAWMVMEUVSJZ2LRR7SNRWYFDBJLEHG7I2572N4M";
const BUYER = "BUYER";
const FROM_MS = Date.UTC(2026, 0, 15);
const UNTIL_MS = FROM_MS + 3_600_000;

const at = (seconds: number): number => FROM_MS / 1000 + seconds;
const transfer = (receiver: string, amount: number, asset = Number(network.asset)) => ({
  "asset-transfer-transaction": { amount, "asset-id": asset, receiver, "close-amount": 0 },
});
/** As an indexer lists the transactions of an account (GET /v2/accounts/{address}/transactions), two pages of them. */
const PAGES: Readonly<Record<string, object>> = {
  "": {
    "current-round": 1,
    "next-token": "second",
    transactions: [
      { id: "PAID", sender: BUYER, "round-time": at(5), "tx-type": "axfer", ...transfer(SELLER, 10_000) },
      { id: "OUT", sender: SELLER, "round-time": at(6), "tx-type": "axfer", ...transfer(BUYER, 10_000) },
      { id: "OTHER_ASSET", sender: BUYER, "round-time": at(7), "tx-type": "axfer", ...transfer(SELLER, 9, 7) },
    ],
  },
  second: {
    "current-round": 1,
    transactions: [
      {
        id: "BY_A_PROGRAM",
        sender: BUYER,
        "round-time": at(8),
        "tx-type": "appl",
        "inner-txns": [{ sender: "PROGRAM", "tx-type": "axfer", ...transfer(SELLER, 500) }],
      },
      {
        id: "CLOSED_INTO",
        sender: BUYER,
        "round-time": at(9),
        "tx-type": "axfer",
        "asset-transfer-transaction": {
          amount: 0,
          "asset-id": Number(network.asset),
          receiver: BUYER,
          "close-amount": 700,
          "close-to": SELLER,
        },
      },
      { id: "LATER", sender: BUYER, "round-time": at(3_600), "tx-type": "axfer", ...transfer(SELLER, 1) },
    ],
  },
};
const asked: string[] = [];
const indexer = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    asked.push(pathname);
    return Response.json(PAGES[searchParams.get("next") ?? ""] ?? {});
  },
});
afterAll(() => indexer.stop(true));

const question = { network, pay_to: SELLER, from_ms: FROM_MS, until_ms: UNTIL_MS, isKnown: () => false, rpc_urls: [] };

test("an indexer's pages are read whole: what programs sent and what an account was closed into as well", async () => {
  const transfers = await listAlgorandIncoming({ ...question, indexer_urls: [`http://127.0.0.1:${indexer.port}`] });
  expect(transfers).toEqual([
    { transaction: "PAID", from: BUYER, amount: 10_000n, at_ms: at(5) * 1000 },
    { transaction: "BY_A_PROGRAM", from: "PROGRAM", amount: 500n, at_ms: at(8) * 1000 },
    { transaction: "CLOSED_INTO", from: BUYER, amount: 700n, at_ms: at(9) * 1000 },
  ]);
  expect(asked).toEqual(Array.from({ length: 2 }, () => `/v2/accounts/${SELLER}/transactions`));
});

test("without an indexer it is said that one is needed", async () => {
  const asking = listAlgorandIncoming(question);
  await expect(asking).rejects.toThrow("indexer is not set");
});
