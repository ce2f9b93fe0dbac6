import { afterAll, beforeAll, expect, test } from "bun:test";
import { createOfferJWS, type JWSSignedOffer, verifyOfferSignatureJWS } from "@x402/extensions/offer-receipt";
import { createOfferSigner } from "../../src/trust/offers.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";

/** Offers as the official x402 extension signs and checks them. */
interface Body {
  readonly accepts: readonly Record<string, string>[];
  readonly extensions: { readonly "offer-receipt"?: { readonly info: { readonly offers: readonly JWSSignedOffer[] } } };
}

let money: MoneyNode;
beforeAll(async () => {
  money = await startMoneyNode('[trust]\nsigned_offers = "body"\n');
});
afterAll(() => money.stop());

const ask = async () => (await fetch(`${money.url}/one`)).json() as Promise<Body>;
const offersOf = (body: Body) => body.extensions["offer-receipt"]?.info.offers ?? [];
const readHeader = (response: Response): Body =>
  JSON.parse(Buffer.from(response.headers.get("PAYMENT-REQUIRED") ?? "", "base64").toString());

test("every requirement of the body has an offer that the official package verifies by the DID document", async () => {
  const body = await ask();
  const offers = offersOf(body);
  expect(offers).toHaveLength(body.accepts.length);
  for (const offer of offers) {
    const payload = await verifyOfferSignatureJWS(offer);
    const { scheme, network, asset, payTo, amount } = body.accepts[offer.acceptIndex ?? -1] ?? {};
    expect(payload).toMatchObject({
      version: 1,
      resourceUrl: `${money.url}/one`,
      scheme,
      network,
      asset,
      payTo,
      amount,
    });
    const left_s = payload.validUntil - money.clock.now() / 1000;
    expect(left_s).toBeGreaterThanOrEqual(1_800 - 1);
    expect(left_s).toBeLessThanOrEqual(3_600);
  }
});

test("the header has none: proxies limit it", async () => {
  expect(readHeader(await fetch(`${money.url}/one`)).extensions["offer-receipt"]).toBeUndefined();
});

test("an offer is signed anew before half of its time is over, and after the clock was set back", async () => {
  const first = offersOf(await ask());
  expect(offersOf(await ask())).toEqual(first);
  money.clock.advance(1_900_000);
  const second = offersOf(await ask());
  expect(second).not.toEqual(first);
  money.clock.advance(-1_900_000);
  for (const offer of offersOf(await ask())) {
    const { validUntil } = await verifyOfferSignatureJWS(offer);
    expect(validUntil - money.clock.now() / 1000).toBeLessThanOrEqual(3_600);
  }
});

test("a node that was not told to signs none", async () => {
  const plain = await startMoneyNode();
  try {
    const body = (await (await fetch(`${plain.url}/one`)).json()) as Body;
    expect(body.extensions["offer-receipt"]).toBeUndefined();
  } finally {
    await plain.stop();
  }
});

test("the bytes are those of the official package", async () => {
  const { identity } = money.node;
  const terms = { scheme: "exact", network: "eip155:8453", asset: "0xa", payTo: "0xb", amount: "10000" };
  const url = "https://node.example.com/one";
  const before_s = Math.floor(Date.now() / 1000);
  const theirs = await createOfferJWS(
    url,
    { ...terms, acceptIndex: 0, offerValiditySeconds: 300 },
    {
      format: "jws",
      algorithm: "EdDSA",
      kid: `did:web:node.example.com#${identity.key_name}`,
      sign: async (data) => identity.sign(data),
    },
  );
  const sign = createOfferSigner(identity, { public_url: "https://node.example.com" });
  const seconds = Math.floor(Date.now() / 1000) - before_s;
  // The official one takes the time itself: ours is made for each second it may have been.
  const ours = Array.from(
    { length: seconds + 1 },
    (_, n) => sign(url, [terms], before_s + n + 300).info.offers[0]?.signature,
  );
  expect(ours).toContain(theirs.signature);
});
