import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { A2A_BUYERS, asHeader, type SeenTask, sign } from "../helpers/a2a-buyers.ts";
import { auditOf, readChain } from "../helpers/demo-books.ts";
import { cleanUp, type DemoNode, newFolder, startDemo } from "../helpers/demo-node.ts";
import { PAYERS } from "../helpers/payers.ts";
import { networksOf } from "../helpers/product-networks.ts";
import { startEchoDemo } from "../http/echo-plugin.ts";

/** The A2A door of the compiled binary, over all its products and over restarts. */
const [base] = PAYERS as [(typeof PAYERS)[number]];
const [, [, startBuyer]] = A2A_BUYERS;
const settlements = async (node: DemoNode) => (await readChain(node)).settlements.length;

interface Card {
  readonly skills: readonly { id: string; name: string; description: string; examples: readonly string[] }[];
  readonly url: string;
  readonly sandbox: boolean;
  readonly supportedInterfaces: readonly { url: string; protocolVersion: string }[];
  readonly capabilities: { readonly extensions: readonly { readonly required: boolean }[] };
}
interface Pricing {
  readonly products: readonly { product: string; path: string; price_usd: string; method: string }[];
}

let node: DemoNode;
beforeAll(async () => {
  node = await startDemo({ history: "resting" });
});
afterAll(cleanUp);

/** The skill that is no product: test/http/a2a-watches.test.ts has it. */
const WATCH = "watch";

describe("the card", () => {
  const readCard = async () => (await (await node.get("/.well-known/agent-card.json")).json()) as Card;

  test("is the same bytes under both paths, small, and names every product with its price", async () => {
    const old = await (await node.get("/.well-known/agent.json")).text();
    expect(await (await node.get("/.well-known/agent-card.json")).text()).toBe(old);
    expect(old.length).toBeLessThan(262_144);
    const card = await readCard();
    const { products } = (await (await node.get("/get-pricing")).json()) as Pricing;
    const named = products.map(({ product }) => product.replaceAll(/[/-]/g, "_"));
    expect(card.skills.map(({ id }) => id)).toEqual([...named, WATCH]);
    for (const [index, { price_usd }] of products.entries()) {
      expect(card.skills[index]?.description).toContain(`$${price_usd}`);
    }
  });

  test("leads to the door, asks for no extension and says that nothing is real", async () => {
    const card = await readCard();
    expect(card).toMatchObject({ url: `${node.url}/a2a`, sandbox: true });
    expect(card.supportedInterfaces.map(({ url }) => url)).toEqual([`${node.url}/a2a`, `${node.url}/a2a`]);
    expect(card.capabilities.extensions.map(({ required }) => required)).toEqual([false, false]);
    expect(card).not.toHaveProperty("securitySchemes");
  });

  test.each(A2A_BUYERS)("read by the client of %s: every example is understood, for its price", async (_, start) => {
    const buyer = await start(node.url, {});
    for (const { id, examples } of (await readCard()).skills.filter((skill) => skill.id !== WATCH)) {
      const path = /^(?:GET|POST) (\S+?)(?:\?|\s|$)/.exec(examples[0] ?? "")?.[1];
      const task = await buyer.send({ text: examples[0] ?? "" });
      expect(task).toMatchObject({ state: "input-required" });
      const required = task.metadata["x402.payment.required"] as {
        resource: { url: string };
        accepts: { amount: string }[];
      };
      expect(required.resource.url).toBe(path ?? "");
      expect(await buyer.send({ skill: id })).toMatchObject({ state: "input-required" });
      expect(required.accepts).toHaveLength(networksOf(new URL(path ?? "", node.url).pathname).length);
    }
  });
});

test.each(A2A_BUYERS)("the client of %s gets a preview free and completes at once", async (_, start) => {
  const buyer = await start(node.url, {});
  const before = await settlements(node);
  const task = await buyer.send({ skill: "fear_greed", params: { preview: true } });
  expect(task).toMatchObject({ state: "completed", data: { product: "fear-greed", delayed: true, sandbox: true } });
  expect(await settlements(node)).toBe(before);
});

