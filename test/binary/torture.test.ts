import { afterAll, expect, test } from "bun:test";
import { auditOf, readChain } from "../helpers/demo-books.ts";
import { cleanUp, type DemoNode, newFolder, newPayer, startDemo } from "../helpers/demo-node.ts";
import { repeat } from "../helpers/effort.ts";
import { until } from "../helpers/hang-limit.ts";
import { TEST_SEED as SEED } from "../helpers/seed.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";

afterAll(cleanUp);

const ROUNDS = Number(process.env.TEST_ROUNDS ?? repeat({ quick: 15, full: 200, long: 2_000 }));
const PATH = "/pyth-price";
const BUYERS = 6;
const SAMPLE = 100;

/** The minimal standard generator: the same kills for the same seed. */
const createRandom = (seed: number) => {
  let state = seed % 2_147_483_647;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
};

interface Sale {
  readonly header: string;
  readonly body: string;
  readonly receipt_id: string;
}

/** Sends payments at once and kills the node somewhere in between. */
async function sellAndKill(node: DemoNode, kill_after_ms: number): Promise<{ acknowledged: Sale[]; open: string[] }> {
  const challenge = await node.get(PATH);
  const { headers } = challenge;
  await challenge.text();
  const signed = await Promise.all(
    Array.from({ length: BUYERS }, () => createPaymentPayload(new Response("", { status: 402, headers }), newPayer())),
  );
  const acknowledged: Sale[] = [];
  const open: string[] = [];
  const calls = signed.map(async (header) => {
    try {
      const response = await node.get(PATH, { "PAYMENT-SIGNATURE": header });
      const body = await response.text();
      if (response.status !== 200) throw new Error(`an undisturbed call got ${response.status}: ${body}`);
      acknowledged.push({ header, body, receipt_id: response.headers.get("X-Receipt-Id") ?? "" });
    } catch (error) {
      if (error instanceof Error && error.message.startsWith("an undisturbed")) throw error;
      open.push(header);
    }
  });
  await Bun.sleep(kill_after_ms);
  await node.kill();
  await Promise.all(calls);
  return { acknowledged, open };
}

async function checkSales(node: DemoNode, sales: readonly Sale[]): Promise<void> {
  for (const { header, body, receipt_id } of sales) {
    expect((await node.get(`/receipts/${receipt_id}`)).status).toBe(200);
    const again = await node.get(PATH, { "PAYMENT-SIGNATURE": header });
    expect({ status: again.status, body: await again.text() }).toEqual({ status: 200, body });
  }
}

test(`${ROUNDS} kills while selling lose no acknowledged receipt and leave balanced books (seed ${SEED})`, async () => {
  const data = newFolder();
  const random = createRandom(SEED);
  const sales: Sale[] = [];
  let last: Sale[] = [];
  let open: string[] = [];
  let cut_off = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const node = await startDemo({ data, domains: ["crypto-market"] });
    await checkSales(node, last);
    for (const header of open) {
      const answer = await node.get(PATH, { "PAYMENT-SIGNATURE": header });
      const body = await answer.text();
      // Paid and fetched, or never taken and sold now, or not known yet. A live payment is never refused, so no 402.
      if (answer.status === 503) expect(JSON.parse(body)).toMatchObject({ code: "settlement_unknown" });
      else expect({ status: answer.status, body }).toMatchObject({ status: 200 });
      cut_off += 1;
      if (answer.status === 200) sales.push({ header, body, receipt_id: answer.headers.get("X-Receipt-Id") ?? "" });
    }
    const result = await sellAndKill(node, 1 + random() * 45);
    last = result.acknowledged;
    open = result.open;
    sales.push(...last);
    if (round % 20 === 0) expect(auditOf({ data }).report.findings).toEqual([]);
  }
  const node = await startDemo({ data, domains: ["crypto-market"] });
  for (const { receipt_id } of sales) expect((await node.get(`/receipts/${receipt_id}`)).status).toBe(200);
  // However many kills ago it was: the answer of a sample of all sales, the first among them, is still the same.
  const step = Math.ceil(sales.length / SAMPLE);
  await checkSales(
    node,
    sales.filter((_sale, at) => at % step === 0),
  );
  await node.control("/clock", { advance_s: 600 });
  await settleAll(node);
  const { settlements } = await readChain(node);
  expect(new Set(settlements.map(({ transaction }) => transaction)).size).toBe(settlements.length);
  await node.stop();
  const { findings, receipts } = auditOf({ data }).report;
  expect(findings).toEqual([]);
  // Whatever the chain took, the books have: nobody paid for nothing, and no payment was booked twice.
  expect(receipts).toBe(settlements.length);
  // Both happened, or the kills came too early or too late to show anything.
  expect(sales.length).toBeGreaterThan(0);
  expect(cut_off).toBeGreaterThan(0);
});

/** Waits until the reconciler has a word for every open settlement. */
async function settleAll(node: DemoNode): Promise<void> {
  const areSettled = async (): Promise<boolean> => {
    const live = (await (await node.get("/live")).json()) as { settlements_24h: { unknown: number } };
    return live.settlements_24h.unknown === 0;
  };
  await until(areSettled, "a word for every settlement", 100);
}
