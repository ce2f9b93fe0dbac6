import { describe, expect, test } from "bun:test";
import { sha256Hex } from "../../core/hash.ts";
import { createPaymentHeaders } from "./payment-headers.ts";

const KEY = `ink_${"a".repeat(43)}`;
const PAYMENT = { x402Version: 2, accepted: {}, payload: { a: "ü" } };
const make = (headers: Record<string, string>, meta?: unknown, url_key: string | null = null) =>
  Object.fromEntries(createPaymentHeaders({ headers: new Headers(headers), meta, url_key }));
const decode = (header: string | undefined) => JSON.parse(Buffer.from(String(header), "base64").toString("utf8"));

describe("what pays", () => {
  test("is taken over; nothing else of a POST reaches the gate", () => {
    const given = { "x-api-key": "k", "x-coupon": "c", cookie: "no", host: "evil.example", "x-forwarded-for": "1" };
    expect(make(given)).toEqual({ "x-api-key": "k", "x-coupon": "c" });
  });

  test("is taken from _meta before any header, and is the payment to the letter", () => {
    const headers = make({ "payment-signature": "old", "x-payment": "old" }, { "x402/payment": PAYMENT });
    expect(Object.keys(headers)).toEqual(["payment-signature"]);
    expect(decode(headers["payment-signature"])).toEqual(PAYMENT);
  });

  test("is passed on as it is when it is the header's value, and as nothing readable when it cannot be one", () => {
    expect(make({}, { "x402/payment": "eyJ4IjoxfQ==" })).toEqual({ "payment-signature": "eyJ4IjoxfQ==" });
    for (const payment of [5, true, "a\nb", "ü", ""]) {
      expect(make({}, { "x402/payment": payment })).toEqual({ "payment-signature": "-" });
    }
  });

  test("is absent where _meta is nothing, null or no object", () => {
    for (const meta of [undefined, null, 5, "x", [], {}, { "x402/payment": null }]) expect(make({}, meta)).toEqual({});
  });
});

describe("a call's name", () => {
  const NAME = "0123456789abcdef";

  test("names the payment and the call, and keeps what the payload echoes", () => {
    const payment = { ...PAYMENT, extensions: { bazaar: { info: 1 }, "payment-identifier": { schema: {} } } };
    const headers = make({ "idempotency-key": "other" }, { "x402/payment": payment, "x402/idempotency-key": NAME });
    expect(headers["idempotency-key"]).toBe(NAME);
    expect(decode(headers["payment-signature"]).extensions).toEqual({
      bazaar: { info: 1 },
      "payment-identifier": { schema: {}, info: { required: false, id: NAME } },
    });
  });

  test("is overridden by the name in a payload", () => {
    const extensions = { "payment-identifier": { info: { required: false, id: "own-0123456789abcdef" } } };
    const headers = make({}, { "x402/payment": { ...PAYMENT, extensions }, "x402/idempotency-key": NAME });
    expect(decode(headers["payment-signature"]).extensions).toEqual(extensions);
  });

  test("that can be guessed names the call of a key, never a payment", () => {
    const headers = make({}, { "x402/payment": PAYMENT, "x402/idempotency-key": "short" });
    expect(headers["idempotency-key"]).toBe("short");
    expect(decode(headers["payment-signature"])).toEqual(PAYMENT);
  });

  test("that no header can carry goes by its digest", () => {
    const name = "заказ номер 0123456789";
    const headers = make({}, { "x402/payment": PAYMENT, "x402/idempotency-key": name });
    expect(headers["idempotency-key"]).toBe(sha256Hex(name));
    expect(decode(headers["payment-signature"]).extensions["payment-identifier"].info.id).toBe(sha256Hex(name));
  });
});

describe("a key", () => {
  test("is taken from a Bearer token or the URL, but never in place of X-API-Key", () => {
    expect(make({ authorization: `Bearer ${KEY}` })).toEqual({ "x-api-key": KEY });
    expect(make({}, undefined, KEY)).toEqual({ "x-api-key": KEY });
    expect(make({ authorization: `Bearer ${KEY}`, "x-api-key": "given" })).toEqual({ "x-api-key": "given" });
    expect(make({ authorization: "Basic eA==" })).toEqual({});
  });

  test("of the URL that is another than that of the headers is refused", () => {
    expect(make({ "x-api-key": KEY }, undefined, KEY)).toEqual({ "x-api-key": KEY });
    expect(() => make({ "x-api-key": KEY }, undefined, "other")).toThrow("two different API keys");
  });

  test("that is mistyped is passed on to be refused, unless something else pays", () => {
    expect(make({ authorization: "Bearer mistyped" })).toEqual({ "x-api-key": "mistyped" });
    const paying = make({ authorization: "Bearer token-of-a-gateway" }, { "x402/payment": PAYMENT });
    expect(Object.keys(paying)).toEqual(["payment-signature"]);
  });
});
