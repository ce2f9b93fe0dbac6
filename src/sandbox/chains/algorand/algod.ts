import type { SignedTransaction } from "algosdk";
import { messageOf } from "../../../core/errors.ts";
import type { ChainView } from "../types.ts";
import type { AlgorandLanded } from "./bank.ts";
import type { AlgorandLedger } from "./ledger.ts";
import { roundAt } from "./rounds.ts";

type Library = typeof import("./algosdk.ts");

/** algod finds a transaction by its id for this many rounds. */
const FOUND_BY_ID_ROUNDS = 1_000;
const GROUP_MAX = 16;
const VERSION = "https://github.com/algorandfoundation/specs/tree/sandbox";

const msgpack = (bytes: Uint8Array): Response =>
  new Response(Uint8Array.from(bytes), { headers: { "content-type": "application/msgpack" } });
const fault = (status: number, message: string): Response => Response.json({ message }, { status });

const status = (round: number) => ({
  "last-round": round,
  "time-since-last-round": 0,
  "catchup-time": 0,
  "last-version": VERSION,
  "next-version": VERSION,
  "next-version-round": round + 1,
  "next-version-supported": true,
  "stopped-at-unsupported-round": false,
});

/** Splits signed transactions that are posted one after the other without a count. */
function splitGroup(bytes: Uint8Array, library: Library): SignedTransaction[] {
  for (let count = 1; count <= GROUP_MAX; count++) {
    const head = count < GROUP_MAX ? [0x90 | count] : [0xdc, 0, count];
    let list: unknown;
    try {
      list = library.msgpackRawDecode(Buffer.concat([Uint8Array.from(head), bytes]), {
        intDecoding: library.IntDecoding.BIGINT,
      });
    } catch {
      // The bytes hold fewer or more transactions than this count.
      continue;
    }
    if (!Array.isArray(list)) break;
    return list.map((one) => library.decodeSignedTransaction(library.msgpackRawEncode(one)));
  }
  throw new Error("the body holds no signed transactions");
}

const base64 = (bytes: Uint8Array | undefined): string | undefined =>
  bytes && bytes.length > 0 ? Buffer.from(bytes).toString("base64") : undefined;

/** The members of a transfer in algod's JSON. */
function renderTransaction({ txn, sig }: SignedTransaction) {
  const transfer = txn.assetTransfer;
  return {
    ...(sig ? { sig: base64(sig) } : {}),
    txn: {
      ...(transfer
        ? { aamt: Number(transfer.amount), arcv: transfer.receiver.toString(), xaid: Number(transfer.assetIndex) }
        : { rcv: txn.payment?.receiver.toString() }),
      fee: Number(txn.fee),
      fv: Number(txn.firstValid),
      gen: txn.genesisID,
      gh: base64(txn.genesisHash),
      grp: base64(txn.group),
      lv: Number(txn.lastValid),
      note: base64(txn.note),
      snd: txn.sender.toString(),
      type: txn.type,
    },
  };
}

/** The view of the chain that one caller has. */
interface AlgorandView {
  readonly last_round: number;
  readonly groups: readonly AlgorandLanded[];
  readonly find: (id: string) => AlgorandLanded | undefined;
}

function look({ bank, lastRound }: AlgorandLedger, view: ChainView | undefined): AlgorandView {
  if (!view) return { last_round: lastRound(), groups: bank.booked, find: bank.find };
  const seen = (group: AlgorandLanded | undefined) => (group && view.sees(group.at_ms) ? group : undefined);
  return {
    last_round: Math.min(lastRound(), roundAt(view.now_ms())),
    groups: bank.booked.filter(seen),
    find: (id) => seen(bank.find(id)),
  };
}

/**
 * Simulates a node of the network behind algod's REST interface, which wallets, official clients and the node itself
 * call. Given a view, it answers with that view of the chain.
 */
