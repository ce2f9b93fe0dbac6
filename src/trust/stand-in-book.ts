import { renderTime } from "../core/clock.ts";
import type { NodeSigner, RecordBody, StoredRecord, WritableRecords } from "../records/record-chain.ts";
import { renderRecord } from "../records/record-chain.ts";
import type { AnswerDifference } from "./compare-answers.ts";

/** Chain of purchases from peers: each is recorded before it is paid, and closed with its result. */
const STAND_INS = "stand-ins";
/** Chain of comparisons of peers' answers with this node's own. */
const STAND_IN_CHECKS = "stand-in-checks";
/** Kind of the signed statement that a peer's answer was wrong. */
export const STAND_IN_EVIDENCE = "stand-in-evidence";

/** The result of a purchase. Only an "answered" one was sold on. */
export type PurchaseEnd = "answered" | "unusable" | "refused" | "silent";

export interface PurchaseFacts {
  readonly node_id: string;
  readonly url: string;
  readonly product: string;
  readonly amount: bigint;
  readonly network: string;
  readonly pay_to: string;
  /** Set for a payment from a payment channel. Then the deposit, not the price, counts towards the day's limit. */
  readonly by_channel?: { readonly id: string; readonly deposit: bigint };
}

export interface PurchaseOutcome {
  readonly ended: PurchaseEnd;
  /** Set only if the peer signed that it charged nothing. */
  readonly no_charge: string | null;
  readonly receipt_id: string | null;
  readonly latency_ms: number;
  readonly why: string | null;
  /** For a channel or `upto`, the charge that its seller reports; null without a report. */
  readonly charged?: bigint | null;
}

/** One purchase, as it counts for its peer's score. */
export interface CountedPurchase extends PurchaseFacts {
  readonly at_ms: number;
  readonly ended: PurchaseEnd | "open";
  readonly is_free: boolean;
  readonly latency_ms: number;
}

export interface CountedCheck {
  readonly node_id: string;
  readonly at_ms: number;
  readonly equal: boolean;
}

export interface LieFacts {
  readonly node_id: string;
  readonly url: string;
  readonly product: string;
  readonly as_of: string;
  /** The peer's signed statement about its answer. */
  readonly receipt: string;
  readonly peer_sha256: string;
  readonly own_sha256: string;
  readonly differences: readonly AnswerDifference[];
}

/** Evidence to show: this node's signed statement, with the peer's signed statement inside. */
export interface StandInEvidence {
  readonly text: string;
  readonly signature: string;
  readonly public_key: string;
}

export interface StandInBook {
  /** Records a purchase before it is paid. @returns its number; null if it would exceed the day's limit. */
  begin(facts: PurchaseFacts, daily_max: bigint): Promise<number | null>;
  end(seq: number, outcome: PurchaseOutcome): Promise<void>;
  /** The sum paid today, and the rest of the day's limit. */
  spentToday(): Promise<bigint>;
  /** Records an answer equal to this node's own. */
  noteEqual(node_id: string, product: string): Promise<void>;
  accuse(facts: LieFacts): Promise<void>;
  purchases(since_ms: number): Promise<readonly CountedPurchase[]>;
  checks(since_ms: number): Promise<readonly (CountedCheck & { readonly evidence: StandInEvidence | null })[]>;
}

const PAGE = 1_000;
const DAY_MS = 86_400_000;
const WHY_CHARS = 300;

interface BookParts {
  readonly records: WritableRecords;
  readonly signer: NodeSigner;
  readonly now_ms: () => number;
}

