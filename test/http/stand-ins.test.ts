import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { tryPeer } from "../../src/commands/peers.ts";
import { createIdentity } from "../../src/core/identity.ts";
import { createNodeSigner } from "../../src/trust/node-signer.ts";
import { addStandInHop, nameStandInCall, STAND_IN_PATH } from "../../src/trust/stand-in-path.ts";
import { fetchPeer } from "../../src/upstream/fetch-peer.ts";
import { newPayer } from "../helpers/demo-node.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";
import { readSource } from "../helpers/source-files.ts";
import {
  buyAt,
  type Door,
  PATHS,
  type RatePath,
  rateAt,
  type StandInNode,
  type StandInNodes,
  startStandInNodes,
} from "../helpers/stand-in-nodes.ts";

/** Longer than an answer is kept, and within the minute its data is of. */
const A_WHILE_MS = 31_000;
const MINUTE_MS = 60_000;

interface Sold {
  readonly node_id: string;
  readonly as_of: string;
  readonly via?: {
    readonly node_id: string;
    readonly url: string;
    readonly response_sha256: string;
    readonly receipt_id: string;
    readonly answer: { readonly via?: Sold["via"] };
  };
  readonly data: { readonly rate: number };
}
const readSold = (text: string): Sold => JSON.parse(text) as Sold;

interface ShownPeer {
  readonly url: string;
  readonly score: {
    readonly answered: number;
    readonly unusable: number;
    readonly dropped_until: string | null;
  } | null;
  readonly evidence: readonly { readonly text: string }[];
}
async function readPeers({ url }: StandInNode, clock: StandInNodes["clock"]): Promise<readonly ShownPeer[]> {
  // What is shown is kept for ten seconds.
  clock.advance(10_001);
  return ((await (await fetch(`${url}/peers`)).json()) as { peers: readonly ShownPeer[] }).peers;
}

const audit = async ({ nodes }: StandInNodes): Promise<void> => {
  for (const { node } of Object.values(nodes)) expect((await node.audit()).findings).toEqual([]);
};
const isPaid = (request: Request): boolean => request.headers.has("payment-signature");
const countPaid = ({ calls }: StandInNode): number => calls.filter(isPaid).length;
/** A call nobody made before: nothing is answered from what is kept. */
let named = 0;
const newCall = (path: RatePath): string => {
  named += 1;
  return `${path}?base=N${named}`;
};

const nodeOf = ({ nodes }: StandInNodes, name: string): StandInNode => {
  const found = nodes[name];
  if (!found) throw new Error(`no node ${name}`);
  return found;
};

