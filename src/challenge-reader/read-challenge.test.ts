import { describe, expect, test } from "bun:test";
import { requireAsset, requireNetwork } from "../networks/find.ts";
import { findMPPChallenge, readMPPTerms } from "./mpp-terms.ts";
import { readChallenge, termsOf } from "./read-challenge.ts";

const NETWORK = requireNetwork("base").id;
const ASSET = requireAsset("base", "USDC");
const PAY_TO = "0x52908400098527886e0f7030069857d2e4169ee7";
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64");
const read = (headers: Readonly<Record<string, string>>, body = "") =>
  readChallenge({ headers: new Headers(headers), body });

const TERM = { scheme: "exact", asset: ASSET, payTo: PAY_TO, maxTimeoutSeconds: 60 };
const V2 = {
  x402Version: 2,
  resource: { url: "https://a.example/b", description: "Weather.", mimeType: "application/json" },
  accepts: [{ ...TERM, network: NETWORK, amount: "10000", extra: { name: "USD Coin", version: "2" } }],
};
const V1 = {
  x402Version: 1,
  accepts: [
    {
      ...TERM,
      network: "base",
      maxAmountRequired: "10000",
      extra: { name: "USD Coin", version: "2" },
      resource: "https://a.example/b",
      description: "Weather.",
      mimeType: "application/json",
    },
  ],
};

describe("a 402", () => {
  test("of either version says the same, in header or body", () => {
    const stated = { resource: "https://a.example/b", description: "Weather.", mime_type: "application/json" };
    const term = { network: NETWORK, amount_atomic: "10000", asset: ASSET, pay_to: PAY_TO, timeout_s: 60 };
    const domain = { name: "USD Coin", version: "2" };
    for (const [version, value] of [V1, V2].map((one) => [one.x402Version, one] as const)) {
      const expected = { version, ...stated, accepts: [{ ...term, domain }] };
      expect(read({ "payment-required": encode(value) }).stated.header).toMatchObject(expected);
      expect(read({}, JSON.stringify(value)).stated.body).toMatchObject(expected);
      expect(readChallenge({ headers: new Headers(), body: Buffer.from(JSON.stringify(value)) }).stated.body).toEqual(
        read({}, JSON.stringify(value)).stated.body,
      );
    }
  });

  test("that says two things is held to its header", () => {
    const { stated } = read({ "payment-required": encode(V2) }, JSON.stringify({ x402Version: 1, accepts: [] }));
    expect([termsOf(stated)?.version, stated.body?.accepts]).toEqual([2, []]);
    expect(termsOf(read({}, JSON.stringify(V1)).stated)?.version).toBe(1);
  });

  test.each([
    ["no header", null, false],
    ["an empty header", "", true],
    ["no base64", "%%%", true],
    ["no terms", encode({ x402Version: 2 }), true],
    ["a header longer than anybody reads", encode({ ...V2, padding: "a".repeat(60_000) }), true],
    ["terms", encode(V2), false],
  ])("with %s: header %p, broken: %p", (_, header, is_broken) => {
    const { stated } = read(header === null ? {} : { "payment-required": header });
    expect(stated.is_header_broken).toBe(is_broken);
  });

  test("keeps what it holds besides, for those who check it", () => {
    const sent = { ...V2, extensions: { bazaar: { info: {} } } };
    const { header_value, body_value } = read({ "payment-required": encode(sent) }, "[1]");
    expect([header_value, body_value]).toEqual([sent, [1]]);
  });

  test("by MPP says who is paid how much, and its challenge is kept letter by letter", () => {
    const request = Buffer.from(
      JSON.stringify({ amount: "7", currency: ASSET, recipient: PAY_TO, methodDetails: { chainId: 8453 } }),
    ).toString("base64url");
    const text = `Bearer realm="a", Payment id="1", method="evm", intent="charge", request="${request}"`;
    const headers = new Headers({ "www-authenticate": text });
    expect(readMPPTerms(headers)).toMatchObject([{ network: NETWORK, amount_atomic: "7", pay_to: PAY_TO }]);
    expect(findMPPChallenge(headers)).toBe(text);
    const other = new Headers({ "www-authenticate": text.replace("evm", "card") });
    expect([readMPPTerms(other), findMPPChallenge(other)]).toEqual([[], null]);
  });
});
