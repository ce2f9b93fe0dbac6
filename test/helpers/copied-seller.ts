/** Sells on a ledger that is copied to a folder, until it is killed; says what it sold and what was surely copied. */
import { openSync, writeSync } from "node:fs";
import { sha256Hex } from "../../src/core/hash.ts";
import { type Ledger, openLedgerInThread } from "../../src/ledger/ledger.ts";
import { createStillClock } from "./still-clock.ts";

export interface CopiedSeller {
  readonly file: string;
  readonly to: string;
  readonly said: string;
  readonly start_ms: number;
}

const EVERY_MS = 5;
const KEEP_MS = 30 * 86_400_000;
const SALES_BETWEEN = 7;

/** One sale, settled. */
export async function sellOnce({ payments }: Pick<Ledger, "payments">, name: string, now_ms: number): Promise<string> {
  const begun = await payments.begin({
    replay_key: `test:${name}`,
    payload_hash: sha256Hex(name),
    fingerprint: sha256Hex(`request ${name}`),
    product: "gas",
    network: "eip155:84532",
    asset: "asset",
    payer: "payer",
    pay_to: "seller",
    amount: 1_000_000n,
    valid_until_ms: now_ms + 300_000,
    payload: "{}",
  });
  if (!begun.started) throw new Error("a new payment was known before");
  await payments.keepAnswer(begun.id, JSON.stringify({ name, filler: "x".repeat(name.length * 90) }), {});
  const chain_transaction = `tx-${name}`;
  await payments.settle(begun.id, { chain_transaction, label: "organic", delivered: true });
  return chain_transaction;
}

async function run({ file, to, said, start_ms }: CopiedSeller): Promise<void> {
  const descriptor = openSync(said, "a");
  const say = (line: string) => void writeSync(descriptor, `${line}\n`);
  const clock = createStillClock(start_ms);
  const place = { kind: "folder", folder: to } as const;
  const ledger = await openLedgerInThread({
    file,
    clock,
    copy: { place, owner: "in1A", every_ms: EVERY_MS, keep_ms: KEEP_MS },
  });
  for (let sale = 0; ; sale += 1) {
    // Two of three minutes have no sale.
    if (sale % SALES_BETWEEN === 0) {
      // Whatever was committed is looked at now, and is waited for.
      await ledger.checkpoint();
      while (ledger.copied?.waiting_since_ms !== null || ledger.copied.snapshot_ms === null) await Bun.sleep(EVERY_MS);
      say(`sure ${clock.now()}`);
      clock.advance(180_000);
    }
    say(`sold ${clock.now()} ${await sellOnce(ledger, `${start_ms}-${sale}`, clock.now())}`);
  }
}

const [order] = process.argv.slice(2);
if (import.meta.main && order !== undefined) await run(JSON.parse(order));
