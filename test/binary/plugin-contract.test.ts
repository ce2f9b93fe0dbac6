import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanUp, type DemoNode, newFolder, newPayer, payingFetch, signFor, startDemo } from "../helpers/demo-node.ts";
import { until } from "../helpers/hang-limit.ts";

// 25 MB of rows in the full run; what a test of the contract needs, else.
const ROWS = process.env.TEST_FULL ? 1_100_000 : 20_000;
const PLUGIN = join(import.meta.dir, "..", "fixtures", "plugins", "own");

/** One folder outside the repository, loaded into the compiled binary with a configuration of its own. */
let node: DemoNode;
let began_on = "";
/** UTC, on the node's clock. */
const today = async (): Promise<string> => String((await node.control("/clock")).now).slice(0, 10);
beforeAll(async () => {
  const folder = newFolder();
  cpSync(PLUGIN, join(folder, "own"), { recursive: true });
  const file = join(folder, "node.toml");
  writeFileSync(file, `[plugins]\ndir = ${JSON.stringify(folder)}\n[plugins.own]\ngreeting = "good day"\n`);
  node = await startDemo({ args: ["--config", file], env: { OWN_ROWS: String(ROWS) } });
  // Its jobs run every minute of the sandbox's clock.
  began_on = await today();
  await node.control("/clock", { advance_s: 61 });
});
afterAll(cleanUp);

const account = newPayer();
const pay = payingFetch(account);
interface Answer {
  readonly data: Record<string, unknown>;
  readonly sources: { readonly provider: string }[];
}
const answerOf = async (response: Response) => {
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
};
const buy = async (path: string) => answerOf(await pay(`${node.url}${path}`));
const settled = async () => ((await node.control("/chain")) as { settlements: unknown[] }).settlements.length;

describe("a plugin in a folder of its own uses the whole contract in the compiled binary", () => {
  test("a POST body with an address", async () => {
    const address = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ address, view: "brief" });
    const { data } = await answerOf(await pay(`${node.url}/own-wallet`, { method: "POST", headers, body }));
    expect(data).toEqual({ address: address.toLowerCase(), depth: "quick" });
  });

  test("the payer as a default, at the price of a tier", async () => {
    const { data } = await buy("/own-wallet?depth=deep");
    expect(data).toMatchObject({ address: account.address.toLowerCase(), depth: "deep" });
    const challenge = (await (await node.get("/own-wallet?depth=deep")).json()) as { accepts: { amount: string }[] };
    expect(challenge.accepts[0]?.amount).toBe("2000");
  });

  test("another product's answer, with its sources", async () => {
    const mood = await buy("/own-mood");
    const sold = await buy("/fear-greed");
    expect(mood.data.value).toBe(sold.data.value);
    expect(mood.sources.length).toBeGreaterThan(0);
  });

  test("a table with two events in one millisecond", async () => {
    expect((await buy("/own-events")).data).toEqual({ said: ["one", "other"], moments: 1 });
  });

  test("a dataset, parsed in a worker", async () => {
    let paid = await pay(`${node.url}/own-part?id=${ROWS - 1}`);
    // The worker may still be at it: a call without data is not charged.
    const isRead = async (): Promise<boolean> => {
      if (paid.status !== 503) return true;
      paid = await pay(`${node.url}/own-part?id=${ROWS - 1}`);
      return false;
    };
    await until(isRead, "the dataset", 100);
    expect((await answerOf(paid)).data).toEqual({ name: `part ${ROWS - 1}`, rows: ROWS });
  });

  test("a quota per day: what goes beyond it is not sold", async () => {
    let sold = 0;
    let before = await settled();
    let over = await pay(`${node.url}/own-quote?n=1`);
    // A day that begins in between has a quota of its own, of which its preview takes one.
    for (; over.status === 200 && sold < 4; over = await pay(`${node.url}/own-quote?n=${sold + 1}`)) {
      expect((await answerOf(over)).data).toEqual({ price: 42 });
      sold += 1;
      before = await settled();
    }
    if ((await today()) === began_on) expect(sold).toBe(2);
    else expect(sold).toBeGreaterThan(0);
    expect([over.status, ((await over.json()) as { charged: unknown }).charged]).toEqual([503, false]);
    expect(await settled()).toBe(before);
  });

  test("a streamed answer in a form of its own, from its own settings and a model", async () => {
    const post = (body: object, more: Record<string, string> = {}) =>
      fetch(`${node.url}/v1/own-chat`, {
        method: "POST",
        headers: { "content-type": "application/json", ...more },
        body: JSON.stringify(body),
      });
    const sign = async () => ({ "PAYMENT-SIGNATURE": await signFor(node, "/v1/own-chat") });
    const whole = (await (await post({ say: "you" }, await sign())).json()) as { said: string; by: string };
    expect(whole).toMatchObject({ said: expect.stringContaining("good day you"), by: "sandbox-writer" });
    const streamed = await post({ say: "you", stream: true }, await sign());
    expect(streamed.headers.get("content-type")).toBe("text/event-stream");
    expect(streamed.headers.get("PAYMENT-RESPONSE")).not.toBeNull();
    expect(await streamed.text()).toEndWith("data: day\n\ndata: you\n\ndata: [DONE]\n\n");
    expect(await (await post({ say: [7] })).json()).toEqual({ oops: "invalid_parameter", param: "say" });
    const before = await settled();
    await node.control("/models", { model: "sandbox", mode: "empty" });
    const failed = await post({ say: "no", stream: true }, await sign());
    expect([failed.status, await failed.json()]).toEqual([503, { oops: "upstream_bad_response", param: null }]);
    expect(await settled()).toBe(before);
  });

  test("beside it, the chat door refuses what changes an answer before it looks at a payment", async () => {
    const body = JSON.stringify({ messages: [{ role: "user", content: "hi" }], n: 2 });
    const headers = { "content-type": "application/json", "PAYMENT-SIGNATURE": "not even read" };
    const refused = await fetch(`${node.url}/v1/chat/completions`, { method: "POST", headers, body });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { code: "unsupported_value", param: "n" }, unsupported: ["tools", "vision"] },
    ]);
  });
});
