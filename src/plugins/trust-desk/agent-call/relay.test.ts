import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Challenge } from "mppx";
import type { PrivateKeyAccount } from "viem/accounts";
import { cleanUp, newPayer } from "../../../../test/helpers/demo-node.ts";
import type { Script } from "../../../../test/helpers/hostile-network.ts";
import { createMppBuyer } from "../../../../test/helpers/mpp-buyers.ts";
import { type NamedNode, type RelayNodes, startRelayNodes } from "../../../../test/helpers/relay-nodes.ts";
import { createPaymentPayload } from "../../../../test/helpers/sign-for.ts";

let net: RelayNodes;
let a: NamedNode;
let b: NamedNode;
let c: NamedNode;
beforeAll(async () => {
  net = await startRelayNodes(["a", "b", "c"]);
  [a, b, c] = net.nodes as [NamedNode, NamedNode, NamedNode];
});
afterAll(async () => {
  await net.stop();
  await cleanUp();
});

type Params = Readonly<Record<string, string>>;
interface Told {
  readonly code: string;
  readonly no_charge: string;
  readonly passed_on: object;
  readonly answer: { readonly data: { readonly body: string; readonly peer_payment: { readonly receipt: string } } };
}
interface Relayed {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** Payments that were settled for it, at all nodes together. */
  readonly settled: number;
}

const relayOf = (node: NamedNode, params: Params): string =>
  `${node.public_url}/agent-call?${new URLSearchParams(params)}`;
/** A payment for an address of one of the nodes, signed for what it asks there. */
const signFor = async (url: string, account: PrivateKeyAccount = newPayer()): Promise<string> => {
  const node = net.nodes.find(({ public_url }) => url.startsWith(public_url)) as NamedNode;
  return createPaymentPayload(await fetch(url.replace(node.public_url, node.url)), account);
};

/** Buys a relayed call of a node, as its buyer does. */
async function relay(node: NamedNode, params: Params, headers: Params = {}): Promise<Relayed> {
  const { settlements } = net.sandbox.readChain();
  const url = relayOf(node, params);
  const payment = await signFor(url);
  const sent = { ...headers, "PAYMENT-SIGNATURE": payment };
  const response = await fetch(url.replace(node.public_url, node.url), { headers: sent });
  const text = await response.text();
  const settled = net.sandbox.readChain().settlements - settlements;
  return { status: response.status, text, headers: response.headers, settled };
}

const namesOf = (request: string): readonly string[] =>
  request
    .split("\r\n")
    .slice(1)
    .flatMap((line) => (line.includes(":") ? [line.slice(0, line.indexOf(":")).toLowerCase()] : []));

