import { afterEach, describe, expect, test } from "bun:test";
import { createSimulatedNode, type SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { readStoredPositioning, writeFunding } from "./stored-funding.ts";
import { writeOpenInterest } from "./stored-interest.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 15);
const HOUR_MS = 3_600_000;

const nodes: SimulatedNode[] = [];
afterEach(() => {
  for (const node of nodes.splice(0)) node.close();
});
function createNode(): SimulatedNode {
  const node = createSimulatedNode({ now_ms: NOW_MS });
  nodes.push(node);
  return node;
}

type Held = Readonly<Record<string, { readonly coins: number; readonly price: number }>>;
/** What the job stores: the same answer in dollars and in coins. */
async function sample(node: SimulatedNode, held: Held, before_h: number): Promise<void> {
  const at_ms = NOW_MS - before_h * HOUR_MS;
  const entries = Object.entries(held);
  const fundings = entries.map(([symbol, { coins, price }]) => ({
    symbol,
    rate_1h_frac: 0.00001,
    open_interest_usd: coins * price,
  }));
  const then = { ...node.createContext(), now_ms: at_ms };
  await writeFunding(then, fundings);
  const perpetuals = entries.map(
    ([symbol, { coins }]) => [symbol, { rate_1h_frac: 0.00001, open_interest_coins: coins }] as const,
  );
  await writeOpenInterest(then, new Map(perpetuals));
}
const changeOf = async (node: SimulatedNode, symbols: readonly string[]) =>
  (await readStoredPositioning(node.createContext(), symbols))?.interest_change_24h_frac;

describe("the change of open interest", () => {
  test("is that of the positions: a move of the price alone does not change it", async () => {
    const node = createNode();
    await sample(node, { BTC: { coins: 1_000, price: 50_000 } }, 24);
    await sample(node, { BTC: { coins: 1_000, price: 60_000 } }, 0);
    expect(await changeOf(node, ["BTC"])).toBeCloseTo(0, 12);
  });

  test("is a fifth when a fifth more coins are held, whatever the price did", async () => {
    const node = createNode();
    await sample(node, { BTC: { coins: 1_000, price: 50_000 } }, 24);
    await sample(node, { BTC: { coins: 1_200, price: 40_000 } }, 0);
    expect(await changeOf(node, ["BTC"])).toBeCloseTo(0.2, 12);
  });

  test("of several coins values both days at today's prices", async () => {
    const node = createNode();
    await sample(node, { BTC: { coins: 100, price: 50_000 }, ETH: { coins: 2_000, price: 1_000 } }, 24);
    await sample(node, { BTC: { coins: 110, price: 60_000 }, ETH: { coins: 1_000, price: 2_000 } }, 0);
    // (110 x 60,000 + 1,000 x 2,000) / (100 x 60,000 + 2,000 x 2,000) - 1
    expect(await changeOf(node, ["BTC", "ETH"])).toBeCloseTo(8_600_000 / 10_000_000 - 1, 12);
  });

  test("is not known without a sample of the day before, an hour more or less, of each coin", async () => {
    const [alone, near, far, other] = [createNode(), createNode(), createNode(), createNode()];
    for (const node of [alone, near, far, other]) await sample(node, { BTC: { coins: 2, price: 1 } }, 0);
    await sample(near, { BTC: { coins: 1, price: 1 } }, 25);
    await sample(far, { BTC: { coins: 1, price: 1 } }, 26);
    await sample(other, { ETH: { coins: 1, price: 1 } }, 24);
    const changes = await Promise.all([alone, near, far, other].map((node) => changeOf(node, ["BTC"])));
    expect(changes).toEqual([null, 1, null, null]);
  });
});
