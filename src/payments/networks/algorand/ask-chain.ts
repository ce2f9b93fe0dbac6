import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { decodeAlgorandAddress } from "../../../core/algorand-address.ts";
import { sleep, systemTimers } from "../../../core/clock.ts";
import { messageOf } from "../../../core/errors.ts";
import { createReader } from "../../codec.ts";
import type { ChainVerdict, NetworkFamily } from "../../types.ts";
import { type Endpoint, getJSON } from "./http.ts";
import { type AlgorandPayment, addressOf, readAlgorandPayment } from "./read.ts";
import { keyOf, numberOf, textOf } from "./transaction.ts";

/** algod finds a transaction by its id for this many rounds; the protocol's longest validity. */
const FOUND_BY_ID_ROUNDS = 1_000;
/** "Not paid" is final only this many rounds after the last one in which the payment was valid. */
const FINAL_MARGIN_ROUNDS = 3;
/** Blocks read one by one when the payment is too old to be found by its id. Official clients use 11. */
const BLOCKS_MAX = 50;
/** Between the two looks that make "not paid" final. */
const SECOND_LOOK_MS = 1_000;

const Round = Type.Integer({ minimum: 0 });
const Text = Type.String({ maxLength: 4_096 });
/** Of algod. Addresses in base32. */
const Pending = Type.Object({
  "confirmed-round": Type.Optional(Round),
  "pool-error": Type.Optional(Text),
  txn: Type.Object({
    txn: Type.Object({
      type: Text,
      snd: Text,
      arcv: Type.Optional(Text),
      aamt: Type.Optional(Type.Integer()),
      xaid: Type.Optional(Type.Integer()),
    }),
  }),
});
const Indexed = Type.Object({
  transaction: Type.Object({
    id: Text,
    sender: Text,
    "confirmed-round": Type.Optional(Round),
    "asset-transfer-transaction": Type.Optional(
      Type.Object({ amount: Type.Integer(), "asset-id": Type.Integer(), receiver: Text }),
    ),
  }),
});

/** Reads an answer that must have a form. */
function needs<S extends TSchema>(schema: S, what: string): (value: unknown) => Static<S> {
  const read = createReader(schema);
  return (value) => {
    const found = read(value);
    if (found === null) throw new Error(`unexpected answer to ${what}`);
    return found;
  };
}
const needParams = needs(Type.Object({ "last-round": Round, "genesis-hash": Text }), "transaction parameters");
const needPending = needs(Pending, "pending transaction");
const needBlock = needs(Type.Object({ blockTxids: Type.Array(Text, { maxItems: 100_000 }) }), "block");
const needHeader = needs(Type.Object({ round: Round, "genesis-hash": Text }), "block header");
const needIndexed = needs(Indexed, "transaction");

interface Search {
  readonly payment: AlgorandPayment;
  readonly asset: string;
  readonly amount: bigint;
  readonly pay_to: string;
}

/** Of one endpoint. `round`: how far it has read the chain; `complete`: it would know the payment had it landed. */
interface Look {
  readonly verdict: ChainVerdict | null;
  readonly round: number;
  readonly complete: boolean;
}

/** Whether what was signed pays us: its id says that it cannot have landed as anything else. */
function paysUs({ payment: { payment }, asset, amount, pay_to }: Search): boolean {
  const { fields } = payment;
  const receiver = Buffer.from(decodeAlgorandAddress(pay_to) ?? []).toString("hex");
  return (
    textOf(fields, "type") === "axfer" &&
    !["aclose", "asnd"].some((name) => fields.has(name)) &&
    numberOf(fields, "xaid") === BigInt(asset) &&
    numberOf(fields, "aamt") === amount &&
    keyOf(fields, "arcv") === receiver
  );
}

const landed = (search: Search): ChainVerdict =>
  paysUs(search)
    ? { paid: true, transaction: search.payment.transaction_id }
    : { paid: false, final: true, reason: "landed_without_paying_us" };

/** An endpoint that names another transfer under this id has mixed something up, and is not believed. */
function assertSame(search: Search, told: { sender: string; receiver: string; amount: number; asset: number }): void {
  const { fields, sender } = search.payment.payment;
  const same =
    told.sender === addressOf(sender) &&
    told.receiver === addressOf(keyOf(fields, "arcv")) &&
    BigInt(told.amount) === numberOf(fields, "aamt") &&
    BigInt(told.asset) === numberOf(fields, "xaid");
  if (!same) throw new Error("the endpoint shows another transaction under this id");
}

/** A node of another network has seen nothing of ours, however far its rounds are. */
function assertSameNetwork({ payment: { payment } }: Search, genesis_hash: string): void {
  if (Buffer.from(genesis_hash, "base64").toString("hex") === keyOf(payment.fields, "gh")) return;
  throw new Error("the endpoint is of another network");
}

/** Looks into the blocks themselves. Null when they do not hold it, or are too many. */
async function lookIntoBlocks(endpoint: Endpoint, { payment }: Search): Promise<boolean | null> {
  const { first_round, last_round, transaction_id } = payment;
  if (last_round - first_round >= BLOCKS_MAX) return null;
  for (let round = first_round; round <= last_round; round++) {
    const block = await getJSON(endpoint, `/v2/blocks/${round}/txids`);
    // A node that is no archive keeps no old blocks.
    if (block === undefined) return null;
    if (needBlock(block).blockTxids.includes(transaction_id)) return true;
  }
  return false;
}

