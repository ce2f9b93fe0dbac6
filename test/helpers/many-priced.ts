/** Products of one plugin: twelve with one price, four with two prices, four metered. */
export const PRICED = Array.from({ length: 20 }, (_, n) => ({
  path: `/p${n}`,
  kind: n < 12 ? ("flat" as const) : n < 16 ? ("tiers" as const) : ("metered" as const),
  /** Atomic units: the price, the lower one where there are two, the most where it is metered. */
  price: n < 12 ? 1_000n + 500n * BigInt(n) : n < 16 ? 2_000n : 10_000n,
}));
export type Priced = (typeof PRICED)[number];
/** What a call with `depth=deep` costs where there are two prices. */
export const DEEP_PRICE = 7_000n;
/** What a metered answer costs by the published formula: a tenth of `n`, from the floor to the price. */
export const meteredPrice = (n: number): bigint => {
  const share = BigInt(n) / 10n;
  return share < 1_000n ? 1_000n : share > 10_000n ? 10_000n : share;
};

const usd = (amount: bigint): string => `0.${String(amount).padStart(6, "0")}`;

/** The source of a plugin that sells them, for a plugin folder. */
export const pricedPlugin = (): string => `
import { Type } from "@sinclair/typebox";
import { definePlugin, defineProduct } from "intel-node";
let made = 0;
const product = (path, price_usd, more) => defineProduct({
  path, title: path, description: "Sold by the tests.", category: "test", tags: ["test"], price_usd,
  params: Type.Object({}), data: Type.Object({ n: Type.Number() }),
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } },
  providers: [], requires: [], ttl: "0s", deadline_ms: 5000, preview: { every: "24h" },
  fetch: async () => (made += 7919) % 150000,
  compute: (n, { now_ms }) => ({ as_of_ms: now_ms, data: { n }, warnings: [] }),
  ...more,
});
const depth = Type.Optional(
  Type.Union([Type.Literal("plain"), Type.Literal("deep")], { default: "plain", description: "how deep" }),
);
const more = {
  flat: {},
  tiers: { params: Type.Object({ depth }), tiers: { param: "depth", prices: { deep: "${usd(DEEP_PRICE)}" } } },
  metered: { metered: { by: "peer_price", read: ({ n }) => BigInt(n) } },
};
export default definePlugin({ id: "priced", title: "Priced", products: [
${PRICED.map(({ path, kind, price }) => `  product("${path}", "${usd(price)}", more.${kind}),`).join("\n")}
] });
`;
