import { afterAll, expect, test } from "bun:test";
import { auditOf } from "../helpers/demo-books.ts";
import { cleanUp, type DemoNode, newFolder, newPayer, startDemo } from "../helpers/demo-node.ts";
import { repeat } from "../helpers/effort.ts";
import { noteSecret } from "../helpers/secrets.ts";
import { TEST_SEED as SEED } from "../helpers/seed.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";
import { createRandom } from "../ledger/model.ts";

afterAll(cleanUp);

const ROUNDS = Number(process.env.TEST_ROUNDS ?? repeat({ quick: 15, full: 200, long: 10_000 }));
const PRICE = 3_000n;
const PATH = "/pyth-price";
const GRANT = 1_250_000n;
const CALLS = 12;

type Answer = Record<string, unknown>;

/** A key that was handed to us, and what we know of it. */
interface Bought {
  readonly api_key: string;
  /** Credit the node acknowledged, and calls it answered. */
  granted: bigint;
  answered: number;
  /** Calls that were cut off: each may have been charged, and its name tells. */
  open: string[];
}

/** A purchase that was cut off: the same payment with the same identifier must bring the key. */
interface Cut {
  readonly header: string;
  readonly secret: string;
  readonly key: string | null;
}

const buy = (node: DemoNode, { header, secret, key }: Cut) =>
  node.get("/buy-credits", {
    "PAYMENT-SIGNATURE": header,
    "Idempotency-Key": secret,
    ...(key === null ? {} : { "X-API-Key": key }),
  });

const call = (node: DemoNode, api_key: string, name: string) =>
  node.get(PATH, { "X-API-Key": api_key, "Idempotency-Key": name });

async function readStatus(node: DemoNode, api_key: string) {
  const response = await node.get("/credits-status", { "X-API-Key": api_key });
  if (response.status !== 200) throw new Error(`an acknowledged key is gone: ${response.status}`);
  return (await response.json()) as { balance_atomic: string; granted_atomic: string; spent_atomic: string };
}

/** What an acknowledged key has to hold: everything granted, less every call that was answered or is open. */
async function checkKey(node: DemoNode, bought: Bought): Promise<void> {
  const { balance_atomic, granted_atomic, spent_atomic } = await readStatus(node, bought.api_key);
  expect(BigInt(granted_atomic)).toBe(bought.granted);
  expect(BigInt(spent_atomic)).toBe(PRICE * BigInt(bought.answered));
  expect(BigInt(balance_atomic)).toBe(bought.granted - PRICE * BigInt(bought.answered));
}

test(`${ROUNDS} kills while keys are bought, topped up and used lose nothing acknowledged (seed ${SEED})`, async () => {
  const data = newFolder();
  const random = createRandom(SEED);
  const keys: Bought[] = [];
  let cuts: Cut[] = [];
  let cut_off = 0;
  const notePurchase = (body: Answer, key: string | null) => {
    if (key !== null) {
      const held = keys.find((one) => one.api_key === key);
      if (held) held.granted += GRANT;
      return;
    }
    expect(String(body.api_key)).toMatch(/^ink_/);
    noteSecret(String(body.api_key));
    keys.push({ api_key: String(body.api_key), granted: GRANT, answered: 0, open: [] });
  };

  for (let round = 0; round < ROUNDS; round++) {
    const node = await startDemo({ data, domains: ["crypto-market"] });
    // Cut-off calls first: sent again under their name they are answered, charged once in all.
    for (const bought of keys) {
      for (const name of bought.open.splice(0)) {
        const again = await call(node, bought.api_key, name);
        expect(again.status).toBe(200);
        bought.answered += 1;
        cut_off += 1;
      }
    }
    const still: Cut[] = [];
    for (const cut of cuts) {
      const again = await buy(node, cut);
      const body = (await again.json()) as Answer;
      cut_off += 1;
      if (again.status === 200) notePurchase(body, cut.key);
      else if (again.status === 503) still.push(cut);
      else throw new Error(`a live purchase got ${again.status}: ${JSON.stringify(body)}`);
    }
    cuts = still;
    for (const bought of keys.slice(-10)) await checkKey(node, bought);

    const challenge = await node.get("/buy-credits");
    const { headers } = challenge;
    await challenge.text();
    const sign = () => createPaymentPayload(new Response("", { status: 402, headers }), newPayer());
    // One key is bought anew and one topped up, while others are used.
    const topped = keys.length > 0 ? random.pick(keys).api_key : null;
    const wanted: Cut[] = [
      { header: await sign(), secret: `a purchase of round ${round}`, key: null },
      ...(topped === null ? [] : [{ header: await sign(), secret: `a top-up of round ${round}`, key: topped }]),
    ];
    const work = [
      ...wanted.map(async (cut) => {
        try {
          const response = await buy(node, cut);
          const body = (await response.json()) as Answer;
          if (response.status !== 200) throw new Error(`undisturbed: ${response.status} ${JSON.stringify(body)}`);
          notePurchase(body, cut.key);
        } catch (error) {
          if (error instanceof Error && error.message.startsWith("undisturbed")) throw error;
          cuts.push(cut);
        }
      }),
      ...Array.from({ length: keys.length > 0 ? CALLS : 0 }, async (_, index) => {
        const bought = random.pick(keys);
        const name = `call ${round} ${index}`;
        try {
          const response = await call(node, bought.api_key, name);
          await response.text();
          if (response.status !== 200) throw new Error(`undisturbed: ${response.status}`);
          bought.answered += 1;
        } catch (error) {
          if (error instanceof Error && error.message.startsWith("undisturbed")) throw error;
          bought.open.push(name);
        }
      }),
    ];
    await Bun.sleep(1 + random.next() * 30);
    await node.kill();
    await Promise.all(work);
    if (round % 25 === 0) expect(auditOf({ data }).report.findings).toEqual([]);
  }

  const node = await startDemo({ data, domains: ["crypto-market"] });
  await node.control("/clock", { advance_s: 600 });
  for (const cut of cuts) {
    const again = await buy(node, cut);
    if (again.status === 200) notePurchase((await again.json()) as Answer, cut.key);
  }
  for (const bought of keys) {
    for (const name of bought.open.splice(0)) {
      expect((await call(node, bought.api_key, name)).status).toBe(200);
      bought.answered += 1;
    }
    await checkKey(node, bought);
  }
  await node.stop();
  expect(auditOf({ data }).report.findings).toEqual([]);
  // Both happened, or the kills came too early or too late to show anything.
  expect(keys.length).toBeGreaterThan(ROUNDS / 4);
  expect(cut_off).toBeGreaterThan(0);
});