describe("three nodes", () => {
  test("a call through two of them buys from the third, and each is paid once", async () => {
    const bought = `${c.public_url}/bootstrap-trust`;
    const inner = relayOf(b, { target: bought, payment: await signFor(bought) });
    const outer = { target: inner, payment: await signFor(inner) };
    const { status, text, settled, headers } = await relay(a, outer, { cookie: "theirs=1", authorization: "Bearer x" });
    expect({ status, settled }).toEqual({ status: 200, settled: 3 });
    const of_b = JSON.parse(text).data;
    const of_c = JSON.parse(of_b.body).data;
    expect(JSON.parse(of_c.body)).toMatchObject({ product: "bootstrap-trust" });
    for (const { peer_payment, peer_identity } of [of_b, of_c]) {
      expect(peer_payment).toMatchObject({ paid_by: "caller" });
      expect(JSON.parse(peer_payment.receipt)).toMatchObject({ success: true });
      // Before the payment left: the peer's key signed a manifest that names who is paid.
      expect(peer_identity).toMatchObject({ proven_by: "manifest", node_id: expect.stringMatching(/^in1/) });
      expect(peer_identity.checks.map(({ state }: { state: string }) => state)).not.toContain("failed");
    }
    expect(headers.get("x-receipt-id")).toBeString();
    // What the buyer sent to the first node stays there: only his payment for each peer is passed on, to that peer.
    const allowed = ["accept", "accept-encoding", "connection", "host", "payment-signature", "user-agent"];
    for (const request of [...b.requests, ...c.requests]) {
      expect(namesOf(request).filter((name) => !allowed.includes(name))).toEqual([]);
    }
    const paid_to = (node: NamedNode) => node.requests.filter((text) => /^payment-signature:/im.test(text));
    expect([paid_to(b).length, paid_to(c).length]).toEqual([1, 1]);
    expect(paid_to(b)[0]).toContain(outer.payment);
  });

  test("a seller that is paid by MPP: its challenge comes back, and the credential that answers it buys", async () => {
    const target = `${c.public_url}/bootstrap-trust`;
    const asked = await relay(a, { target });
    const { peer_payment: quote } = JSON.parse(asked.text).data;
    const challenge = Challenge.deserialize(quote.challenge);
    expect(challenge).toMatchObject({ realm: new URL(c.public_url).host, method: "evm", intent: "charge" });
    const payment_mpp = (await createMppBuyer().answer(challenge)).slice("Payment ".length);
    const dear = relayOf(a, { target, payment_mpp, max_amount_atomic: "1" });
    expect((await fetch(dear.replace(a.public_url, a.url))).status).toBe(422);
    const { status, text, settled } = await relay(a, { target, payment_mpp });
    expect({ status, settled }).toEqual({ status: 200, settled: 2 });
    const { body, peer_payment, peer_identity } = JSON.parse(text).data;
    expect(JSON.parse(body)).toMatchObject({ product: "bootstrap-trust" });
    expect(peer_payment).toMatchObject({ paid_by: "caller", challenge: null, passed_on: { network: "eip155:84532" } });
    expect(JSON.parse(peer_payment.receipt)).toMatchObject({ status: "success", challengeId: challenge.id });
    expect(peer_identity).toMatchObject({ proven_by: "manifest" });
    // The challenge was for another call.
    const other = await relay(a, { target: `${c.public_url}/trust-hash`, payment_mpp });
    expect(other.settled).toBeLessThan(2);
  });

  test("a call that comes back is refused before any money moves", async () => {
    const back = relayOf(a, { target: `${c.public_url}/live` });
    expect(await relay(a, { target: relayOf(b, { target: back }) })).toMatchObject({ status: 422, settled: 0 });
    // Under a name that the node does not know as its own, its documents and the signed path show it.
    const alias = await net.startAlias("alias", a);
    const onward = { target: `${c.public_url}/live` };
    const payment = await signFor(relayOf(a, onward));
    const looped = relayOf({ ...a, public_url: alias }, onward);
    expect(await relay(a, { target: looped, payment })).toMatchObject({ status: 422, settled: 0 });
    await relay(a, { target: relayOf(b, onward) });
    const relay_path = /relay_path=([^ &]+)/.exec(b.requests.at(-1) ?? "")?.[1] ?? "";
    const refused = await relay(a, { ...onward, relay_path });
    expect(refused).toMatchObject({ status: 422, settled: 0 });
    expect(refused.text).toContain("it runs in a circle");
  });

  test("a node's documents under another name, and an unproven address, keep the payment here", async () => {
    const alias = await net.startAlias("copy", c);
    const bought = `${c.public_url}/bootstrap-trust`;
    const payment = await signFor(bought);
    for (const identity of ["manifest", "certificate"]) {
      const refused = await relay(a, { target: bought.replace(c.public_url, alias), payment, identity });
      expect(refused).toMatchObject({ status: 422, settled: 0 });
      expect(refused.text).toContain("the peer's own documents speak against it");
    }
    // A sandbox proves no address: its key vouches for a manifest, and the wallet signed nothing.
    expect(await relay(a, { target: bought, payment, identity: "wallet" })).toMatchObject({ status: 422, settled: 0 });
    expect(await relay(a, { target: bought, payment })).toMatchObject({ status: 200, settled: 2 });
  });

  test("a third relay in a row is refused, whether the address shows it or the signed path", async () => {
    const third = relayOf(c, { target: `${a.public_url}/live` });
    expect(await relay(a, { target: relayOf(b, { target: third }) })).toMatchObject({ status: 422, settled: 0 });
    // The path that the first relay signed shows the route so far.
    const target = relayOf(c, { target: `${c.public_url}/live` });
    await relay(a, { target });
    const path = /relay_path=([^ &]+)/.exec(c.requests.at(-1) ?? "")?.[1] ?? "";
    expect(path).not.toBe("");
    const asked = { target: relayOf(b, { target: `${b.public_url}/live` }) };
    expect(await relay(c, { ...asked, relay_path: path })).toMatchObject({ status: 422, settled: 0 });
    const fitting = { target: `${c.public_url}/live`, relay_path: path };
    expect(await relay(b, fitting)).toMatchObject({ status: 200, settled: 1 });
    const forged = path.replace(/.{9}$/, (end) => `${end.startsWith("A") ? "B" : "A"}${end.slice(1)}`);
    expect(await relay(b, { ...fitting, relay_path: forged })).toMatchObject({ status: 422, settled: 0 });
  });
});

