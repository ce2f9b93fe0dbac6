import { describe, expect, test } from "bun:test";
import { decodePaymentRequiredHeader } from "@x402/core/http";
import { encodeHeader } from "../../src/payments/codec.ts";
import { isSignedBy } from "../../src/trust/jws.ts";
import { callTool, modernRpc, rpc, settlementOf, type ToolResult } from "../helpers/mcp.ts";
import { payFor } from "../helpers/payers.ts";
import { createToolsRig, dataOf } from "../helpers/tools-rig.ts";

/** Tools are paid for at the same gate as paths: one payment is one answer, whichever door it came through. */
const rig = createToolsRig();
const { get, made, pay, sign } = rig;
type Members = Record<string, unknown>;
const textOf = ({ content }: ToolResult) => content?.[0]?.text ?? "";
const header = (payment: unknown) => ({ "PAYMENT-SIGNATURE": encodeHeader(payment) });
const extensions = { "org.x402/payment": {} };

describe("unpaid", () => {
  test("shows the price in every form clients look for, and the HTTP address", async () => {
    const result = await callTool(rig.money.url, "one");
    const { structuredContent, content, _meta } = result;
    expect(result.isError).toBe(true);
    expect(structuredContent).toMatchObject({ x402Version: 2, resource: { url: `${rig.money.url}/one` } });
    expect(structuredContent?.accepts).toHaveLength(3);
    expect(JSON.parse(textOf(result))).toEqual(structuredContent);
    expect(_meta?.["x402/error"]).toMatchObject({ ...structuredContent, accepts: expect.any(Array) });
    expect(content?.[1]?.text).toContain("$0.01");
    expect(made()).toBe(0);
  });

  test("offers version 1 too where its clients look, which pay by the header's value", async () => {
    const result = await callTool(rig.money.url, "one");
    // As `agents` before 0.4 reads it: the entry of the network's plain name, and what it costs.
    const demand = result._meta?.["x402/error"] as { accepts: readonly Members[] } | undefined;
    const v1 = demand?.accepts.find(({ scheme, network }) => scheme === "exact" && network === "base-sepolia");
    expect(v1).toMatchObject({
      maxAmountRequired: "10000",
      resource: `${rig.money.url}/one`,
      mimeType: "application/json",
    });
    expect(demand?.accepts.slice(0, 3)).toEqual(result.structuredContent?.accepts as Members[]);
    const { "X-PAYMENT": token } = await payFor(`${rig.money.url}/one`, rig.payer, 1);
    const paid = await pay(token);
    expect(dataOf(paid)?.n).toBe(rig.before + 1);
    expect(rig.money.settlements()).toBe(1);
  });

  test("makes the offer of the 402 over HTTP, where the header has room for less of its extensions", async () => {
    const { headers } = await fetch(`${rig.money.url}/one`);
    const { structuredContent } = await callTool(rig.money.url, "one");
    const { extensions, ...offer } = decodePaymentRequiredHeader(String(headers.get("payment-required")));
    expect(structuredContent).toMatchObject({ ...offer, extensions: { bazaar: { info: { input: {} } } } });
    expect(Object.keys((structuredContent as { extensions: object }).extensions)).toEqual(
      Object.keys(extensions ?? {}),
    );
  });

  test("is a result type of its own for clients that say they know it, and for no others", async () => {
    const asked = { name: "one", arguments: {} };
    const knowing = await modernRpc(rig.money.url, "tools/call", asked, { capabilities: { extensions } });
    expect(knowing.body?.result).toMatchObject({ resultType: "payment_required", paymentRequired: { x402Version: 2 } });
    expect(knowing.body?.result?.content).toBeUndefined();
    const other = await modernRpc(rig.money.url, "tools/call", asked);
    expect(other.body?.result).toMatchObject({ resultType: "complete", isError: true });
  });

  test("arguments that are wrong are told of before any payment", async () => {
    for (const args of [{ q: "x".repeat(101) }, { nope: 1 }, { preview: "perhaps" }, { q: ["a"] }]) {
      const { isError, structuredContent } = await pay(await sign(), args);
      expect({ isError, status: structuredContent?.status }).toEqual({ isError: true, status: 422 });
    }
    expect(rig.money.facilitator.calls.verify).toBe(0);
  });
});

