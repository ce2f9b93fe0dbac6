import { describe, expect, test } from "bun:test";
import { createLongHistory } from "../../test/helpers/long-history.ts";
import { createIdentity, type NodeIdentity } from "../core/identity.ts";
import { createMemoryRecords } from "../records/memory-records.ts";
import type { WritableRecords } from "../records/record-chain.ts";
import { renderDIDDocument } from "./did.ts";
import { createHistoryHeads, type HistoryHeads } from "./history-heads.ts";
import { createNodeSigner } from "./node-signer.ts";
import { PEER_HEADS, PEER_INCONSISTENCIES } from "./peer-head-store.ts";
import { createPeerHeads, type PeerFinding, type PeerHeads } from "./peer-heads.ts";
import type { AskPeer } from "./peer-types.ts";

const START_MS = 1_793_000_000_000;
const HOUR_MS = 3_600_000;
const [A, B, N] = ["https://a.example", "https://b.example", "https://n.example"] as const;

interface World {
  now_ms: number;
  /** Answers of nodes by address. Undefined means silence. */
  readonly nodes: Map<string, (url: URL, asker: string) => Promise<unknown>>;
  readonly asked: string[];
}
const createWorld = (): World => ({ now_ms: START_MS, nodes: new Map(), asked: [] });

const askIn =
  (world: World, asker: string): AskPeer =>
  async (url) => {
    world.asked.push(url);
    const body = await world.nodes.get(new URL(url).origin)?.(new URL(url), asker);
    if (body === undefined) return { failed: `${url} does not answer` };
    return { status: 200, headers: new Headers(), text: typeof body === "string" ? body : JSON.stringify(body) };
  };

interface TestNode {
  readonly identity: NodeIdentity;
  readonly records: WritableRecords;
  readonly peer_heads: PeerHeads;
  readonly found: PeerFinding[];
  readonly url: string;
}

interface NodeSetup {
  readonly peers?: readonly string[];
  readonly records?: WritableRecords;
  readonly identity?: NodeIdentity;
  readonly sandbox?: boolean;
  /** Shown to an asker in the place of its own history. */
  readonly showInstead?: (asker: string) => WritableRecords | undefined;
}

const headsOf = (world: World, identity: NodeIdentity, records: WritableRecords): HistoryHeads =>
  createHistoryHeads({ records, signer: createNodeSigner(identity), now_ms: () => world.now_ms });

/** A node that answers as the real routes do. */
function addNode(world: World, url: string, setup: NodeSetup = {}): TestNode {
  const { peers = [], identity = createIdentity(), showInstead = () => undefined, sandbox = false } = setup;
  const records = setup.records ?? createMemoryRecords(() => world.now_ms);
  const found: PeerFinding[] = [];
  const peer_heads = createPeerHeads({
    urls: peers,
    ask: askIn(world, url),
    node_id: identity.node_id,
    sandbox: false,
    records,
    heads: headsOf(world, identity, records),
    now_ms: () => world.now_ms,
    onInconsistent: (one) => void found.push(one),
  });
  world.nodes.set(url, async ({ pathname, searchParams }, asker) => {
    if (pathname === "/.well-known/did.json") {
      return renderDIDDocument(url, { name: identity.key_name, public_key: identity.public_key });
    }
    const heads = headsOf(world, identity, showInstead(asker) ?? records);
    const chain = searchParams.get("chain") ?? "";
    const stamp = { node_id: identity.node_id, sandbox, chain };
    const length = searchParams.get("from");
    if (length === null) {
      const [seen, inconsistencies] = [await peer_heads.seen(chain), await peer_heads.inconsistencies(chain)];
      return { ...stamp, heads: await heads.list(chain, 0), seen, inconsistencies };
    }
    const outcomes = searchParams.get("from_outcomes");
    const from = { length: Number(length), outcomes: outcomes === null ? null : Number(outcomes) };
    const joined = await heads.join(chain, from);
    return joined === null ? undefined : { ...stamp, joined };
  });
  return { identity, records, peer_heads, found, url };
}

