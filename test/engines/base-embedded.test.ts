import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { explainNoAnvil, hasAnvil } from "../helpers/anvil.ts";
import {
  deployBurning,
  NETWORK,
  newBuyer,
  pay,
  send,
  sendUntilKnown,
  sign,
  startWorld,
  type World,
  type WorldOptions,
  walletOf,
} from "../helpers/anvil-world.ts";
import { until } from "../helpers/hang-limit.ts";

/** The gas account of a node that settles by itself: what it may spend, and what happens when it cannot. */
const worlds: World[] = [];
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.stop()));
});
const start = async (options: Omit<WorldOptions, "kind"> = {}): Promise<World> => {
  const world = await startWorld({ kind: "embedded", ...options });
  worlds.push(world);
  return world;
};
explainNoAnvil();

/** What buyers and the operator are told. */
async function readLive({ origin }: World) {
  return (await (await fetch(`${origin}/live`)).json()) as {
    networks: readonly { network: string; ok: boolean; warnings?: readonly string[] }[];
    networks_left_out: readonly { network: string; why: string }[];
  };
}

describe.skipIf(!hasAnvil())("the gas account", () => {
  test("that holds less than min_gas still settles, and the operator is warned", async () => {
    const world = await start({ gas: 10n ** 15n, entry: 'min_gas = "0.5"\ngas_cap_per_hour = "1"' });
    expect((await pay(await newBuyer(world.anvil))(world.url)).status).toBe(200);
    expect(world.log()).toContain("gas_low");
    const [facilitator] = world.node.node.facilitators();
    expect(facilitator?.warnings).toEqual([
      { network: NETWORK, why: `the gas account ${world.gas.address} holds 0.001 ETH, less than min_gas (0.5 ETH)` },
    ]);
    expect(JSON.stringify(await readLive(world))).toContain("less than min_gas");
  });

  test("that could not pay for a settlement takes its network off the offer, with the reason", async () => {
    const world = await start({ gas: 1_000n });
    const response = await fetch(world.url);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: "facilitator_unavailable", charged: false });
    const { networks_left_out } = await readLive(world);
    expect(networks_left_out).toMatchObject([{ network: NETWORK, why: expect.stringContaining(world.gas.address) }]);
  });

  test("that was emptied after the 402 costs the buyer nothing, and the network goes", async () => {
    const world = await start();
    const buyer = await newBuyer(world.anvil);
    const whole = await sign(world, buyer);
    world.setBetween(() => world.anvil.fund(world.gas.address, 1n));
    const response = await send(world.url, whole);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ charged: false });
    await until(async () => (await fetch(world.url)).status === 503, "a refusal");
    await world.anvil.fund(world.gas.address, 10n ** 18n);
    expect(await world.anvil.transfers(buyer.address, world.seller)).toEqual([]);
  });

  test("is one sequence of transactions, however many buyers come at once", async () => {
    const world = await start({ entry: 'gas_cap_per_hour = "1"' });
    const buyers = [];
    for (let index = 0; index < 20; index++) buyers.push(await newBuyer(world.anvil));
    const answers = await Promise.all(buyers.map((buyer) => pay(buyer)(world.url)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await world.anvil.transactionCount(world.gas.address)).toBe(20);
    expect(await world.anvil.balanceOf(world.seller)).toBe(200_000n);
  });

  test("goes on after somebody else used it", async () => {
    const world = await start({ entry: 'gas_cap_per_hour = "1"' });
    expect((await pay(await newBuyer(world.anvil))(world.url)).status).toBe(200);
    await world.anvil.sendFrom(world.gas.key, world.seller);
    expect((await pay(await newBuyer(world.anvil))(world.url)).status).toBe(200);
    expect(await world.anvil.transactionCount(world.gas.address)).toBe(3);
  });

  test("spends no more in an hour than it may: the network goes, nobody is charged", async () => {
    const world = await start({ entry: 'gas_cap_per_hour = "0.0005"' });
    let sold = 0;
    for (; sold < 50; sold++) {
      // A settlement takes about 0.0001 ETH, and more than twice as much is set aside for it while it runs.
      await world.anvil.setBaseFee(10n ** 9n);
      const buyer = await newBuyer(world.anvil);
      const response = await pay(buyer)(world.url);
      if (response.status === 200) continue;
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ charged: false });
      expect(await world.anvil.transfers(buyer.address, world.seller)).toEqual([]);
      break;
    }
    expect(sold).toBeGreaterThan(0);
    expect(sold).toBeLessThan(50);
    await until(async () => (await readLive(world)).networks_left_out.length === 1, "the network to be left out");
    expect((await readLive(world)).networks_left_out[0]?.why).toBe("the hourly cap of the gas account is reached");
    expect(existsSync(`${world.node.data}/gas-eip155-8453.json`)).toBe(true);
  });
});

