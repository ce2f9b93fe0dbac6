import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import type { FindAnswer, OverviewAnswer } from "../../src/admin/answers.ts";
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

test("a refund is written beside the running node and on a stopped one, once, and is told everywhere", async () => {
  const [one, two] = [await buy(), await buy()];
  const refund = (sale: string) => ["books", "refund", "--transaction", sale, "--reason", "sold twice", "--json"];
  const first = await run(...refund(one), "--reference", "0xAB", "--url", at.url);
  expect([first.code, JSON.parse(first.text)]).toEqual([
    0,
    expect.objectContaining({ receipt_id: one, amount_usd: "0.01", reference: "0xab", written_before: false }),
  ]);
  const again = await run(...refund(one), "--reference", "0xab", "--url", at.url);
  expect(JSON.parse(again.text)).toMatchObject({ receipt_id: one, written_before: true });
  const found = (await (await at.ask(`/admin/api/find?word=${one}`)).json()) as FindAnswer;
  expect(found.stories[0]?.verdict).toEndWith("0.01 USD of it was sent back.");
  expect(found.stories[0]?.lists.given_back).toMatchObject([{ reference: "0xab", reason: "sold twice" }]);

  await at.restart(async () => {
    const stopped = await run(...refund(two), "--reference", "0xcd", "--amount", "0.004");
    expect([stopped.code, JSON.parse(stopped.text).amount_atomic]).toEqual([0, "4000"]);
    const wrong = await run(...refund(two), "--reference", "0xef", "--amount", "one");
    expect([wrong.code, wrong.text]).toEqual([1, expect.stringContaining("amount_usd")]);
  });
  const overview = (await (await at.ask("/admin/api/overview")).json()) as OverviewAnswer;
  expect([overview.money.given_back?.amount_usd, overview.money.earned?.amount_usd]).toEqual(["0.014", "0.006"]);
  expect((await at.node.audit()).findings).toEqual([]);
  // In the sheet of sales each refund is a row of its own, so that every column adds up by itself.
  const { text } = await run("sales", "--from", "2020-01-01", "--to", "2100-01-01", "--csv");
  const [head = [], ...rows] = text.split("\n").map((line) => line.split(","));
  const sumOf = (column: string) => rows.reduce((sum, row) => sum + BigInt(row[head.indexOf(column)] ?? ""), 0n);
  expect([rows.length, sumOf("received_atomic"), sumOf("given_back_atomic")]).toEqual([4, 20_000n, 14_000n]);
  const told = await run("sales", "--from", "2020-01-01", "--to", "2100-01-01");
  expect(told.text).toEndWith("2 sales, 0.02 USD settled, 0.02 USD received, 0.014 USD given back");
});

test("what cannot be written is refused in words, and nothing is written", async () => {
  const receipt = await buy();
  const given = ["--url", at.url, "--reason", "x"];
  for (const [words, said] of [
    [["--transaction", "0xnone", "--reference", "0x1"], "There is no settled payment of this name."],
    [["--transaction", receipt, "--reference", "0x1", "--amount", "0.02"], "More than was paid"],
    [["--transaction", receipt, "--reference", "\u200b"], "A refund needs a reference"],
  ] as const) {
    const { text, code } = await run("books", "refund", ...words, ...given);
    expect([text.includes(said), code]).toEqual([true, 1]);
  }
  const found = (await (await at.ask(`/admin/api/find?word=${receipt}`)).json()) as FindAnswer;
  expect(found.stories[0]?.lists.given_back).toEqual([]);
});
