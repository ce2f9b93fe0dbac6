import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import type { FindAnswer } from "../../src/admin/answers.ts";
import { createProgram } from "../../src/commands/program.ts";
import { newPayer } from "../helpers/demo-node.ts";
import { type FileNode, startFileNode } from "../helpers/file-node.ts";
import { makeSampleLedger, removeLedgerFolders } from "../helpers/sample-ledger.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";

let at: FileNode;
beforeAll(async () => {
  at = await startFileNode();
});
afterAll(async () => {
  await at.stop();
  removeLedgerFolders();
});

const find = async (word: string): Promise<FindAnswer> =>
  (await (await at.ask(`/admin/api/find?${new URLSearchParams({ word })}`)).json()) as FindAnswer;

async function buy() {
  const signature = await createPaymentPayload(await fetch(`${at.url}/one`), newPayer());
  const answer = await fetch(`${at.url}/one`, { headers: { "PAYMENT-SIGNATURE": signature } });
  expect(answer.status).toBe(200);
  const settled = JSON.parse(atob(answer.headers.get("payment-response") ?? "")) as Record<string, string>;
  const header = (name: string) => answer.headers.get(name) ?? "";
  return { receipt_id: header("x-receipt-id"), request_id: header("x-request-id"), ...settled } as Record<
    "receipt_id" | "request_id" | "transaction" | "payer",
    string
  >;
}

/** What a command prints, with the code it ends with. */
async function run(words: readonly string[]): Promise<{ readonly text: string; readonly code: number | null }> {
  let code: number | null = null;
  const printed: string[] = [];
  const spies = (["log", "error"] as const).map((method) =>
    spyOn(console, method).mockImplementation((...texts: unknown[]) => void printed.push(...texts.map(String))),
  );
  try {
    const program = createProgram((done) => {
      code = done;
    });
    await program.parseAsync([...words], { from: "user" });
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return { text: printed.join("\n"), code };
}

test("a buyer's transaction, receipt, address or request tells the operator the whole story", async () => {
  const sale = await buy();
  // What it was asked for is kept a moment after it was sold.
  await at.restart();
  const { transaction, receipt_id, payer } = sale;
  for (const word of [transaction, transaction.toUpperCase().replace("0X", "0x"), receipt_id, payer, ` ${payer}\n`]) {
    const { stories, has_more } = await find(word);
    expect([word, stories.map(({ kind }) => kind), has_more]).toEqual([word, ["payment"], false]);
    const [story] = stories;
    expect(story?.facts).toMatchObject({
      product: "one",
      asked: "/one {}",
      amount_usd: "0.01",
      payer: payer.toLowerCase(),
      transaction,
      state: "settled",
      receipt_id,
      label: "organic",
      delivered: true,
    });
    const until = story?.facts.fetch_until;
    expect(story?.verdict).toBe(
      `Paid and handed over. Until ${until} its buyer gets it again by sending the same payment again, or at ` +
        `/payments/${story?.id}.`,
    );
  }
});

test("a request's id is found in the log, with the sale it names; else its lines are shown", async () => {
  const { request_id, receipt_id } = await buy();
  const { stories, log } = await find(request_id);
  expect(stories.map(({ facts }) => facts.receipt_id)).toEqual([receipt_id]);
  expect(log.some(({ event }) => event === "sale")).toBe(true);
  const refused = (await fetch(`${at.url}/one`)).headers.get("x-request-id") ?? "";
  const other = await find(refused);
  expect([other.stories, other.log.map(({ status }) => status)]).toEqual([[], [402]]);
});

test("the command line tells it beside the running node, and asks that one for a request", async () => {
  const { receipt_id, request_id, transaction } = await buy();
  const told = await run(["find", receipt_id, "--data", at.data]);
  expect(told.code).toBe(0);
  expect(told.text).toContain("Paid and handed over.");
  expect(told.text).toMatch(new RegExp(`\n {2}transaction +${transaction}\n`));
  const asked = await run(["find", request_id, "--data", at.data, "--url", at.url, "--json"]);
  expect((JSON.parse(asked.text) as FindAnswer).stories[0]?.facts.receipt_id).toBe(receipt_id);
  const unknown = await run(["find", "0xdead", "--data", at.data]);
  expect(unknown).toEqual({
    code: 1,
    text: "nothing is known of 0xdead: no transaction, payer, receipt, payment, call, key or label",
  });
});

test("a stopped node's books tell of keys: what was bought, what is left, what was given back", async () => {
  const { folder } = await makeSampleLedger();
  const { text, code } = await run(["find", "key_credits", "--data", folder]);
  expect(code).toBe(0);
  expect(text).toContain("key key_credits\n  It can be used.\n");
  expect(text).toMatch(
    /\n {2}grants\n {4}at=\S+ {2}plan=buy_credits {2}paid_usd=1\.00 {2}credit_usd=1\.25 {2}payment_id=/,
  );
  expect(text).toMatch(/refunded_at=2026-11-19T10:00:00Z/);
  const friend = await run(["find", "FRIEND", "--data", folder, "--json"]);
  expect((JSON.parse(friend.text) as FindAnswer).stories).toMatchObject([{ kind: "key", id: "key_given" }]);
});

test("a key that is pasted whole is found, and shown nowhere", async () => {
  const issued = (await (await at.ask("/admin/keys", { command: "issue", credit_usd: "1", label: "x" })).json()) as {
    readonly api_key: string;
    readonly key_id: string;
  };
  const found = await find(issued.api_key);
  expect(found.stories.map(({ id }) => id)).toEqual([issued.key_id]);
  expect(JSON.stringify(found)).not.toContain(issued.api_key);
});

test("the operator's page finds it, with what strangers wrote escaped", async () => {
  const { receipt_id } = await buy();
  await at.ask("/admin/keys", { command: "issue", credit_usd: "1", label: "<b>Bob</b> & co" });
  const form = { token: at.node.operator_token };
  const login = await fetch(`${at.url}/admin/login`, {
    method: "POST",
    body: new URLSearchParams(form),
    redirect: "manual",
  });
  const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
  const page = async (word: string) =>
    (await fetch(`${at.url}/admin/find?${new URLSearchParams({ word })}`, { headers: { cookie } })).text();
  expect(await page(receipt_id)).toContain(`href="/receipts/${receipt_id}"`);
  const bob = await page("<b>bob");
  expect(bob).toContain("&lt;b&gt;Bob&lt;/b&gt; &amp; co");
  expect(bob).not.toContain("<b>");
  expect(await page("nobody at all")).toContain("Nothing is known of <code>nobody at all</code>");
});

// The last one: buyers sign by the system's clock.
test("when its keeping time is over, the story says that the answer is gone", async () => {
  const { receipt_id } = await buy();
  at.clock.advance(25 * 3_600_000);
  const [late] = (await find(receipt_id)).stories;
  expect([late?.facts.fetch_until, late?.verdict]).toEqual([
    null,
    "Paid and handed over. The answer is no longer kept.",
  ]);
});