describe.skipIf(!hasAnvil())("gas", () => {
  test("that a contract wallet burns is not paid by the node, nor anything made for it", async () => {
    const world = await start({ entry: 'gas_cap_per_hour = "1"' });
    const owner = await newBuyer(world.anvil);
    // With a form of its own, and with one that looks like a plain account's.
    for (const wrap of [undefined, (signature: `0x${string}`) => `0x${signature.slice(4)}` as const]) {
      const address = await deployBurning(world.anvil, wrap ? "a1" : "a2");
      const response = await pay(walletOf(address, owner, wrap))(world.url);
      expect(response.status).toBe(402);
      expect(await response.json()).toMatchObject({ charged: false, diagnostic: { reason: "gas_over_limit" } });
      expect(await world.anvil.transfers(address, world.seller)).toEqual([]);
    }
    expect(await world.anvil.transactionCount(world.gas.address)).toBe(0);
    expect((await readLive(world)).networks_left_out).toEqual([]);
    expect((await pay(await newBuyer(world.anvil))(world.url)).status).toBe(200);
  });

  test("is held to a share of the price where the operator says what the coin is worth", async () => {
    const world = await start({ entry: 'gas_cap_per_hour = "1"\ncoin_usd = "4000"' });
    await world.anvil.setBaseFee(10n ** 9n);
    const response = await pay(await newBuyer(world.anvil))(world.url);
    expect(response.status).toBe(402);
    expect(await response.json()).toMatchObject({ charged: false, diagnostic: { reason: "gas_over_share" } });
    expect(await world.anvil.transactionCount(world.gas.address)).toBe(0);
  });

  test("that gas earned back by a payment counts against no cap, so that buyers keep the shop open", async () => {
    const world = await start({ entry: 'gas_cap_per_hour = "0.0005"\ncoin_usd = "1"\ngas_share_max = 1.0' });
    for (let sold = 0; sold < 12; sold++) {
      await world.anvil.setBaseFee(10n ** 9n);
      expect((await pay(await newBuyer(world.anvil))(world.url)).status).toBe(200);
    }
    expect((await readLive(world)).networks_left_out).toEqual([]);
  });
});

describe.skipIf(!hasAnvil())("an endpoint", () => {
  const down = () => new Response("bad gateway", { status: 502 });
  /** Stands before the chain; a test says which methods it breaks, and how. */
  const startProxy = () => {
    const broken = new Map<string, () => Response | Promise<Response> | null>();
    const state = { target: "" };
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch(request) {
        const text = await request.text();
        const { method } = JSON.parse(text) as { method: string };
        const forward = () =>
          fetch(state.target, { method: "POST", headers: { "content-type": "application/json" }, body: text }).catch(
            down,
          );
        const reply = broken.get(method);
        if (!reply) return forward();
        const answer = reply();
        if (answer) return answer;
        // It arrives, and nobody hears of it.
        await forward();
        return new Response("bad gateway", { status: 502 });
      },
    });
    proxies.push(server);
    const rpc = (url: string) => {
      state.target = url;
      return `http://127.0.0.1:${server.port}/secret-path-91ab`;
    };
    return { broken, rpc };
  };
  const proxies: { stop(force: boolean): Promise<void> }[] = [];
  afterAll(async () => {
    await Promise.all(proxies.map((proxy) => proxy.stop(true)));
  });

  test.each(["eth_call", "eth_getCode"])(
    "that fails at %s in verify refuses no payment: 503, uncharged",
    async (method) => {
      const { broken, rpc } = startProxy();
      const world = await start({ rpc });
      const whole = await sign(world, await newBuyer(world.anvil));
      broken.set(method, down);
      const response = await send(world.url, whole);
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ code: "facilitator_unavailable", charged: false });
      broken.clear();
      expect((await send(world.url, whole)).status).toBe(200);
    },
  );

  test.each(["eth_estimateGas", "eth_getTransactionCount", "eth_getBlockByNumber"])(
    "that fails at %s in settle sent nothing: 503, uncharged",
    async (method) => {
      const { broken, rpc } = startProxy();
      const world = await start({ rpc });
      const buyer = await newBuyer(world.anvil);
      const whole = await sign(world, buyer);
      world.setBetween(() => broken.set(method, down));
      const response = await send(world.url, whole);
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ code: "facilitator_unavailable", charged: false });
      expect(await world.anvil.transfers(buyer.address, world.seller)).toEqual([]);
    },
  );

  test("that loses its answer to a transaction it took: the chain is read, the buyer served", async () => {
    const { broken, rpc } = startProxy();
    const world = await start({ rpc });
    const buyer = await newBuyer(world.anvil);
    const whole = await sign(world, buyer);
    world.setBetween(() => broken.set("eth_sendRawTransaction", () => null));
    expect((await sendUntilKnown(world, whole)).status).toBe(200);
    expect(await world.anvil.transfers(buyer.address, world.seller)).toHaveLength(1);
  });

  test("that never took the transaction, though it may have: unknown, no fresh 402, nothing sent twice", async () => {
    const { broken, rpc } = startProxy();
    const world = await start({ rpc });
    const buyer = await newBuyer(world.anvil);
    const whole = await sign(world, buyer);
    world.setBetween(() => broken.set("eth_sendRawTransaction", down));
    const response = await send(world.url, whole);
    expect(response.status).toBe(503);
    expect(response.headers.get("PAYMENT-REQUIRED")).toBeNull();
    expect(await response.json()).toMatchObject({ code: "settlement_unknown", charged: "unknown" });
  });

  test("of another chain is not used", async () => {
    const { broken, rpc } = startProxy();
    broken.set("eth_chainId", () => Response.json({ jsonrpc: "2.0", id: 1, result: "0x1" }));
    const world = await start({ rpc });
    expect((await fetch(world.url)).status).toBe(503);
    expect(world.node.node.facilitators()[0]?.last_error).toContain("on chain 1, not 8453");
  });

  test("'s address, which may hold a key, is in no log line and no answer", async () => {
    const { broken, rpc } = startProxy();
    const world = await start({ rpc });
    const whole = await sign(world, await newBuyer(world.anvil));
    let answers = "";
    for (const method of ["eth_call", "eth_getCode", "eth_estimateGas", "eth_sendRawTransaction", "eth_getLogs"]) {
      broken.set(method, down);
      answers += await (await send(world.url, whole)).text();
      broken.delete(method);
    }
    broken.set("eth_chainId", down);
    const seen = `${answers}${world.log()}${JSON.stringify(await readLive(world))}`;
    expect(seen).not.toContain("secret-path-91ab");
    expect(seen.toLowerCase()).not.toContain(world.gas.key.slice(2));
  });
});