describe("three nodes of which each lacks a source in turn", () => {
  let world: StandInNodes;
  const NAMES = ["a", "b", "c"] as const;
  /** Node i sells product i dearest, and i + 1 and i + 2 sell it for less: a price only falls from node to node. */
  const PRICES = ["0.01", "0.008", "0.0064"] as const;
  const priceOf = (node: number, product: number): string => PRICES[(node - product + 3) % 3] ?? "";

  beforeAll(async () => {
    const optionsOf = (name: string, index: number) => ({
      prices: Object.fromEntries(PATHS.map((path, product) => [path, priceOf(index, product)])),
      peers: NAMES.filter((other) => other !== name),
      products: PATHS,
    });
    world = await startStandInNodes(Object.fromEntries(NAMES.map((name, index) => [name, optionsOf(name, index)])));
  });
  afterAll(() => world.stop());

  test("keep selling every product that another one still has, and each buyer pays once", async () => {
    for (const [dead, product] of NAMES.flatMap((_, node) => PATHS.map((__, index) => [node, index] as const))) {
      if (priceOf(dead, product) === PRICES[2]) continue;
      const node = nodeOf(world, NAMES[dead] ?? "");
      const path = PATHS[product] ?? PATHS[0];
      node.dead.add(path);
      const before = world.sandbox.readChain().settlements;
      const target = newCall(path);
      const { status, text } = await buyAt(node, target);
      expect({ dead, product, status }).toEqual({ dead, product, status: 200 });
      const { node_id, via, data, as_of } = readSold(text);
      expect(data.rate).toBe(rateAt(target.split("=")[1] ?? "", Date.parse(as_of)));
      expect([node_id, via?.node_id === node_id]).toEqual([node.node.identity.node_id, false]);
      // The buyer's payment, and this node's own to the peer.
      expect(world.sandbox.readChain().settlements).toBe(before + 2);
      node.dead.clear();
    }
    await audit(world);
  });

  test("a peer whose source is dead too buys from the third; its bytes follow from what is carried on", async () => {
    const [a, b, c] = NAMES.map((name) => nodeOf(world, name)) as [StandInNode, StandInNode, StandInNode];
    a.dead.add("/rate-a");
    b.dead.add("/rate-a");
    const door = c.door;
    // Only b reaches c.
    c.door = (request, forward) => {
      const hops = request.headers.get(STAND_IN_PATH)?.split("~").length ?? 0;
      return hops === 1 && !new URL(request.url).pathname.startsWith("/.well-known")
        ? new Response(null, { status: 502 })
        : forward(request);
    };
    const { status, text } = await buyAt(a, newCall("/rate-a"));
    c.door = door;
    expect(status).toBe(200);
    const { via, data } = readSold(text);
    if (!via) throw new Error("nobody stood in");
    const [, shown = "{}"] = /```json\n([\s\S]*?)```/.exec(readSource("docs/stand-ins.md")) ?? [];
    const documented = JSON.parse(shown) as Sold;
    expect(Object.keys(via)).toEqual(Object.keys(documented.via ?? {}));
    expect(Object.keys(JSON.parse(text))).toEqual(expect.arrayContaining(Object.keys(documented)));
    expect([via.node_id, via.answer.via?.node_id]).toEqual([b.node.identity.node_id, c.node.identity.node_id]);
    const digest = new Bun.CryptoHasher("sha256").update(JSON.stringify({ ...via.answer, data })).digest("hex");
    expect(via.response_sha256).toBe(digest);
    const receipt = (await (await fetch(`${via.url}/receipts/${via.receipt_id}`)).json()) as Record<string, unknown>;
    expect(receipt.response_sha256).toBe(digest);
    await audit(world);
    for (const one of [a, b]) one.dead.clear();
  });

  test("nobody has it: the buyer is refused as ever, with a signed statement, and nobody is charged", async () => {
    for (const { dead } of Object.values(world.nodes)) dead.add("/rate-b");
    const before = world.sandbox.readChain().settlements;
    for (const name of NAMES) {
      const { status, text } = await buyAt(nodeOf(world, name), newCall("/rate-b"));
      const told = JSON.parse(text) as Record<string, unknown>;
      expect([status, told.code, told.charged]).toEqual([503, "upstream_unavailable", false]);
      expect(String(told.no_charge).split(".")).toHaveLength(3);
    }
    expect(world.sandbox.readChain().settlements).toBe(before);
    await audit(world);
    for (const { dead } of Object.values(world.nodes)) dead.clear();
  });

  test("a call that came through two nodes, through this one, or a forged way is passed on to nobody", async () => {
    const [a, b, c] = NAMES.map((name) => nodeOf(world, name)) as [StandInNode, StandInNode, StandInNode];
    const strangers = [createIdentity(), createIdentity()].map(createNodeSigner);
    const buyThrough = async (target: string, path: string): Promise<number> => {
      const payment = await createPaymentPayload(await fetch(`${a.url}${target}`), newPayer());
      const headers = { "PAYMENT-SIGNATURE": payment, [STAND_IN_PATH]: path };
      return (await fetch(`${a.url}${target}`, { headers })).status;
    };
    const nameOf = (target: string) => nameStandInCall("/rate-a", `{"base":"${target.split("=")[1]}"}`);
    const throughStrangers = (target: string, count: number): string =>
      strangers
        .slice(0, count)
        .reduce<string | null>((path, signer) => addStandInHop(path, nameOf(target), signer), null) ?? "";
    a.dead.add("/rate-a");
    const [one, two, forged, own] = [0, 0, 0, 0].map(() => newCall("/rate-a")) as [string, string, string, string];
    expect(await buyThrough(one, throughStrangers(one, 1))).toBe(200);
    expect(await buyThrough(two, throughStrangers(two, 2))).toBe(503);
    expect(await buyThrough(forged, throughStrangers(one, 1))).toBe(503);
    // What a itself signed for its peers comes back to it.
    expect((await buyAt(a, own)).status).toBe(200);
    const signed = [...b.calls, ...c.calls].find(
      ({ url, headers }) => url.endsWith(own) && headers.get(STAND_IN_PATH)?.split("~").length === 1,
    );
    world.clock.advance(A_WHILE_MS);
    expect(await buyThrough(own, signed?.headers.get(STAND_IN_PATH) ?? "")).toBe(503);
    await audit(world);
    a.dead.clear();
  });
});