const historyOf = async (length: number, alpha?: string) => (await createLongHistory(length, alpha)).records;

async function grow(records: WritableRecords, count = 3): Promise<void> {
  const [like] = await records.read("signals", { limit: 1 });
  for (let more = 0; more < count; more++) {
    await records.append("signals", (link) => ({ ...like?.record, ...link }), like?.beside);
  }
}

const passHour = (world: World): void => {
  world.now_ms += HOUR_MS;
};
const lengthsOf = async ({ peer_heads }: TestNode) =>
  (await peer_heads.seen("signals")).map(({ url, head }) => [url, head.record.chain_length]);

describe("heads of peers", () => {
  test("of one that grows are followed, and handed on with its signature", async () => {
    const world = createWorld();
    const peer = addNode(world, N, { records: await historyOf(40) });
    const node = addNode(world, A, { peers: [N] });
    for (let hour = 0; hour < 3; hour++) {
      await node.peer_heads.ask();
      await grow(peer.records);
      passHour(world);
    }
    expect(await lengthsOf(node)).toEqual([[N, 46]]);
    expect(node.found).toEqual([]);
    const [seen] = await node.peer_heads.seen("signals");
    expect(seen?.head.public_key).toBe(peer.identity.public_key);
    expect(await node.peer_heads.seen("theses")).toEqual([]);
  });

  test("of one that rewrites are kept for good, both signed, and it counts no more", async () => {
    const world = createWorld();
    const identity = createIdentity();
    addNode(world, N, { identity, records: await historyOf(40) });
    const node = addNode(world, A, { peers: [N] });
    await node.peer_heads.ask();
    passHour(world);
    addNode(world, N, { identity, records: await historyOf(50, "61.2") });
    await node.peer_heads.ask();
    const { node_id } = identity;
    const finding = { node_id, chain: "signals", kind: "unjoined", urls: [N, N] };
    expect(node.found).toEqual([finding] as never);
    await node.peer_heads.ask();
    expect(node.found).toHaveLength(1);
    // The books alone know it, as after a restart.
    const again = addNode(world, A, { peers: [N], records: node.records });
    const [kept] = await again.peer_heads.inconsistencies("signals");
    expect(kept).toMatchObject(finding as never);
    expect(kept?.heads.map(({ record }) => record.chain_length)).toEqual([40, 50]);
    expect(await again.peer_heads.isInconsistent(node_id)).toBe(true);
    expect(await again.peer_heads.isInconsistent(again.identity.node_id)).toBe(false);
    // The head of before stays what others are told.
    expect(await lengthsOf(again)).toEqual([[N, 40]]);
  });

  test.each([
    ["of the same length with other records", 40, "61.2", "fork"],
    ["shorter than before", 30, undefined, "shrunk"],
  ])("%s contradict each other by themselves", async (_, length, alpha, kind) => {
    const world = createWorld();
    const identity = createIdentity();
    addNode(world, N, { identity, records: await historyOf(40) });
    const node = addNode(world, A, { peers: [N] });
    await node.peer_heads.ask();
    passHour(world);
    addNode(world, N, { identity, records: await historyOf(length, alpha) });
    await node.peer_heads.ask();
    expect(node.found.map((one) => one.kind)).toEqual([kind] as never);
  });

  test("that are older than those that were seen prove nothing against it", async () => {
    const world = createWorld();
    const identity = createIdentity();
    addNode(world, N, { identity, records: await historyOf(40) });
    const node = addNode(world, A, { peers: [N] });
    await node.peer_heads.ask();
    // A cache answers with what the node said two days ago.
    world.now_ms -= 48 * HOUR_MS;
    addNode(world, N, { identity, records: await historyOf(30) });
    await node.peer_heads.ask();
    expect([node.found, await lengthsOf(node)]).toEqual([[], [[N, 40]]]);
  });

  test("signed within minutes by clocks that differ contradict nothing", async () => {
    const world = createWorld();
    const identity = createIdentity();
    const records = await historyOf(40);
    addNode(world, N, { identity, records });
    const node = addNode(world, A, { peers: [N] });
    await node.peer_heads.ask();
    // Another node on the same books, whose clock is ahead and who has not read the newest records yet.
    world.now_ms += 200_000;
    addNode(world, N, { identity, records: await historyOf(38) });
    await node.peer_heads.ask();
    expect([node.found, await lengthsOf(node)]).toEqual([[], [[N, 40]]] as never);
  });

  test("of another node or chain, in the place of a proof, are not held against it", async () => {
    const world = createWorld();
    const identity = createIdentity();
    addNode(world, N, { identity, records: await historyOf(40) });
    const node = addNode(world, A, { peers: [N] });
    await node.peer_heads.ask();
    passHour(world);
    const show = world.nodes.get(N);
    const heads = headsOf(world, createIdentity(), await historyOf(50, "61.2"));
    const joined = await heads.join("signals", { length: 40, outcomes: null });
    world.nodes.set(N, async (url, asker) =>
      Number(url.searchParams.get("from") ?? 1) > 1 ? { joined } : show?.(url, asker),
    );
    await node.peer_heads.ask();
    expect([node.found, await lengthsOf(node)]).toEqual([[], [[N, 40]]] as never);
  });

  test("of one that shows two histories are found by what another node saw", async () => {
    const world = createWorld();
    const [honest, forged] = [await historyOf(40), await historyOf(44, "61.2")];
    const liar = addNode(world, N, { records: honest, showInstead: (asker) => (asker === B ? forged : undefined) });
    const node = addNode(world, A, { peers: [N, B] });
    const other = addNode(world, B, { peers: [N], records: await historyOf(20) });
    await other.peer_heads.ask();
    // What the other saw is further than what is shown here: that may be so, until some time has gone by.
    await node.peer_heads.ask();
    expect([node.found, await lengthsOf(node)]).toEqual([
      [],
      [
        [N, 40],
        [B, 20],
      ],
    ] as never);
    world.nodes.delete(B);
    await grow(honest, 9);
    await grow(forged, 9);
    passHour(world);
    // Each of both sees a history that only grows.
    await other.peer_heads.ask();
    expect(other.found).toEqual([]);
    await node.peer_heads.ask();
    const { node_id } = liar.identity;
    expect(node.found).toHaveLength(1);
    expect(node.found[0]).toMatchObject({ node_id, chain: "signals", urls: [B, N] } as never);
    const [kept] = await node.peer_heads.inconsistencies("signals");
    expect(kept?.heads.map(({ record }) => record.node_id)).toEqual([node_id, node_id]);
    expect(await node.peer_heads.isInconsistent(other.identity.node_id)).toBe(false);
  });

  test("by which a node contradicts itself are accepted from anyone who shows both", async () => {
    const world = createWorld();
    const identity = createIdentity();
    addNode(world, N, { identity, records: await historyOf(40) });
    const node = addNode(world, A, { peers: [N] });
    await node.peer_heads.ask();
    passHour(world);
    const honest = await historyOf(40, "61.2");
    addNode(world, N, { identity, records: honest });
    await node.peer_heads.ask();
    const third = addNode(world, B, { peers: [A, N] });
    // It shows what it found, once it has a history of its own to show.
    await grow(honest);
    await grow(node.records);
    await third.peer_heads.ask();
    expect(third.found.map(({ kind, urls }) => [kind, urls])).toEqual([["fork", [A, A]]]);
  });

  test("of this node, as others saw them, are compared with its own", async () => {
    const world = createWorld();
    const identity = createIdentity();
    const records = await historyOf(40);
    addNode(world, A, { identity, records });
    const peer = addNode(world, B, { peers: [A], records: await historyOf(20) });
    await peer.peer_heads.ask();
    passHour(world);
    const same = addNode(world, A, { identity, peers: [B], records });
    await grow(records);
    await same.peer_heads.ask();
    expect(same.found).toEqual([]);
    // The books were put back to a copy of before, or the key signs elsewhere.
    const back = addNode(world, A, { identity, peers: [B], records: await historyOf(30) });
    await back.peer_heads.ask();
    expect(back.found).toEqual([
      { node_id: identity.node_id, chain: "signals", kind: "shrunk", urls: [B, "this node"] },
    ]);
  });

  test("of a sandbox, and under a key its address does not show, are not kept", async () => {
    const world = createWorld();
    addNode(world, N, { sandbox: true, records: await historyOf(20) });
    const thief = addNode(world, B, { records: await historyOf(20) });
    const show = world.nodes.get(B);
    const other = createIdentity();
    world.nodes.set(B, async (url, asker) =>
      url.pathname === "/.well-known/did.json"
        ? renderDIDDocument(B, { name: other.key_name, public_key: other.public_key })
        : show?.(url, asker),
    );
    const node = addNode(world, A, { peers: [N, B] });
    await node.peer_heads.ask();
    expect([await lengthsOf(node), node.found, thief.found]).toEqual([[], [], []]);
  });

  test("that are garbage, or signed by somebody else, change nothing", async () => {
    const world = createWorld();
    const identity = createIdentity();
    const records = await historyOf(40);
    addNode(world, N, { identity, records });
    const node = addNode(world, A, { peers: [N] });
    await node.peer_heads.ask();
    passHour(world);
    const show = world.nodes.get(N);
    const bend = (change: (body: Bent) => unknown) =>
      world.nodes.set(N, async (url, asker) => {
        const body = JSON.parse(JSON.stringify((await show?.(url, asker)) ?? null));
        return url.pathname.endsWith("did.json") ? body : change(body);
      });
    const stranger = await headsOf(world, createIdentity(), await historyOf(50, "61.2")).join("signals", {
      length: 40,
      outcomes: null,
    });
    const bodies: ((body: Bent) => unknown)[] = [
      () => undefined,
      () => "<html>",
      () => null,
      () => ({ joined: 5, seen: 5 }),
      (body) => ({ ...body, joined: stranger }),
      (body) => ({ ...body, joined: { ...body?.joined, records: null } }),
      (body) => {
        if (body?.joined) body.joined.head.record.chain_length += 1;
        return body;
      },
      (body) => {
        if (body?.joined) body.joined.head.record.chain_head = "\u0000".repeat(64);
        return body;
      },
      (body) => ({ ...body, seen: Array.from({ length: 101 }, () => ({ head: {} })), inconsistencies: [] }),
      (body) => ({ ...body, seen: [{ head: null }], inconsistencies: [{ heads: [{}, 1] }, { heads: [] }] }),
    ];
    for (const change of bodies) {
      bend(change);
      await node.peer_heads.ask();
    }
    expect([node.found, await lengthsOf(node)]).toEqual([[], [[N, 40]]]);
  });

  test("are written once a day for each address, whatever keys it shows, and asked for within bounds", async () => {
    const world = createWorld();
    const records = await historyOf(20);
    const node = addNode(world, A, { peers: [N] });
    const days = new Set<string>();
    for (let hour = 0; hour < 30; hour++) {
      addNode(world, N, { records });
      await node.peer_heads.ask();
      days.add(new Date(world.now_ms).toISOString().slice(0, 10));
      passHour(world);
    }
    expect((await node.records.head(PEER_HEADS)).length).toBe(days.size);
    expect(await node.peer_heads.seen("signals")).toHaveLength(days.size);
    expect((await node.records.head(PEER_INCONSISTENCIES)).length).toBe(0);
    // Heads of nodes that this one does not know are not followed up.
    const peers = Array.from({ length: 30 }, (_, index) => `https://p${index}.example`);
    world.asked.length = 0;
    await addNode(world, B, { peers }).peer_heads.ask();
    expect(new Set(world.asked.map((url) => new URL(url).origin)).size).toBe(20);
    expect(world.asked.length).toBeLessThanOrEqual(20 * 2 * 8);
  });
});

interface Bent {
  joined?: { head: { record: { chain_length: number; chain_head: string } } };
}