describe("a peer that cheats", () => {
  const PAYEE = "0x52908400098527886E0F7030069857D2E4169EE7";
  const TERM = {
    scheme: "exact",
    network: "eip155:84532",
    asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
    amount: "10000",
    payTo: PAYEE,
    maxTimeoutSeconds: 60,
    extra: { name: "USDC", version: "2" },
  };
  const encode = (value: unknown) => btoa(JSON.stringify(value));
  const PAYMENT = encode({
    x402Version: 2,
    accepted: TERM,
    payload: { authorization: { to: PAYEE, value: "10000" }, signature: "0x00" },
  });
  const UNSIGNED = { payment: PAYMENT, identity: "certificate" };
  const said = (status: number, body: string, headers: Params = {}): string => {
    const sent = { "content-type": "application/json", "content-length": String(body.length), ...headers };
    const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
    return `HTTP/1.1 ${status} x\r\n${lines.join("")}\r\n${body}`;
  };
  const ask = (change: Readonly<Record<string, unknown>> = {}): string =>
    said(402, "{}", { "payment-required": encode({ x402Version: 2, accepts: [{ ...TERM, ...change }] }) });
  const isPaid = (request: string): boolean => /^payment-signature:/im.test(request);
  const onPaid =
    (paid: string): Script =>
    (request) =>
      isPaid(request) ? paid : ask();

  test.each<readonly [string, Script, number, boolean]>([
    ["asks more than was quoted to the buyer", () => ask({ amount: "10001" }), 422, false],
    ["names another payee than was quoted", () => ask({ payTo: `0x${"7".repeat(40)}` }), 422, false],
    ["wants another asset", () => ask({ asset: `0x${"8".repeat(40)}` }), 422, false],
    ["is on another network", () => ask({ network: "eip155:8453" }), 422, false],
    ["states unreadable terms", () => said(402, "{", { "payment-required": "%%%" }), 422, false],
    ["sends 10 MB", onPaid(said(200, "x".repeat(10_000_000))), 503, true],
    ["hangs up in the middle", onPaid(said(200, "{}", { "content-length": "1000" })), 503, true],
    ["sends the payment to another host", onPaid(said(307, "", { location: "https://thief.wide.net/" })), 503, true],
  ])("one that %s", async (what, script, status, was_sent) => {
    const { url, host } = await net.startPeer(`peer${what.replaceAll(" ", "").toLowerCase()}`.slice(0, 60), script);
    // Such peers sign nothing: the buyer says that the name on their certificate is enough for him.
    const refused = await relay(a, { target: `${url}/data`, ...UNSIGNED });
    expect(refused).toMatchObject({ status, settled: 0 });
    const told = JSON.parse(refused.text);
    expect(told).toMatchObject({ charged: false });
    expect(host.requests.some(isPaid)).toBe(was_sent);
    // The payment that left is reported, and signed.
    const left = was_sent ? { origin: url, pay_to: PAYEE, network: "eip155:84532", amount_atomic: "10000" } : undefined;
    for (const { passed_on } of [told, JSON.parse(atob(told.no_charge.split(".")[1]))]) {
      if (left === undefined) expect(passed_on).toBeUndefined();
      else expect(passed_on).toMatchObject(left);
    }
  });

  test.each<readonly [string, Script, number]>([
    ["asks again after it was paid", onPaid(ask()), 402],
    ["raises its price between quote and call", onPaid(ask({ amount: "20000" })), 402],
    ["fails when it was paid", onPaid(said(500, "{}")), 500],
    ["wants to be paid and is not", () => ask(), 402],
  ])(
    "one that %s was reached: the relay's fee is due, and what it said is the answer",
    async (what, script, status) => {
      const { url } = await net.startPeer(`due${what.replaceAll(" ", "").toLowerCase()}`.slice(0, 60), script);
      const params = status === 402 && what.endsWith("is not") ? {} : UNSIGNED;
      const sold = await relay(a, { target: `${url}/data`, ...params });
      expect(sold).toMatchObject({ status: 200, settled: 1 });
      const { data } = JSON.parse(sold.text);
      expect(data.peer.status).toBe(status);
      expect(data.peer_payment.passed_on === null).toBe(params !== UNSIGNED);
    },
  );

  test("one that asks by MPP alone is checked for price, payee and chain like any other", async () => {
    const wanted = { amount: "10000", currency: TERM.asset, recipient: PAYEE, methodDetails: { chainId: 84_532 } };
    const demand = (change: object): string => {
      const request = Buffer.from(JSON.stringify({ ...wanted, ...change })).toString("base64url");
      const parts = `id="a", realm="r", method="evm", intent="charge", request="${request}"`;
      return said(402, "{}", { "www-authenticate": `Payment ${parts}` });
    };
    const credential = Buffer.from(
      JSON.stringify({
        challenge: { id: "a", realm: "r", request: Buffer.from(JSON.stringify(wanted)).toString("base64url") },
        payload: { type: "authorization", to: PAYEE, value: "10000", signature: "0x00" },
      }),
    ).toString("base64url");
    const isCredential = (request: string): boolean => /^authorization: Payment /im.test(request);
    const params = { payment_mpp: credential, identity: "certificate" };
    const changes = [{ amount: "10001" }, { recipient: `0x${"7".repeat(40)}` }, { methodDetails: { chainId: 8_453 } }];
    for (const [index, change] of changes.entries()) {
      const { url, host } = await net.startPeer(`mpp${index}`, () => demand(change));
      expect(await relay(a, { target: `${url}/data`, ...params })).toMatchObject({ status: 422, settled: 0 });
      expect(host.requests.some(isCredential)).toBe(false);
    }
    const { url, host } = await net.startPeer("mpp", (request) =>
      isCredential(request) ? said(200, "{}") : demand({}),
    );
    const quote = JSON.parse((await relay(a, { target: `${url}/data` })).text).data.peer_payment;
    expect(quote).toMatchObject({ required: true, accepts: [{ scheme: "mpp:evm/charge", amount_atomic: "10000" }] });
    const sold = await relay(a, { target: `${url}/data`, ...params });
    expect(sold).toMatchObject({ status: 200, settled: 1 });
    expect(host.requests.filter(isCredential)).toHaveLength(1);
  });

  test("one that was paid: its answer is the buyer's, though our own price cannot be settled", async () => {
    const receipt = { success: true, transaction: "0xabc", network: "eip155:84532" };
    const script = onPaid(said(200, '{"bought":1}', { "payment-response": encode(receipt) }));
    const { url, host } = await net.startPeer("sold", script);
    const asked = relayOf(a, { target: `${url}/data`, ...UNSIGNED });
    const here = asked.replace(a.public_url, a.url);
    const headers = { "PAYMENT-SIGNATURE": await signFor(asked), "Idempotency-Key": crypto.randomUUID() };
    const settle = async (mode: string) => {
      const body = JSON.stringify({ settle: mode });
      const request = new Request(`${a.url}/__sandbox/facilitator`, { method: "POST", body });
      request.headers.set("content-type", "application/json");
      expect((await net.sandbox.handleControl(request)).status).toBe(200);
    };
    await settle("fail:insufficient_funds");
    const refused = await fetch(here, { headers });
    await settle("ok");
    const told = (await refused.json()) as Told;
    expect(refused.status).toBe(402);
    expect(told).toMatchObject({ code: "settlement_failed", charged: false });
    const left = { origin: url, pay_to: PAYEE, network: "eip155:84532", amount_atomic: "10000" };
    expect(told.passed_on).toMatchObject(left);
    expect(told.answer.data.body).toBe('{"bought":1}');
    expect(JSON.parse(told.answer.data.peer_payment.receipt)).toEqual(receipt);
    expect(JSON.parse(atob(told.no_charge.split(".")[1] ?? "")).passed_on).toMatchObject(left);
    // Later, by the recovery door, and by the same payment again: the peer is not asked a second time.
    const replay_key = JSON.parse(atob(told.no_charge.split(".")[1] ?? "")).replay_key as string;
    const found = await (await fetch(`${a.url}/payments/${encodeURIComponent(replay_key)}`, { headers })).json();
    expect(found).toMatchObject({ state: "never_charged", passed_on: left, answer: told.answer });
    const again = await fetch(here, { headers });
    expect([again.status, ((await again.json()) as Told).answer]).toEqual([402, told.answer]);
    expect(host.requests.filter(isPaid)).toHaveLength(1);
  });

  test("one without a proof is paid nothing, unless the buyer asked for no proof", async () => {
    const { url, host } = await net.startPeer("unsigned", onPaid(said(200, "{}")));
    const refused = await relay(a, { target: `${url}/data`, payment: PAYMENT });
    expect(refused).toMatchObject({ status: 422, settled: 0 });
    expect(JSON.parse(refused.text)).toMatchObject({ charged: false, param: "identity" });
    expect(host.requests.some(isPaid)).toBe(false);
  });

  test("one that is silent", async () => {
    const { url } = await net.startPeer("silent", () => undefined);
    expect(await relay(a, { target: `${url}/data` })).toMatchObject({ status: 503, settled: 0 });
  });

  test("one that lies about its receipt is recognized, and one that wants nothing is paid nothing", async () => {
    const lying = await net.startPeer(
      "lying",
      onPaid(said(200, "{}", { "payment-response": encode({ success: false }) })),
    );
    const told = JSON.parse((await relay(a, { target: `${lying.url}/data`, ...UNSIGNED })).text);
    expect(told.warnings).toContain(
      "peer_payment.receipt: the peer's own receipt does not say that your payment was settled",
    );
    const free = await net.startPeer("free", () => said(200, "{}"));
    const { data } = JSON.parse((await relay(a, { target: `${free.url}/data`, payment: PAYMENT })).text);
    expect(data.peer_payment).toMatchObject({ required: false, paid_by: "none" });
    expect(free.host.requests.some(isPaid)).toBe(false);
  });
});