describe("one node and its only peer", () => {
  let world: StandInNodes;
  let [a, b] = [] as unknown as [StandInNode, StandInNode];

  beforeAll(async () => {
    world = await startStandInNodes({
      a: { prices: { "/rate-a": "0.01" }, peers: ["b"], products: ["/rate-a"], daily_usd: "0.05" },
      b: { prices: { "/rate-a": "0.008" }, peers: [], products: [] },
    });
    [a, b] = [nodeOf(world, "a"), nodeOf(world, "b")];
  });
  afterAll(() => world.stop());

  /** What a buyer of `a` gets while the peer's door does so; the next day, so that nothing was spent yet. */
  async function buyWith(door: Door, target = newCall("/rate-a")) {
    world.clock.advance(86_400_000);
    a.dead.add("/rate-a");
    const usual = b.door;
    b.door = door;
    const [settlements, paid] = [world.sandbox.readChain().settlements, countPaid(b)];
    const { status, text } = await buyAt(a, target);
    b.door = usual;
    a.dead.clear();
    const settled = world.sandbox.readChain().settlements - settlements;
    return { status, text, settled, paid: countPaid(b) - paid };
  }
  const edit =
    (change: (text: string) => string, where: (request: Request) => boolean): Door =>
    async (request, forward) => {
      const response = await forward(request);
      if (!where(request) || response.status !== 200) return response;
      return new Response(change(await response.text()), { headers: response.headers });
    };

  test("is tried without paying: who it is, what it asks, and why it would not be bought from", async () => {
    const before = world.sandbox.readChain().settlements;
    const wanted = [
      { path: "/rate-a", price_max: 8_000n, why: null },
      { path: "/rate-b", price_max: 8_000n, why: null },
      { path: "/rate-c", price_max: null, why: "it sells keys" },
    ];
    const tried = await tryPeer(b.url, wanted, { ask: fetchPeer, sandbox: true, channels: null });
    expect([tried.node_id, tried.sandbox, tried.knows]).toEqual([b.node.identity.node_id, true, []]);
    expect(tried.products.map(({ would_buy, asks_atomic }) => [would_buy, asks_atomic])).toEqual([
      [true, "8000"],
      [false, "10000"],
      [false, null],
    ]);
    expect(tried.products.map(({ channel }) => channel)).toEqual([null, null, null]);
    const live = await tryPeer(b.url, wanted, { ask: fetchPeer, sandbox: false, channels: null });
    expect(live.products.map(({ would_buy }) => would_buy)).toEqual([false, false, false]);
    expect((await tryPeer(a.url, [], { ask: fetchPeer, sandbox: true, channels: null })).knows).toEqual([b.url]);
    expect(world.sandbox.readChain().settlements).toBe(before);
  });

  test("a peer that cannot be reached, before or after it was paid, leaves the buyer uncharged", async () => {
    const cut = await buyWith(() => new Response(null, { status: 502 }));
    expect([cut.status, cut.settled, cut.paid]).toEqual([503, 0, 0]);
    const lost = await buyWith(async (request, forward) => {
      const response = await forward(request);
      return isPaid(request) ? new Response(null, { status: 502 }) : response;
    });
    // This node's own payment was taken: its loss, never its buyer's.
    expect([lost.status, lost.settled, lost.paid]).toEqual([503, 1, 1]);
    await audit(world);
  });

  test("what does not match the schema, or is not what the peer signed for, is not sold", async () => {
    const refused = [
      edit((text) => text.replace(/"rate":[\d.]+/, '"rate":"high"'), isPaid),
      edit((text) => text.replace(/"rate":[\d.]+/, '"rate":1'), isPaid),
      edit((text) => text.replace(/"as_of":"2026/, '"as_of":"2025'), isPaid),
      edit((text) => text.replace(/"data":/, '"more":1,"data":'), isPaid),
      edit(
        (text) => text.replace(/("node":\{"format":"jws","signature":"[^"]+)[^"]{6}"/, '$1AAAAAA"'),
        ({ url }) => url.includes("/receipts/"),
      ),
    ];
    for (const door of refused) {
      const { status, settled } = await buyWith(door);
      expect([status, settled]).toEqual([503, 1]);
    }
    const [peer] = await readPeers(a, world.clock);
    expect(Math.round(peer?.score?.unusable ?? 0)).toBeGreaterThanOrEqual(4);
    await audit(world);
  });

  test("a peer that asks more than its share, or more once it was asked, is paid nothing more", async () => {
    const raise = (response: Response): Response => {
      const header = Buffer.from(response.headers.get("PAYMENT-REQUIRED") ?? "", "base64").toString();
      const raised = Buffer.from(header.replaceAll('"amount":"8000"', '"amount":"9000"')).toString("base64");
      const headers = new Headers(response.headers);
      headers.set("PAYMENT-REQUIRED", raised);
      return new Response(null, { status: 402, headers });
    };
    const dear = await buyWith(async (request, forward) => {
      const response = await forward(request);
      return response.status === 402 ? raise(response) : response;
    });
    expect([dear.status, dear.settled, dear.paid]).toEqual([503, 0, 0]);
    let challenge: Response | null = null;
    const midway = await buyWith(async (request, forward) => {
      if (isPaid(request) && challenge !== null) return raise(challenge);
      const response = await forward(request);
      if (response.status === 402) challenge = response.clone() as Response;
      return response;
    });
    expect([midway.status, midway.settled, midway.paid]).toEqual([503, 0, 1]);
  });

  test("the day's sum is kept to, also over a restart, and leaves out what the peer signed as not taken", async () => {
    world.clock.advance(86_400_000);
    a.dead.add("/rate-a");
    b.dead.add("/rate-a");
    // Refused by a statement of the peer's key: nothing of the sum is gone.
    for (let count = 0; count < 7; count += 1) expect((await buyAt(a, newCall("/rate-a"))).status).toBe(503);
    b.dead.clear();
    // 0.05 a day pays for six calls of 0.008.
    for (let count = 0; count < 3; count += 1) expect((await buyAt(a, newCall("/rate-a"))).status).toBe(200);
    await a.stop();
    await a.start();
    for (let count = 0; count < 3; count += 1) expect((await buyAt(a, newCall("/rate-a"))).status).toBe(200);
    const before = world.sandbox.readChain().settlements;
    expect((await buyAt(a, newCall("/rate-a"))).status).toBe(503);
    expect(world.sandbox.readChain().settlements).toBe(before);
    world.clock.advance(86_400_000);
    expect((await buyAt(a, newCall("/rate-a"))).status).toBe(200);
    a.dead.clear();
    await audit(world);
  });

  test("a peer with other figures of the same minute and source is dropped, with what it signed", async () => {
    const honest = newCall("/rate-a");
    const lie = newCall("/rate-a");
    world.clock.set(Math.ceil(world.clock.now() / MINUTE_MS) * MINUTE_MS);
    // Sold in good faith: there was nothing to hold it against. The source is back within the minute.
    a.dead.add("/rate-a");
    expect((await buyAt(a, honest)).status).toBe(200);
    b.error = 5;
    expect((await buyAt(a, lie)).status).toBe(200);
    a.dead.clear();
    world.clock.advance(A_WHILE_MS);
    const own = readSold((await buyAt(a, honest)).text);
    expect(own.via).toBeUndefined();
    const asked = countPaid(b);
    expect(readSold((await buyAt(a, lie)).text).via).toBeUndefined();
    const [peer] = await readPeers(a, world.clock);
    expect(peer?.score?.dropped_until).not.toBeNull();
    expect(peer?.evidence).toHaveLength(1);
    const said = JSON.parse(peer?.evidence[0]?.text ?? "") as { receipt: string; differences: { path: string }[] };
    expect([said.receipt.split(".").length, said.differences[0]?.path]).toEqual([3, "/rate"]);
    // Dropped: it is not even asked any more.
    a.dead.add("/rate-a");
    expect((await buyAt(a, newCall("/rate-a"))).status).toBe(503);
    expect(countPaid(b)).toBe(asked);
    await audit(world);
  });
});

test("a lie is not sold where this node still knows its own answer of the same data", async () => {
  const world = await startStandInNodes({
    a: { prices: { "/rate-a": "0.01" }, peers: ["b"], products: ["/rate-a"] },
    b: { prices: { "/rate-a": "0.008" }, peers: [], products: [] },
  });
  const [a, b] = [nodeOf(world, "a"), nodeOf(world, "b")];
  const target = newCall("/rate-a");
  world.clock.set(Math.ceil(world.clock.now() / MINUTE_MS) * MINUTE_MS);
  expect((await buyAt(a, target)).status).toBe(200);
  world.clock.advance(A_WHILE_MS);
  a.dead.add("/rate-a");
  b.error = 5;
  expect((await buyAt(a, target)).status).toBe(503);
  expect((await readPeers(a, world.clock))[0]?.evidence).toHaveLength(1);
  await audit(world);
  await world.stop();
});