export function createAlgod(ledger: AlgorandLedger): (request: Request, view?: ChainView) => Promise<Response> {
  const { bank, rules } = ledger;

  async function pending(seen: AlgorandView, id: string, format: string): Promise<Response> {
    const group = seen.find(id);
    const wire = group?.members.find((one) => one.id === id)?.wire;
    if (!group || wire === undefined || seen.last_round - group.round >= FOUND_BY_ID_ROUNDS) {
      return fault(404, "could not find the transaction in the transaction pool or in the last 1000 confirmed rounds");
    }
    const library = await import("./algosdk.ts");
    const bytes = Buffer.from(wire, "base64");
    if (format !== "msgpack") {
      const txn = renderTransaction(library.decodeSignedTransaction(bytes));
      return Response.json({ "confirmed-round": group.round, "pool-error": "", txn });
    }
    const txn = library.msgpackRawDecode(bytes, { intDecoding: library.IntDecoding.BIGINT });
    return msgpack(library.msgpackRawEncode({ "confirmed-round": group.round, "pool-error": "", txn }));
  }

  async function post(request: Request): Promise<Response> {
    const library = await import("./algosdk.ts");
    const group = splitGroup(new Uint8Array(await request.arrayBuffer()), library);
    const outcome = await ledger.send(group);
    if (outcome.error !== null) return fault(400, `TransactionPool.Remember: ${outcome.error}`);
    return Response.json({ txId: group[0]?.txn.txID() });
  }

  async function simulate(request: Request): Promise<Response> {
    const library = await import("./algosdk.ts");
    const body = new Uint8Array(await request.arrayBuffer());
    const { txnGroups } = library.decodeMsgpack(body, library.SimulateRequest);
    const group = txnGroups[0]?.txns ?? [];
    const { error } = await ledger.attempt(group);
    const results = group.map((one) => ({
      "txn-result": { "pool-error": "", txn: library.msgpackRawDecode(library.encodeMsgpack(one)) },
    }));
    const failure = error === null ? {} : { "failed-at": [0], "failure-message": error };
    const answer = {
      version: 2,
      "last-round": ledger.lastRound(),
      "txn-groups": [{ "txn-results": results, ...failure }],
    };
    return msgpack(library.msgpackRawEncode(answer));
  }

  function account(round: number, address: string, asset: string | undefined): Response {
    const held = bank.holdingOf(address);
    const is_frozen = bank.accounts.stateOf(address) === "frozen";
    const holding = { amount: Number(held ?? 0n), "asset-id": Number(rules.asset), "is-frozen": is_frozen };
    if (asset === undefined) {
      return Response.json({ address, amount: 0, "min-balance": 0, round, assets: held === null ? [] : [holding] });
    }
    if (held === null || BigInt(asset) !== rules.asset) return fault(404, "account asset info not found");
    return Response.json({ round, "asset-holding": holding });
  }

  const params = (last_round: number) => ({
    "consensus-version": VERSION,
    fee: 0,
    "min-fee": 1_000,
    "genesis-hash": rules.genesis_hash,
    "genesis-id": rules.genesis_id,
    "last-round": last_round,
  });

  const respond = async (request: Request, seen: AlgorandView): Promise<Response> => {
    const { last_round, groups } = seen;
    const { pathname, searchParams } = new URL(request.url);
    const door = `${request.method} ${pathname}`;
    if (door === "GET /v2/transactions/params") return Response.json(params(last_round));
    if (door === "GET /v2/status") return Response.json(status(last_round));
    if (door === "POST /v2/transactions") return post(request);
    if (door === "POST /v2/transactions/simulate") return simulate(request);
    const waiting = /^GET \/v2\/status\/wait-for-block-after\/([0-9]{1,12})$/.exec(door);
    // Answers at once, because rounds follow a clock that may be set by hand.
    if (waiting) return Response.json(status(Math.max(last_round, Number(waiting[1]) + 1)));
    const found = /^GET \/v2\/transactions\/pending\/([A-Z2-7]{52})$/.exec(door);
    if (found) return pending(seen, found[1] ?? "", searchParams.get("format") ?? "json");
    const holder = /^GET \/v2\/accounts\/([A-Z2-7]{58})(?:\/assets\/([0-9]{1,20}))?$/.exec(door);
    if (holder) return account(last_round, holder[1] ?? "", holder[2]);
    const block = Number(/^GET \/v2\/blocks\/([0-9]{1,12})\/txids$/.exec(door)?.[1] ?? Number.NaN);
    if (block <= last_round) {
      const there = groups.filter(({ round }) => round === block);
      return Response.json({ blockTxids: there.flatMap(({ members }) => members.map(({ id }) => id)) });
    }
    return fault(404, "no such path, or no such block");
  };
  return async (request, view) => {
    try {
      return await respond(request, look(ledger, view));
    } catch (error) {
      return fault(400, messageOf(error));
    }
  };
}
