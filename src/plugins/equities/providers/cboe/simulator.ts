import { defineSimulator, toLocal } from "intel-node";
import { getSimulatedShare } from "intel-node/providers/simulated-shares";

const DELAY_MS = 900_000;

export const simulator = defineSimulator({
  provider: "cboe",
  respond({ path }, world) {
    const [, symbol = ""] = /^\/quotes\/([^/]+)\.json$/.exec(path) ?? [];
    if (symbol === "" || symbol.startsWith("ZZZZ"))
      return { status: 403, text: "<Error><Code>AccessDenied</Code></Error>" };
    const at_ms = world.now() - DELAY_MS;
    const [price, before] = [at_ms, at_ms - 86_400_000].map((ms) => getSimulatedShare(world, symbol, { at_ms: ms }));
    const { date, time } = toLocal("America/New_York", at_ms);
    const data = {
      ...{ symbol, current_price: price, price_change: (price ?? 0) - (before ?? 0), bid: price, ask: price },
      ...{ open: before, high: (price ?? 0) * 1.01, low: (price ?? 0) * 0.99, close: price, prev_day_close: before },
      ...{ volume: 1_000_000, last_trade_time: `${date}T${time.slice(0, 5)}:00` },
    };
    return { json: { timestamp: `${date} ${time}`, data, symbol } };
  },
});
