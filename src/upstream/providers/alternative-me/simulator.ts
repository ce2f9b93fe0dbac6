import { defineSimulator, type SimulatedWorld } from "../../../catalog/simulator.ts";
import { readWhole, unknownPath } from "../simulated-market.ts";

const DAY_MS = 86_400_000;
/** First day of the publisher's history. */
const FIRST_DAY_MS = Date.UTC(2018, 1, 1);

/** A slow wave with daily noise, within 0 and 100. */
function getValue(world: SimulatedWorld, day_ms: number): number {
  const wave = Math.sin((day_ms / DAY_MS / 45) * Math.PI) * 28;
  return Math.round(50 + wave + (world.noise(`fear greed ${day_ms}`) - 0.5) * 16);
}

function classify(value: number): string {
  if (value < 25) return "Extreme Fear";
  if (value < 45) return "Fear";
  if (value <= 55) return "Neutral";
  return value <= 75 ? "Greed" : "Extreme Greed";
}

export const simulator = defineSimulator({
  provider: "alternative_me",
  respond({ path, query }, world) {
    if (path !== "/fng/" && path !== "/fng") return unknownPath();
    const today_ms = Math.floor(world.now() / DAY_MS) * DAY_MS;
    const days = Math.floor((today_ms - FIRST_DAY_MS) / DAY_MS) + 1;
    const limit = readWhole(query.get("limit")) ?? 1;
    // There, 0 means the whole history.
    const count = Math.max(1, Math.min(days, limit === 0 ? days : limit));
    const data = Array.from({ length: count }, (_, index) => {
      const day_ms = today_ms - index * DAY_MS;
      const value = getValue(world, day_ms);
      return {
        value: String(value),
        value_classification: classify(value),
        timestamp: String(day_ms / 1000),
        ...(index === 0 ? { time_until_update: String(Math.ceil((today_ms + DAY_MS - world.now()) / 1000)) } : {}),
      };
    });
    return { json: { name: "Fear and Greed Index", data, metadata: { error: null } } };
  },
});