/** Keeps purchases from peers in records, which are durable before anything is paid. */
export function createStandInBook({ records, signer, now_ms }: BookParts): StandInBook {
  async function readAll(chain: string, since_ms: number): Promise<readonly StoredRecord[]> {
    const all: StoredRecord[] = [];
    for (let after_seq = 0; ; ) {
      const page = await records.read(chain, { since_ms, after_seq, limit: PAGE });
      all.push(...page);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return all;
      after_seq = last.seq;
    }
  }
  const purchases: StandInBook["purchases"] = async (since_ms) => (await readAll(STAND_INS, since_ms)).map(toPurchase);
  const spentToday = async (): Promise<bigint> => {
    const today = await readAll(STAND_INS, Math.floor(now_ms() / DAY_MS) * DAY_MS);
    return today.reduce((sum, one) => sum + countSpent(one), 0n);
  };
  // Purchases run one after the other, so that two cannot both use the rest of the day's limit.
  let last: Promise<unknown> = Promise.resolve();

  return {
    begin({ amount, by_channel, ...facts }, daily_max) {
      const channel = by_channel && { channel: by_channel.id, deposit_atomic: by_channel.deposit.toString() };
      const begun = last.then(async () => {
        if ((await spentToday()) + (by_channel?.deposit ?? amount) > daily_max) return null;
        const { seq } = await records.append(STAND_INS, (link) => ({
          v: 1,
          ...link,
          ...facts,
          amount_atomic: amount.toString(),
          ...channel,
          at: renderTime(now_ms()),
        }));
        return seq;
      });
      last = begun.catch(() => undefined);
      return begun;
    },
    async end(seq, { no_charge, why, latency_ms, charged, ...outcome }) {
      const told = charged === undefined ? {} : { charged_atomic: charged?.toString() ?? null };
      const closed = { ...outcome, ...told, is_free: no_charge !== null, latency_ms: Math.round(latency_ms) };
      const said = { why: why?.toWellFormed().slice(0, WHY_CHARS) ?? null, at: renderTime(now_ms()) };
      await records.settle({ chain: STAND_INS, seq, outcome: { v: 1, ...closed, ...said }, beside: { no_charge } });
    },
    spentToday,
    purchases,
    async noteEqual(node_id, product) {
      const at = renderTime(now_ms());
      await records.append(STAND_IN_CHECKS, (link) => ({ v: 1, ...link, node_id, product, equal: true, at }));
    },
    async accuse({ receipt, differences, ...facts }) {
      const at = renderTime(now_ms());
      const differs = differences.map(({ path, own, peer }) => ({ path: path.slice(0, 200), own, peer }));
      const text = renderRecord({ v: 1, by: signer.node_id, ...facts, receipt, differences: differs, at });
      const signature = signer.sign(STAND_IN_EVIDENCE, text);
      const evidence = { text, signature, public_key: signer.public_key };
      const { node_id, product } = facts;
      const build = (link: RecordBody) => ({ v: 1, ...link, node_id, product, equal: false, at });
      await records.append(STAND_IN_CHECKS, (link) => build({ ...link }), evidence);
    },
    async checks(since_ms) {
      const rows = await readAll(STAND_IN_CHECKS, since_ms);
      return rows.map(({ record, beside, recorded_at_ms }) => ({
        node_id: String(record.node_id),
        equal: record.equal === true,
        at_ms: recorded_at_ms,
        evidence: isEvidence(beside) ? beside : null,
      }));
    },
  };
}

const isEvidence = (value: unknown): value is StandInEvidence =>
  typeof value === "object" && value !== null && "signature" in value && "text" in value && "public_key" in value;

/** The part of the day's limit that a purchase uses: its price, or its deposit into a channel. */
function countSpent(stored: StoredRecord): bigint {
  const { deposit_atomic } = stored.record;
  // A signed deposit may land, whatever its seller reports about the call.
  if (typeof deposit_atomic === "string") return BigInt(deposit_atomic);
  const { amount, is_free } = toPurchase(stored);
  return is_free ? 0n : amount;
}

function toPurchase({ record, outcome, recorded_at_ms }: StoredRecord): CountedPurchase {
  const text = (name: string): string => String(record[name]);
  const closed = outcome?.outcome;
  return {
    node_id: text("node_id"),
    url: text("url"),
    product: text("product"),
    network: text("network"),
    pay_to: text("pay_to"),
    amount: BigInt(text("amount_atomic")),
    at_ms: recorded_at_ms,
    ended: (closed?.ended as PurchaseEnd | undefined) ?? "open",
    is_free: closed?.is_free === true,
    latency_ms: Number(closed?.latency_ms ?? 0),
  };
}