describe("a product with parameters of every kind", () => {
  let echo: DemoNode;
  beforeAll(async () => {
    echo = await startEchoDemo();
  });

  test("is the same request as data, as a line and over HTTP", async () => {
    const buyer = await startBuyer(echo.url, {});
    const asked = await buyer.send({ skill: "echo", params: { text: "a", count: 2, loud: true } });
    const metadata = await sign(asked, await base.newPayer(echo.url));
    const done = await buyer.send({ task: asked.id, text: "Here.", metadata });
    expect(done.data).toMatchObject({ data: { text: "a", count: 2 } });
    const line = `POST ${echo.url}/echo {"loud":true,"text":"a","count":2}`;
    for (const text of [line, "GET /echo?text=a&count=2&loud=true"]) {
      const again = await buyer.send({ text, metadata });
      expect(again).toMatchObject({ state: "completed", about: { idempotent_replay: true } });
    }
    const init = { method: "POST", body: JSON.stringify({ text: "a", count: 2, loud: true }) };
    const headers = { "content-type": "application/json", ...asHeader(metadata) };
    const over_http = await fetch(`${echo.url}/echo`, { ...init, headers });
    expect(over_http.headers.get("x-idempotent-replay")).toBe("true");
    expect(await over_http.text()).toBe(JSON.stringify(done.data));
    expect(await settlements(echo)).toBe(1);
  });

  test("shows its price without what it needs, and is not paid without it", async () => {
    const buyer = await startBuyer(echo.url, {});
    const asked = await buyer.send({ skill: "echo" });
    expect(asked).toMatchObject({ state: "input-required" });
    expect(asked.text).toContain('"text" is missing');
    const metadata = await sign(asked, await base.newPayer(echo.url));
    const before = await settlements(echo);
    const refused = await buyer.send({ task: asked.id, text: "Here.", metadata }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: -32602 });
    expect(await settlements(echo)).toBe(before);
    expect(await buyer.get(asked.id)).toEqual(asked);
    const done = await buyer.send({ task: asked.id, skill: "echo", params: { text: "b" }, metadata });
    expect(done).toMatchObject({ state: "completed", data: { data: { text: "b", count: 1 } } });
  });

  test("has an example with its body, under its address and under no older one", async () => {
    const buyer = await startBuyer(echo.url, {});
    const card = (await (await echo.get("/.well-known/agent-card.json")).json()) as Card;
    const example = card.skills.find(({ id }) => id === "echo")?.examples[0];
    expect(example).toBe(`POST ${echo.url}/echo {"text":"a"}`);
    expect((await buyer.send({ text: example ?? "" })).state).toBe("input-required");
    expect(await buyer.send({ text: "GET /old-echo?text=a" }).catch(({ code }) => code)).toBe(-32602);
  });
});

describe("a restart", () => {
  const buy = async (at: DemoNode): Promise<{ asked: SeenTask; metadata: Record<string, unknown> }> => {
    const buyer = await startBuyer(at.url, {});
    const asked = await buyer.send({ skill: "fear_greed" });
    return { asked, metadata: await sign(asked, await base.newPayer(at.url)) };
  };

  test("keeps every task, with its history; what was paid stays paid, what was asked can be paid", async () => {
    const data = newFolder();
    const first = await startDemo({ data });
    const buyer = await startBuyer(first.url, {});
    const { asked, metadata } = await buy(first);
    const done = await buyer.send({ task: asked.id, text: "Here.", metadata });
    const open = await buyer.send({ skill: "fear_greed" });
    await first.kill();
    const second = await startDemo({ data });
    const again = await startBuyer(second.url, {});
    expect(await again.get(asked.id)).toEqual(done);
    const before = await settlements(second);
    const replayed = await again.send({ task: asked.id, text: "Once more.", metadata });
    expect(replayed.data).toEqual(done.data);
    const over_http = await second.get("/fear-greed", asHeader(metadata));
    expect(over_http.headers.get("x-idempotent-replay")).toBe("true");
    expect(await settlements(second)).toBe(before);
    const payment = await sign(open, await base.newPayer(second.url));
    expect((await again.send({ task: open.id, text: "Here.", metadata: payment })).state).toBe("completed");
    expect(await settlements(second)).toBe(before + 1);
    await second.stop();
    expect(auditOf(second).code).toBe(0);
  });

  test("in the middle of a settlement leaves the task to its buyer: the same payment, paid once", async () => {
    const data = newFolder();
    const first = await startDemo({ data });
    const { asked, metadata } = await buy(first);
    const buyer = await startBuyer(first.url, {});
    await first.control("/facilitator", { delay_ms: 60_000 });
    const lost = buyer.send({ task: asked.id, text: "Here.", metadata }).catch(() => null);
    while ((await buyer.get(asked.id)).state !== "working") await Bun.sleep(5);
    await first.kill();
    expect(await lost).toBeNull();
    const second = await startDemo({ data });
    const again = await startBuyer(second.url, {});
    const left = await again.get(asked.id);
    expect(left).toMatchObject({ state: "input-required", data: null });
    expect(left.metadata).toMatchObject({ "x402.payment.error": "SETTLEMENT_UNKNOWN" });
    const done = await again.send({ task: asked.id, text: "Here.", metadata });
    expect(done).toMatchObject({ state: "completed", data: { product: "fear-greed" } });
    expect(await settlements(second)).toBe(1);
    await second.stop();
    expect(auditOf(second).code).toBe(0);
  });
});
