import { Type } from "@sinclair/typebox";
import { messageOf } from "../../../core/errors.ts";
import { createReader } from "../../codec.ts";
import type { IncomingQuestion, IncomingTransfer, NetworkFamily } from "../../types.ts";
import { type Endpoint, getJSON } from "./http.ts";

const PAGE = 1_000;
const PAGES_MAX = 200;
/** Groups inside groups are no deeper than the protocol lets programs call each other. */
const DEPTH_MAX = 8;

const Text = Type.String({ maxLength: 4_096 });
const Count = Type.Integer({ minimum: 0 });
const Transaction = Type.Recursive((self) =>
  Type.Object({
    id: Type.Optional(Text),
    sender: Text,
    "round-time": Type.Optional(Count),
    "asset-transfer-transaction": Type.Optional(
      Type.Object({
        amount: Count,
        "asset-id": Count,
        receiver: Text,
        "close-amount": Type.Optional(Count),
        "close-to": Type.Optional(Text),
      }),
    ),
    "inner-txns": Type.Optional(Type.Array(self, { maxItems: 256 })),
  }),
);
const readPage = createReader(
  Type.Object({
    transactions: Type.Array(Transaction, { maxItems: PAGE }),
    "next-token": Type.Optional(Text),
  }),
);
type Page = NonNullable<ReturnType<typeof readPage>>;
type Row = Page["transactions"][number];

type Receiver = Pick<IncomingQuestion, "network" | "pay_to">;

/** What a transaction and those it made itself brought to an address. */
function broughtBy(row: Row, to: Receiver, depth = 0): { amount: bigint; from: string | null } {
  const { network, pay_to } = to;
  const { sender, "asset-transfer-transaction": transfer, "inner-txns": inner = [] } = row;
  const is_asset = transfer !== undefined && String(transfer["asset-id"]) === network.asset;
  const sent = is_asset && transfer.receiver === pay_to ? BigInt(transfer.amount) : 0n;
  const closed = is_asset && transfer["close-to"] === pay_to ? BigInt(transfer["close-amount"] ?? 0) : 0n;
  const own = sent + closed;
  const made = depth < DEPTH_MAX ? inner.map((one) => broughtBy(one, to, depth + 1)) : [];
  const amount = made.reduce((sum, one) => sum + one.amount, own);
  return { amount, from: own > 0n ? sender : (made.find((one) => one.amount > 0n)?.from ?? null) };
}

async function listAt(endpoint: Endpoint, question: IncomingQuestion): Promise<IncomingTransfer[]> {
  const { network, pay_to, from_ms, until_ms } = question;
  const transfers: IncomingTransfer[] = [];
  let next: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const query = new URLSearchParams({
      "asset-id": network.asset,
      "after-time": new Date(from_ms - 1000).toISOString(),
      "before-time": new Date(until_ms + 1000).toISOString(),
      limit: String(PAGE),
      ...(next === undefined ? {} : { next }),
    });
    const found = readPage(await getJSON(endpoint, `/v2/accounts/${pay_to}/transactions?${query}`));
    if (!found) throw new Error("unexpected answer to the transactions of an account");
    for (const row of found.transactions) {
      const at_ms = (row["round-time"] ?? 0) * 1000;
      const { amount, from } = broughtBy(row, question);
      if (amount > 0n && row.id !== undefined && at_ms >= from_ms && at_ms < until_ms) {
        transfers.push({ transaction: row.id, from, amount, at_ms });
      }
    }
    next = found["next-token"];
    if (next === undefined || found.transactions.length === 0) return transfers;
  }
  throw new Error("the period has too many transactions to list");
}

/** Transfers of the asset to an address, as an indexer lists them: algod keeps no list of an account's transactions. */
export const listAlgorandIncoming: NetworkFamily["listIncoming"] = async (question): Promise<IncomingTransfer[]> => {
  const { network, indexer_urls = [], headers = {} } = question;
  const failures: string[] = [];
  for (const url of indexer_urls) {
    try {
      return await listAt({ url, headers }, question);
    } catch (error) {
      failures.push(messageOf(error).slice(0, 200));
    }
  }
  throw new Error(failures.join("; ") || `[chains.${network.chain}] indexer is not set: algod lists no transactions`);
};
