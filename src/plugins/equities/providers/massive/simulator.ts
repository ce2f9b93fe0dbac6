import { defineSimulator } from "intel-node";
import { getSimulatedShare } from "intel-node/providers/simulated-shares";

export const simulator = defineSimulator({
  provider: "massive",
  respond({ path }, world) {
    const [, symbol = ""] = /^\/v2\/snapshot\/locale\/us\/markets\/stocks\/tickers\/([^/]+)$/.exec(path) ?? [];
    if (symbol === "" || symbol.startsWith("ZZZZ"))
      return { status: 404, json: { status: "NotFound", message: "Ticker not found." } };
    const at = (ms: number) => getSimulatedShare(world, symbol, { at_ms: ms });
    const [p, before] = [at(world.now()), at(world.now() - 86_400_000)];
    const bar = (close: number) => ({ o: before, h: close * 1.01, l: close * 0.99, c: close, v: 1_000_000 });
    const lastTrade = { p, s: 100, t: (world.now() - 1_000) * 1e6, x: 4 };
    return { json: { status: "OK", ticker: { ticker: symbol, day: bar(p), prevDay: bar(before), lastTrade } } };
  },
});