describe("paid", () => {
  test("gives data, the settlement and the receipt; the bytes are those of HTTP", async () => {
    const payment = await sign();
    const result = await pay(payment);
    expect(result.isError).toBeUndefined();
    expect(dataOf(result)?.n).toBe(rig.before + 1);
    expect(settlementOf(result)).toMatchObject({ success: true, network: rig.payer.network });
    expect(result._meta?.["intel-node/receipt_id"]).toMatch(/^rcp_/);
    const replayed = await get("/one", header(payment));
    expect(await replayed.text()).toBe(textOf(result));
    expect(replayed.headers.get("x-idempotent-replay")).toBe("true");
    expect(rig.money.settlements()).toBe(1);
  });

  test("over HTTP, its payment gives the stored answer here, and is never settled again", async () => {
    const headers = await payFor(`${rig.money.url}/one`, rig.payer, 2);
    const bought = await get("/one", headers);
    const payment = JSON.parse(atob(String(headers["PAYMENT-SIGNATURE"])));
    const result = await pay(payment);
    expect(textOf(result)).toBe(await bought.text());
    expect(result._meta?.["intel-node/idempotent_replay"]).toBe(true);
    expect({ settled: rig.money.settlements(), made: made() }).toEqual({ settled: 1, made: 1 });
  });

  test("buys nothing else: no other product, no other arguments, on no door", async () => {
    const payment = await sign();
    await pay(payment);
    for (const [name, args] of [
      ["two", {}],
      ["one", { q: "other" }],
    ] as const) {
      const { isError, structuredContent } = await pay(payment, args, name);
      expect({ isError, code: structuredContent?.code }).toEqual({ isError: true, code: "payment_already_used" });
    }
    expect((await get("/two", header(payment))).status).toBe(402);
    expect((await get("/one?q=other", header(payment))).status).toBe(402);
    expect(rig.money.settlements()).toBe(1);
  });

  test("in the newest revision, and by clients that know the payment result", async () => {
    for (const capabilities of [{}, { extensions }]) {
      const asked = { name: "one", arguments: { q: JSON.stringify(capabilities).length } };
      const meta = { "x402/payment": await sign() };
      const { body } = await modernRpc(rig.money.url, "tools/call", asked, { capabilities, meta });
      expect(body?.result).toMatchObject({ resultType: "complete", structuredContent: { product: "one" } });
      expect(settlementOf(body?.result ?? {})).toMatchObject({ success: true });
    }
    expect(rig.money.settlements()).toBe(2);
  });

  test("by a header of the POST, with the proof in a header of the answer; _meta goes first", async () => {
    const asked = { name: "one", arguments: { q: "header" } };
    const by_header = await rpc(rig.money.url, "tools/call", asked, header(await sign()));
    expect(by_header.body?.result?.structuredContent?.product).toBe("one");
    expect(by_header.headers.get("payment-response")).not.toBeNull();
    const meta = { "x402/payment": await sign() };
    const both = await rpc(
      rig.money.url,
      "tools/call",
      { name: "one", arguments: { q: "both" }, _meta: meta },
      { "PAYMENT-SIGNATURE": "bm8=", "X-PAYMENT": "bm8=" },
    );
    expect(settlementOf(both.body?.result ?? {})).toMatchObject({ success: true });
  });

  test("named by its caller, it is the same payment over HTTP", async () => {
    const name = "call-0123456789abcdef";
    const payment = await sign();
    const meta = { "x402/payment": payment, "x402/idempotency-key": name };
    const first = await callTool(rig.money.url, "one", { meta });
    const info = { info: { required: false, id: name } };
    const named = { ...payment, extensions: { ...(payment.extensions as Members), "payment-identifier": info } };
    const again = await get("/one", header(named));
    expect(await again.text()).toBe(textOf(first));
    for (const unusable of [5, "", "x".repeat(256)]) {
      const refused = await callTool(rig.money.url, "one", { meta: { ...meta, "x402/idempotency-key": unusable } });
      expect(refused.structuredContent).toMatchObject({ code: "invalid_parameter", charged: false });
    }
    expect(rig.money.settlements()).toBe(1);
  });
});