/** One algod. How far it is comes first: what lands later is not missed, only not said to be missing. */
async function lookAtAlgod(endpoint: Endpoint, search: Search): Promise<Look> {
  const { transaction_id, first_round, last_round } = search.payment;
  const params = needParams(await getJSON(endpoint, "/v2/transactions/params"));
  assertSameNetwork(search, params["genesis-hash"]);
  const round = params["last-round"];
  const answer = await getJSON(endpoint, `/v2/transactions/pending/${transaction_id}?format=json`);
  if (answer !== undefined) {
    const found = needPending(answer);
    const { snd: sender, arcv: receiver = "", aamt: amount = 0, xaid: asset = 0 } = found.txn.txn;
    assertSame(search, { sender, receiver, amount, asset });
    if ((found["confirmed-round"] ?? 0) > 0) return { verdict: landed(search), round, complete: true };
    if (round > last_round) return { verdict: null, round, complete: true };
    // Still in the pool, or thrown out of it: as long as it is valid it may be sent again.
    const reason = found["pool-error"] ? "used_and_dropped_by_the_pool" : "used_and_waiting_for_a_block";
    return { verdict: { paid: false, final: false, reason }, round, complete: true };
  }
  if (round - first_round < FOUND_BY_ID_ROUNDS) return { verdict: null, round, complete: true };
  const in_blocks = round > last_round ? await lookIntoBlocks(endpoint, search) : null;
  return { verdict: in_blocks ? landed(search) : null, round, complete: in_blocks === false };
}

/** One indexer. A block that is past the payment's end shows how far it is, and of which network. */
async function lookAtIndexer(endpoint: Endpoint, search: Search): Promise<Look> {
  const { transaction_id, last_round } = search.payment;
  const end = last_round + FINAL_MARGIN_ROUNDS + 1;
  const header = await getJSON(endpoint, `/v2/blocks/${end}?header-only=true`);
  if (header !== undefined) assertSameNetwork(search, needHeader(header)["genesis-hash"]);
  const round = header === undefined ? 0 : needHeader(header).round;
  const answer = await getJSON(endpoint, `/v2/transactions/${transaction_id}`);
  if (answer === undefined) return { verdict: null, round, complete: true };
  const { transaction } = needIndexed(answer);
  const { amount = 0, "asset-id": asset = 0, receiver = "" } = transaction["asset-transfer-transaction"] ?? {};
  assertSame(search, { sender: transaction.sender, receiver, amount, asset });
  const in_a_block = (transaction["confirmed-round"] ?? 0) > 0;
  return { verdict: in_a_block ? landed(search) : null, round, complete: true };
}

type LookAt = (endpoint: Endpoint, search: Search) => Promise<Look>;

/** The first endpoint that answers. Null without endpoints; throws when all of them fail. */
async function look(endpoints: readonly Endpoint[], lookAt: LookAt, search: Search): Promise<Look | null> {
  const failures: string[] = [];
  for (const endpoint of endpoints) {
    try {
      return await lookAt(endpoint, search);
    } catch (error) {
      failures.push(messageOf(error).slice(0, 200));
    }
  }
  if (failures.length > 0) throw new Error(failures.join("; "));
  return null;
}

/** Whether a look shows that the payment did not land and cannot any more. */
const showsEnd = (one: Look | null, { payment }: Search): boolean =>
  one?.complete === true && one.verdict === null && one.round > payment.last_round + FINAL_MARGIN_ROUNDS;

/**
 * Reads from the chain whether a payment landed, by the transaction id that follows from what was signed: from algod
 * while it finds transactions by their id, later from an indexer or, block by block, from an algod that keeps them.
 * Not paid is final when two looks, the second at another endpoint where there is one, find the chain past the last
 * round in which the payment was valid and the payment nowhere. A block, once there, never goes away.
 */
export const askAlgorandChain: NetworkFamily["askChain"] = async (question): Promise<ChainVerdict> => {
  const { network, payload, amount, pay_to, rpc_urls, indexer_urls = [], headers = {} } = question;
  const search: Search = { payment: readAlgorandPayment(payload), asset: network.asset, amount, pay_to };
  const algods = rpc_urls.map((url) => ({ url, headers }));
  const indexers = indexer_urls.map((url) => ({ url, headers }));
  const first = await look(algods, lookAtAlgod, search);
  if (first === null) throw new Error("no algod endpoint is configured");
  if (first.verdict) return first.verdict;
  const { last_round } = search.payment;
  if (first.round <= last_round + FINAL_MARGIN_ROUNDS) return { paid: false, final: false, reason: "not_landed_yet" };
  const indexed = first.complete ? null : await look(indexers, lookAtIndexer, search);
  if (indexed?.verdict) return indexed.verdict;
  if (!showsEnd(first, search) && !showsEnd(indexed, search)) {
    return { paid: false, final: false, reason: "too_old_without_an_indexer" };
  }
  await sleep(systemTimers, SECOND_LOOK_MS);
  const second = first.complete
    ? await look([...algods.slice(1), ...algods.slice(0, 1)], lookAtAlgod, search)
    : await look([...indexers.slice(1), ...indexers.slice(0, 1)], lookAtIndexer, search);
  if (second?.verdict) return second.verdict;
  const is_over = showsEnd(second, search);
  return { paid: false, final: is_over, reason: is_over ? "expired_unused" : "not_landed_yet" };
};
