import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import type { FindAnswer, OverviewAnswer, SumsAnswer } from "../../src/admin/answers.ts";
import { createProgram } from "../../src/commands/program.ts";
import { newPayer } from "../helpers/demo-node.ts";
import { type FileNode, startFileNode } from "../helpers/file-node.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";

let at: FileNode;
beforeAll(async () => {
  at = await startFileNode();
});
afterAll(() => at.stop());

async function buy(): Promise<string> {
  const signature = await createPaymentPayload(await fetch(`${at.url}/one`), newPayer());
  const answer = await fetch(`${at.url}/one`, { headers: { "PAYMENT-SIGNATURE": signature } });
  return answer.headers.get("x-receipt-id") ?? "";
}

async function run(...words: readonly string[]): Promise<{ readonly text: string; readonly code: number }> {
  const printed: string[] = [];
  let code = -1;
  const spies = (["log", "error"] as const).map((method) =>
    spyOn(console, method).mockImplementation((text: unknown) => void printed.push(String(text))),
  );
  try {
    const program = createProgram((done) => {
      code = done;
    });
    await program.parseAsync([...words, "--data", at.data], { from: "user" });
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return { text: printed.join("\n"), code };
}

const EVER = ["--from", "2020-01-01", "--to", "2100-01-01"];
const correct = (sale: string, reference: string, ...more: readonly string[]) =>
  run("books", "correct", "--transaction", sale, "--reason", "not in the wallet", "--reference", reference, ...more);

test("money that never landed is corrected beside a running node and on a stopped one; each view says so", async () => {
  const [one, two, three] = [await buy(), await buy(), await buy()];
  const first = await correct(one, "page 1", "--json", "--url", at.url);
  expect([first.code, JSON.parse(first.text)]).toEqual([
    0,
    expect.objectContaining({ receipt_id: one, received_usd: "0.00", taken_off_usd: "0.01", written_before: false }),
  ]);
  const again = await correct(one, "page 1", "--json", "--url", at.url);
  expect(JSON.parse(again.text)).toMatchObject({ receipt_id: one, written_before: true });
  const found = (await (await at.ask(`/admin/api/find?word=${one}`)).json()) as FindAnswer;
  expect(found.stories[0]?.verdict).toEndWith("You found that 0.00 USD came in for it.");
  expect(found.stories[0]?.lists.corrections).toMatchObject([{ reference: "page 1", reason: "not in the wallet" }]);

  await at.restart(async () => {
    const stopped = await correct(two, "page 2", "--received", "0.004", "--json");
    expect([stopped.code, JSON.parse(stopped.text).taken_off_usd]).toEqual([0, "0.006"]);
  });
  const refund = ["books", "refund", "--transaction", three, "--reference", "0xab", "--reason", "sorry"];
  expect((await run(...refund, "--url", at.url)).code).toBe(0);

  // Settled 0.03, of which 0.016 never came, and 0.01 went back: 0.004 was earned, wherever one looks.
  const { money } = (await (await at.ask("/admin/api/overview")).json()) as OverviewAnswer;
  const figures = ["settled", "never_landed", "received", "given_back", "sold", "earned"] as const;
  expect(figures.map((name) => money[name]?.amount_usd)).toEqual(["0.03", "0.016", "0.014", "0.01", "0.03", "0.004"]);
  const metrics = await (await at.ask("/metrics")).text();
  expect(metrics).toContain('intel_node_money_usd{figure="never_landed"} 0.016');
  const report = JSON.parse((await run("ledger", "report", ...EVER, "--json")).text);
  expect(JSON.stringify(report.money ?? report)).toContain("16000");
  const sums = (await (await at.ask("/admin/api/sales-sums?by=product")).json()) as SumsAnswer;
  expect([sums.total.never_landed, sums.total.received].map(({ count, amount_usd }) => [count, amount_usd])).toEqual([
    [1, "0.016"],
    [2, "0.014"],
  ]);
  const { text } = await run("sales", ...EVER, "--csv");
  const [head = [], ...rows] = text.split("\n").map((line) => line.split(","));
  const sumOf = (column: string) => rows.reduce((sum, row) => sum + BigInt(row[head.indexOf(column)] ?? ""), 0n);
  expect([rows.length, sumOf("amount_atomic"), sumOf("received_atomic"), sumOf("given_back_atomic")]).toEqual([
    ...[6, 30_000n, 14_000n, 10_000n],
  ]);
  expect((await run("sales", ...EVER)).text).toEndWith(
    "3 sales, 0.03 USD settled, 0.016 USD of it never landed, 0.014 USD received, 0.01 USD given back",
  );
  const earned = await run("sales", ...EVER, "--method", "earned", "--csv");
  const amounts = earned.text
    .split("\n")
    .slice(1)
    .map((line) => Number(line.split(",").find((cell) => /^-?0\.0/.test(cell))));
  expect(amounts.reduce((sum, usd) => sum + usd, 0)).toBeCloseTo(0.004, 9);
  expect((await at.node.audit()).findings).toEqual([]);
});

test("what cannot be corrected is refused in words, and nothing is written", async () => {
  const receipt = await buy();
  for (const [sale, reference, more, said] of [
    ["0xnone", "a", [], "There is no settled payment of this name."],
    [receipt, "a", ["--received", "0.02"], "no more than was booked"],
    [receipt, "a", ["--received", "0.01"], "The books say so already"],
    [receipt, "a", ["--received", "one"], "received_usd"],
    [receipt, "\u200b", [], "A correction needs a reference"],
  ] as const) {
    const { text, code } = await correct(sale, reference, ...more, "--url", at.url);
    expect([text.includes(said), code]).toEqual([true, 1]);
  }
  const found = (await (await at.ask(`/admin/api/find?word=${receipt}`)).json()) as FindAnswer;
  expect(found.stories[0]?.lists.corrections).toEqual([]);
});
