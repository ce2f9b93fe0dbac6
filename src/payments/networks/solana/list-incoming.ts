import { Type } from "@sinclair/typebox";
import { createReader } from "../../codec.ts";
import type { IncomingQuestion, IncomingTransfer, NetworkFamily } from "../../types.ts";
import { createJSONRPC, type JSONRPC } from "../json-rpc.ts";
import { findTokenAccount } from "./token-account.ts";

const PAGE = 1_000;
const PAGES_MAX = 200;
/** Transactions the books do not know that are opened, one call each; anybody may send as many as he likes. */
const OPENED_MAX = 2_000;
/** Of those, how many may be what no endpoint gives or nobody can read, such as a kind that is newer than this code. */
const UNREADABLE_MAX = 20;

const Signature = Type.String({ pattern: "^[1-9A-HJ-NP-Za-km-z]{64,88}$" });
const readListed = createReader(
  Type.Array(
    Type.Object({
      signature: Signature,
      blockTime: Type.Optional(Type.Union([Type.Null(), Type.Integer()])),
      err: Type.Optional(Type.Unknown()),
    }),
    { maxItems: PAGE },
  ),
);
const Balances = Type.Optional(
  Type.Union([
    Type.Null(),
    Type.Array(
      Type.Object({
        mint: Type.String({ maxLength: 64 }),
        owner: Type.Optional(Type.String({ maxLength: 64 })),
        uiTokenAmount: Type.Object({ amount: Type.String({ pattern: "^[0-9]{1,20}$" }) }),
      }),
      { maxItems: 256 },
    ),
  ]),
);
const readFound = createReader(
  Type.Object({
    meta: Type.Object({ err: Type.Unknown(), preTokenBalances: Balances, postTokenBalances: Balances }),
  }),
);
type Meta = NonNullable<ReturnType<typeof readFound>>["meta"];

/** What each owner holds more of a mint after a transaction than before it. */
function growthByOwner({ preTokenBalances, postTokenBalances }: Meta, mint: string): ReadonlyMap<string, bigint> {
  const growth = new Map<string, bigint>();
  const add = (rows: Meta["preTokenBalances"], sign: bigint): void => {
    for (const { mint: of, owner, uiTokenAmount } of rows ?? []) {
      if (of !== mint) continue;
      if (owner === undefined) throw new Error("the endpoint does not say whose a balance is");
      growth.set(owner, (growth.get(owner) ?? 0n) + sign * BigInt(uiTokenAmount.amount));
    }
  };
  add(preTokenBalances, -1n);
  add(postTokenBalances, 1n);
  return growth;
}

/** What a transaction brought us; null when it brought nothing. */
async function open(rpc: JSONRPC, { network, pay_to }: IncomingQuestion, signature: string) {
  const options = { encoding: "base64", commitment: "confirmed", maxSupportedTransactionVersion: 0 };
  const found = readFound(await rpc("getTransaction", [signature, options]));
  if (!found) throw new Error("unexpected answer to getTransaction");
  const growth = growthByOwner(found.meta, network.asset);
  const amount = growth.get(pay_to) ?? 0n;
  if (amount <= 0n) return null;
  const [giver] = [...growth].filter(([, more]) => more < 0n).sort(([, a], [, b]) => (a < b ? -1 : 1));
  return { amount, from: giver?.[0] ?? null };
}

/**
 * Transfers of the mint to the token account of an address, newest first. The account's list holds no amounts: what the
 * books do not know is opened.
 */
export const listSolanaIncoming: NetworkFamily["listIncoming"] = async (question): Promise<IncomingTransfer[]> => {
  const { network, pay_to, from_ms, until_ms, isKnown, rpc_urls } = question;
  const rpc = createJSONRPC(rpc_urls);
  const account = findTokenAccount(pay_to, network.asset);
  const transfers: IncomingTransfer[] = [];
  let before: string | undefined;
  let opened = 0;
  let unreadable = 0;
  let fault: unknown;
  const tryToOpen = async (signature: string) => {
    try {
      return await open(rpc, question, signature);
    } catch (error) {
      unreadable += 1;
      fault = error;
      if (unreadable > UNREADABLE_MAX) throw error;
      return { amount: null, from: null };
    }
  };
  /** An endpoint of which nothing can be read is not believed that nothing came. */
  const finish = (): IncomingTransfer[] => {
    if (unreadable > 0 && unreadable === opened) throw fault;
    return transfers;
  };
  for (let page = 0; page < PAGES_MAX; page++) {
    const options = { limit: PAGE, commitment: "confirmed", ...(before === undefined ? {} : { before }) };
    const rows = readListed(await rpc("getSignaturesForAddress", [account, options]));
    if (!rows) throw new Error("unexpected answer to getSignaturesForAddress");
    for (const { signature: transaction, blockTime, err } of rows) {
      if (typeof blockTime !== "number") throw new Error("the endpoint does not say when a transaction landed");
      const at_ms = blockTime * 1000;
      if (at_ms < from_ms) return finish();
      if (at_ms >= until_ms || (err ?? null) !== null) continue;
      if (isKnown(transaction) || opened === OPENED_MAX) {
        transfers.push({ transaction, from: null, amount: null, at_ms });
        continue;
      }
      opened += 1;
      const brought = await tryToOpen(transaction);
      if (brought) transfers.push({ transaction, at_ms, ...brought });
    }
    before = rows.at(-1)?.signature;
    if (rows.length < PAGE || before === undefined) return finish();
  }
  throw new Error("the period has too many transactions to list");
};
