import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type DiscoveryExtension, extractDiscoveryInfo, validateDiscoveryExtension } from "@x402/extensions/bazaar";
import { bazaarOf } from "../../src/payments/extensions/bazaar.ts";
import { newPayer, payingFetch, payingFetchV1 } from "../helpers/demo-node.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";

/** Catalogs read what a product is from the payments that are settled through them. */
interface Sent {
  readonly paymentPayload: {
    readonly payload: unknown;
    readonly accepted: unknown;
    readonly resource: Readonly<Record<string, unknown>>;
    readonly extensions: Readonly<Record<string, unknown>>;
  };
  readonly paymentRequirements: unknown;
}
interface Offered {
  readonly resource: Readonly<Record<string, unknown>>;
  readonly extensions: { readonly bazaar: DiscoveryExtension };
}

let node: MoneyNode;
beforeAll(async () => {
  node = await startMoneyNode();
});
afterAll(() => node.stop());
beforeEach(() => {
  node.facilitator.script.settle = (forward) => forward();
  node.facilitator.script.verify = (forward) => forward();
});

const sent = (call: "verify" | "settle") => JSON.parse(node.facilitator.last[call]) as Sent;
const offered = async (path = "/two"): Promise<Offered> => {
  // The head has less room than what goes to a facilitator, the body more.
  const body = (await (await fetch(`${node.url}${path}`)).json()) as Offered;
  const product = node.node.catalog.products.find((one) => one.path === path);
  return { ...body, extensions: { bazaar: product && bazaarOf(product) } } as unknown as Offered;
};
/** Pays for a path with whatever the buyer says beside his signature. */
async function pay(change: (payload: Record<string, unknown>) => Record<string, unknown>, path = "/two") {
  const account = newPayer();
  const header = await createPaymentPayload(await fetch(`${node.url}${path}`), account);
  const payload = change(JSON.parse(Buffer.from(header, "base64").toString()));
  const value = Buffer.from(JSON.stringify(payload)).toString("base64");
  const response = await fetch(`${node.url}${path}`, { headers: { "payment-signature": value } });
  return { response, payload };
}

const CALLS = ["verify", "settle"] as const;

describe("with every payment the facilitator is told what was bought, in our own words", () => {
  test("when the buyer echoed it, as official clients do", async () => {
    const { extensions, resource } = await offered();
    const { response } = await pay((payload) => payload);
    expect(response.status).toBe(200);
    for (const call of CALLS) {
      const { paymentPayload, paymentRequirements } = sent(call);
      expect(paymentPayload.extensions).toEqual({ bazaar: extensions.bazaar });
      expect(paymentPayload.resource).toEqual(resource);
      expect(validateDiscoveryExtension(paymentPayload.extensions.bazaar as DiscoveryExtension).valid).toBe(true);
      type Extract = Parameters<typeof extractDiscoveryInfo>;
      const found = extractDiscoveryInfo(paymentPayload as unknown as Extract[0], paymentRequirements as Extract[1]);
      expect(found).toMatchObject({ resourceUrl: `${node.url}/two`, method: "GET", serviceName: "intel-node" });
    }
  });

  test("when the buyer echoed nothing", async () => {
    const { extensions, resource } = await offered();
    const { response, payload } = await pay(({ extensions: _, resource: __, ...rest }) => rest);
    expect(response.status).toBe(200);
    for (const call of CALLS) {
      const { paymentPayload } = sent(call);
      expect(paymentPayload).toMatchObject({ resource, extensions: { bazaar: extensions.bazaar } });
      // What he signed goes through as it came.
      expect(paymentPayload.payload).toEqual(payload.payload);
    }
  });

  test.each([
    ["another product", { bazaar: { info: { input: { type: "http", method: "GET" } }, schema: {} } }],
    ["nonsense", { bazaar: "evil" }],
    ["a great deal", { bazaar: { evil: "evil ".repeat(500) }, evil: { evil: true } }],
    ["no object", "evil"],
    ["null", null],
  ])("when the buyer named %s", async (_what, extensions) => {
    const { extensions: ours, resource } = await offered();
    const evil = { url: "https://evil.example/two", description: "evil", mimeType: "text/evil" };
    const { response } = await pay((payload) => ({ ...payload, extensions, resource: evil }));
    expect(response.status).toBe(200);
    for (const call of CALLS) {
      expect(sent(call).paymentPayload).toMatchObject({ resource, extensions: { bazaar: ours.bazaar } });
      expect(Object.keys(sent(call).paymentPayload.extensions)).toEqual(["bazaar"]);
      expect(node.facilitator.last[call]).not.toContain("evil");
    }
  });

  test("when the payment is one of version 1", async () => {
    const { extensions, resource } = await offered("/one");
    expect((await payingFetchV1()(`${node.url}/one?x402Version=1`)).status).toBe(200);
    expect(sent("settle").paymentPayload).toMatchObject({ resource, extensions: { bazaar: extensions.bazaar } });
  });
});

describe("what a facilitator says of extensions", () => {
  const answers = { bazaar: { status: "rejected", rejectedReason: "description too long" } };
  const header = Buffer.from(JSON.stringify(answers)).toString("base64");
  const answering =
    (value: string) =>
    async (forward: () => Promise<Response>): Promise<Response> => {
      const response = await forward();
      return new Response(await response.text(), {
        status: response.status,
        headers: { "extension-responses": value },
      });
    };
  const status = async () => {
    const headers = { authorization: `Bearer ${node.node.operator_token}` };
    return (await (await fetch(`${node.url}/admin/status`, { headers })).json()) as { extensions: unknown[] };
  };

  test("is counted for the operator, and no word of it reaches the buyer", async () => {
    expect((await status()).extensions).toEqual([]);
    node.facilitator.script.settle = answering(header);
    const response = await payingFetch()(`${node.url}/two`);
    expect(response.status).toBe(200);
    for (const [name, value] of response.headers) {
      expect(name).not.toBe("extension-responses");
      expect(value).not.toContain(header);
      expect(Buffer.from(value, "base64").toString()).not.toContain("rejectedReason");
    }
    expect((await status()).extensions).toEqual([
      expect.objectContaining({ extension: "bazaar", status: "rejected", reason: "description_too_long", count: 1 }),
    ]);
  });

  test("changes nothing of the payment when it cannot be read", async () => {
    node.facilitator.script.verify = answering("%%%");
    node.facilitator.script.settle = answering("a".repeat(9_000));
    expect((await payingFetch()(`${node.url}/two`)).status).toBe(200);
  });
});
