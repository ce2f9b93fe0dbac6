import { requireAsset, type SimulatedAnswer, type SimulatedRequest, type SimulatedWorld } from "intel-node";

const TOPICS = ["price", "sentiment", "wallet", "token", "news", "llm", "search", "weather"] as const;
const PRICES = ["1000", "3000", "10000", "10000", "25000", "50000", "100000", "1000000"] as const;
const LISTED = 120;

/** A register's page: v1 and v2 entries, some of them test networks, some of both registers. */
export function answerBazaar({ path, query }: SimulatedRequest, world: SimulatedWorld, id: string): SimulatedAnswer {
  if (path !== "/resources") return { status: 404, json: { error: "not found" } };
  const [limit, offset] = [Number(query.get("limit") ?? 100), Number(query.get("offset") ?? 0)];
  const items = Array.from({ length: LISTED }, (_, index) => {
    const key = index % 3 === 0 ? `shared ${index}` : `${id} ${index}`;
    const topic = TOPICS[Math.floor(world.noise(`topic ${key}`) * TOPICS.length)];
    const price = PRICES[Math.floor(world.noise(`price ${key}`) * PRICES.length)];
    const host = `seller-${Math.floor(world.noise(`host ${key}`) * 20)}.example`;
    const is_v1 = index % 2 === 0;
    const network = index % 10 === 9 ? "base-sepolia" : is_v1 ? "base" : "eip155:8453";
    const term = {
      scheme: "exact",
      network,
      asset: requireAsset("base", "USDC"),
      payTo: "0x52908400098527886e0f7030069857d2e4169ee7",
      // Version 1 has another name for it.
      ...(is_v1 ? { maxAmountRequired: price, amount: undefined } : { amount: price }),
    };
    return {
      resource: `https://${host}/${topic}/${key.replaceAll(" ", "-")}`,
      type: "http",
      x402Version: is_v1 ? 1 : 2,
      accepts: [term],
      lastUpdated: new Date(world.now() - 86_400_000 * (1 + Math.floor(world.noise(`age ${key}`) * 20))).toISOString(),
      description: `Simulated ${topic} data`,
      quality: index % 4 === 0 ? { l30DaysTotalCalls: index * 7, l30DaysUniquePayers: index } : null,
    };
  });
  const json = {
    x402Version: 2,
    items: items.slice(offset, offset + limit),
    pagination: { limit, offset, total: LISTED },
  };
  return { json };
}
