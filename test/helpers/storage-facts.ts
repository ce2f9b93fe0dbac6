import { Database } from "bun:sqlite";
import { messageOf } from "../../src/core/errors.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { storageFaultOf } from "../../src/ledger/storage-errors.ts";
import { createStillClock } from "./still-clock.ts";

/** Something the ledger said, as a workload heard it. */
export interface Fact {
  readonly is: FactKind;
  readonly id: string;
  /** What else was said: the transaction of a settlement, the product of a call. */
  readonly more?: string;
}

/** Facts whose promise resolved, and those whose promise was refused with "nothing was charged". */
export interface Said {
  readonly acknowledged: readonly Fact[];
  readonly refused: readonly Fact[];
}

/** For each kind the rows that show it: `$id` is the id, `$more` is what else was said. */
const SHOWN_BY = {
  begun: "SELECT 1 FROM payments WHERE replay_key = $id",
  answer:
    "SELECT 1 FROM payments WHERE id = $id AND json_extract(answer, '$.n') || ':' || length(answer) = $more " +
    "AND state IN ('settling', 'unknown', 'settled', 'settle_failed')",
  unknown: "SELECT 1 FROM payments WHERE id = $id AND state IN ('unknown', 'settled', 'settle_failed')",
  settled:
    "SELECT 1 FROM payments p JOIN receipts r ON r.payment_id = p.id JOIN transfers t ON t.id = r.transfer_id " +
    "WHERE p.id = $id AND p.state = 'settled' AND p.chain_transaction = $more AND t.amount = p.amount",
  failed: "SELECT 1 FROM payments WHERE id = $id AND state = 'settle_failed'",
  key: "SELECT 1 FROM keys k JOIN key_usage u ON u.key_id = k.id WHERE k.public_id = $id",
  grant: "SELECT 1 FROM grants g JOIN keys k ON k.id = g.key_id WHERE g.plan = $id AND k.public_id = $more",
  call:
    "SELECT 1 FROM calls c JOIN transfers t ON t.id = c.id JOIN answers a ON a.id = c.answer_id " +
    "WHERE c.product = $id",
  hold: "SELECT 1 FROM holds WHERE product = $id",
  posted: "SELECT 1 FROM holds WHERE id = $id AND state = 'posted'",
  voided: "SELECT 1 FROM holds WHERE id = $id AND state = 'voided'",
  refund: "SELECT 1 FROM transfers WHERE kind = 'refund' AND reference = 'call:' || $id",
  revoked: "SELECT 1 FROM keys WHERE public_id = $id AND revoked_at IS NOT NULL",
  coupon: "SELECT 1 FROM coupons WHERE id = $id",
  used: "SELECT 1 FROM coupons WHERE id = $id AND state = 'used'",
} as const;
export type FactKind = keyof typeof SHOWN_BY;

/**
 * Opens a ledger the way the node does and compares it with what it said before.
 * @returns what is wrong: faults of the books, facts that were lost, refused facts that are there all the same.
 * @throws LedgerOpenError
 */
export async function checkLedger(file: string, { acknowledged, refused }: Said): Promise<readonly string[]> {
  const ledger = openLedger({ file, clock: createStillClock() });
  const db = new Database(file, { readonly: true });
  const found: string[] = [];
  try {
    found.push(...(await ledger.audit()).findings.map(({ rule, message }) => `audit ${rule}: ${message}`));
    for (const fact of acknowledged) if (isShown(db, fact) !== "yes") found.push(`lost: ${renderFact(fact)}`);
    for (const fact of refused) if (isShown(db, fact) === "yes") found.push(`refused, yet there: ${renderFact(fact)}`);
  } finally {
    db.close();
    // Damage that no row read so far lies on is met when the log is written into the file.
    await ledger.close().catch((error: unknown) => {
      if (storageFaultOf(error) !== "damaged") throw error;
      found.push(`damaged: ${messageOf(error)}`);
    });
  }
  return found;
}

function isShown(db: Database, { is, id, more = "" }: Fact): "yes" | "no" | "unreadable" {
  try {
    return db.query(SHOWN_BY[is]).get({ $id: id, $more: more }) === null ? "no" : "yes";
  } catch (error) {
    // Damage may also lie within a text that is JSON where it is whole.
    if (storageFaultOf(error) !== "damaged" && !messageOf(error).includes("malformed JSON")) throw error;
    return "unreadable";
  }
}

const renderFact = ({ is, id, more = "" }: Fact): string => `${is} ${id} ${more}`.trim();

/** Reads the lines a workload wrote; a last line that was cut off is left out. */
export function readSaid(text: string): Said & { readonly done: boolean } {
  const acknowledged: Fact[] = [];
  const refused: Fact[] = [];
  let done = false;
  for (const line of text.split("\n").slice(0, -1)) {
    if (line.startsWith("+")) acknowledged.push(JSON.parse(line.slice(1)));
    if (line.startsWith("-")) refused.push(JSON.parse(line.slice(1)));
    if (line === "done") done = true;
  }
  return { acknowledged, refused, done };
}
