import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { encodeHeader } from "../../src/payments/codec.ts";
import {
  buyAt,
  METERED_RATE,
  type StandInNode,
  type StandInNodes,
  startStandInNodes,
} from "../helpers/stand-in-nodes.ts";
import { createStillClock } from "../helpers/still-clock.ts";

/** A node that pays peers' metered answers by `upto`: it signs the most, and is charged what the answer took. */
const KEY_NAME = "STAND_IN_UPTO_TEST_KEY";
const PRICE = 8_000n;
const START_USD = 100_000_000n;

interface World {
  readonly nodes: StandInNodes;
  readonly a: StandInNode;
  readonly b: StandInNode;
  /** Schemes that were paid by at the peer's door, in order. */
  listPaid(): readonly string[];
  /** What left the wallet that pays peers. */
  spent(): bigint;
}

async function startWorld(daily_usd: string): Promise<World> {
  const key = generatePrivateKey();
  process.env[KEY_NAME] = key;
  const pays = { wallet_key_env: KEY_NAME, pays_by_upto: true, daily_usd };
  const nodes = await startStandInNodes(
    {
      a: { prices: { "/rate-a": "0.01" }, peers: ["b"], products: ["/rate-a"], ...pays },
      b: { prices: { "/rate-a": "0.008" }, peers: [], products: [], sells_by_upto: true },
    },
    // The official facilitator's code reads the system's clock.
    createStillClock(Date.now()),
  );
  const { a, b } = nodes.nodes as Record<"a" | "b", StandInNode>;
  a.dead.add("/rate-a");
  const { address } = privateKeyToAccount(key);
  return {
    nodes,
    a,
    b,
    listPaid: () => b.calls.flatMap((request) => schemeOf(request) ?? []),
    spent: () => START_USD - BigInt(nodes.sandbox.readChain().balance(address.toLowerCase())),
  };
}
async function stop({ nodes, a, b }: World): Promise<void> {
  for (const { node } of [a, b]) expect((await node.audit()).findings).toEqual([]);
  await nodes.stop();
}
const schemeOf = (request: Request): string | null => {
  const payment = request.headers.get("payment-signature");
  return payment === null ? null : (JSON.parse(atob(payment)).accepted.scheme as string);
};

let named = 0;
const newCall = (): string => {
  named += 1;
  return `/rate-a?base=U${named}`;
};
describe("a peer's metered answer", () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld("1.00");
  });
  afterAll(() => stop(world));

  test("costs what it took, of the most that was signed, and its receipt says so", async () => {
    const { a, listPaid, spent } = world;
    const { status, text } = await buyAt(a, newCall());
    expect([status, listPaid()]).toEqual([200, ["upto"]]);
    expect(spent()).toBe(METERED_RATE);
    const { via } = JSON.parse(text);
    expect(JSON.parse(Buffer.from(via.receipt.split(".")[1], "base64url").toString())).toMatchObject({
      amount_atomic: METERED_RATE.toString(),
      response_sha256: via.response_sha256,
    });
  });

  test("is not sold where the peer says that it took less than its receipt does", async () => {
    const { a, b, nodes, listPaid, spent } = world;
    const [paid, taken] = [listPaid().length, spent()];
    b.door = async (request, forward) => {
      const response = await forward(request);
      if (!request.headers.has("payment-signature")) return response;
      const told = JSON.parse(atob(response.headers.get("payment-response") ?? "e30="));
      const headers = new Headers(response.headers);
      headers.set("payment-response", encodeHeader({ ...told, amount: "1" }));
      return new Response(await response.text(), { status: response.status, headers });
    };
    expect((await buyAt(a, newCall())).status).toBe(503);
    expect([listPaid().slice(paid), spent() - taken]).toEqual([["upto"], METERED_RATE]);
    b.door = (request, forward) => forward(request);
    nodes.clock.advance(30_001);
  });

  test("is paid by exact once the peer refused, and nothing is signed twice for one call", async () => {
    const { a, b, nodes, listPaid, spent } = world;
    const [paid, taken] = [listPaid().length, spent()];
    b.door = async (request, forward) =>
      schemeOf(request) === "upto"
        ? Response.json({ error: "permit2_allowance_required" }, { status: 402 })
        : forward(request);
    expect((await buyAt(a, newCall())).status).toBe(503);
    expect([listPaid().slice(paid), spent() - taken]).toEqual([["upto"], 0n]);
    nodes.clock.advance(30_001);
    expect((await buyAt(a, newCall())).status).toBe(200);
    expect([listPaid().slice(paid), spent() - taken]).toEqual([["upto", "exact"], PRICE]);
  });
});

test("the day's sum counts the most that was signed, not what was taken of it", async () => {
  const world = await startWorld("0.01");
  try {
    expect([(await buyAt(world.a, newCall())).status, world.spent()]).toEqual([200, METERED_RATE]);
    expect([(await buyAt(world.a, newCall())).status, world.spent()]).toEqual([503, METERED_RATE]);
    expect(world.listPaid()).toEqual(["upto"]);
  } finally {
    await stop(world);
  }
});
