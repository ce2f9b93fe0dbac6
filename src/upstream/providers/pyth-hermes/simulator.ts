import { defineSimulator, type SimulatedWorld } from "../../../catalog/simulator.ts";
import { PYTH_FEEDS } from "../solana-rpc/pyth-feeds.ts";

const EXPONENT = -8;
const CONF_RATIO = 0.0005;
const EMA_LAG_MS = 1_800_000;
const SLOT_MS = 400;
const FEEDS_MAX = 10;

function scale(price: number, publish_time: number) {
  const units = (value: number) => String(Math.round(value * 10 ** -EXPONENT));
  return { price: units(price), conf: units(price * CONF_RATIO), expo: EXPONENT, publish_time };
}

function getUpdate(world: SimulatedWorld, name: string, id: string) {
  const publish_time = Math.floor(world.now() / 1000) - 1;
  const at_ms = publish_time * 1000;
  return {
    id,
    price: scale(world.price(name, at_ms), publish_time),
    ema_price: scale(world.price(name, at_ms - EMA_LAG_MS), publish_time),
    metadata: {
      slot: Math.floor(at_ms / SLOT_MS),
      proof_available_time: publish_time + 1,
      prev_publish_time: publish_time - 1,
    },
  };
}

export const simulator = defineSimulator({
  provider: "pyth_hermes",
  respond({ path, query, headers }, world) {
    if (!headers.get("authorization")?.startsWith("Bearer ")) return { text: "Unauthorized", status: 401 };
    if (path !== "/v2/updates/price/latest") return { text: "Not Found", status: 404 };
    const ids = query.getAll("ids[]").map((id) => id.toLowerCase().replace(/^0x/, ""));
    const parsed = ids.slice(0, FEEDS_MAX).flatMap((id) => {
      const name = Object.entries(PYTH_FEEDS).find(([, feed]) => feed.feed_id === id)?.[0];
      return name === undefined ? [] : [getUpdate(world, name, id)];
    });
    if (parsed.length === 0 || parsed.length < ids.length) return { text: "Price ids not found", status: 404 };
    // No signed update is made up: nobody in a sandbox could check it.
    return { json: { binary: { encoding: "hex", data: [] }, parsed } };
  },
});