describe("refused", () => {
  test.each([
    ["no object", 5],
    ["no base64", "not base64"],
    ["an empty object", {}],
    ["a list", []],
    ["text of another language", "жетон"],
    ["a payload of nothing", { x402Version: 2, accepted: { scheme: "exact", network: "eip155:84532" }, payload: {} }],
  ])("a payment that is %s: the demand again, with the reason, and nothing moves", async (_, payment) => {
    const { isError, structuredContent, _meta } = await pay(payment);
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({ x402Version: 2, code: "invalid_payment", charged: false });
    expect(_meta?.["x402/error"]).toEqual(structuredContent);
    expect(rig.money.settlements()).toBe(0);
  });

  test("with a signed statement that it cost nothing", async () => {
    rig.money.facilitator.script.verify = () => Response.json({ isValid: false, invalidReason: "insufficient_funds" });
    const { structuredContent } = await pay(await sign());
    expect(structuredContent).toMatchObject({ code: "insufficient_funds" });
    expect(await isSignedBy(String(structuredContent?.no_charge), rig.money.node.identity.public_key)).toBe(true);
  });

  test("when settling fails: no data, the reason, the failed settlement; so in both bindings", async () => {
    rig.money.facilitator.script.settle = () =>
      Response.json({ success: false, errorReason: "invalid_transaction_state", transaction: "" });
    const plain = await pay(await sign());
    expect(plain.structuredContent).toMatchObject({ x402Version: 2, code: "settlement_failed" });
    expect(plain.structuredContent).not.toHaveProperty("data");
    expect(made()).toBe(1);
    expect(settlementOf(plain)).toMatchObject({ success: false });
    const meta = { "x402/payment": await sign() };
    const asked = { name: "one", arguments: {} };
    const { body } = await modernRpc(rig.money.url, "tools/call", asked, { capabilities: { extensions }, meta });
    expect(body?.result).toMatchObject({
      resultType: "payment_required",
      paymentRequired: { code: "settlement_failed" },
    });
  });

  test("when nobody knows whether it settled: no demand, so that no client signs again", async () => {
    rig.money.facilitator.script.settle = () => new Response("<html>", { status: 502 });
    for (const capabilities of [{}, { extensions }]) {
      const asked = { name: "one", arguments: {} };
      const meta = { "x402/payment": await sign() };
      const { body } = await modernRpc(rig.money.url, "tools/call", asked, { capabilities, meta });
      expect(body?.result).toMatchObject({
        resultType: "complete",
        isError: true,
        structuredContent: { code: "settlement_unknown", charged: "unknown" },
      });
      expect(body?.result?.structuredContent).not.toHaveProperty("accepts");
    }
  });

  test("when no data can be made: the problem, and nothing is settled", async () => {
    rig.money.work.produce = () => Promise.reject(new Error("secret of the upstream"));
    const result = await pay(await sign());
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toMatchObject({ charged: false, request_id: expect.stringMatching(/^req_/) });
    expect(JSON.stringify(result)).not.toContain("secret of the upstream");
    expect(rig.money.settlements()).toBe(0);
    // Counted as the failure it is, though HTTP says 200.
    const { requests_24h } = (await (await fetch(`${rig.money.url}/live`)).json()) as { requests_24h: Members };
    expect(requests_24h.errors_5xx).toBe(1);
  });
});
