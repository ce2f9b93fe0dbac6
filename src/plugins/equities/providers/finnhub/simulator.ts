import { defineSimulator } from "intel-node";
import { getSimulatedShare } from "intel-node/providers/simulated-shares";

export const simulator = defineSimulator({
  provider: "finnhub",
  respond({ path, query }, world) {
    const symbol = query.get("symbol") ?? "";
    if (path !== "/quote") return { status: 404, text: "404 page not found" };
    if (symbol.startsWith("ZZZZ")) return { json: { c: 0, d: null, dp: null, h: 0, l: 0, o: 0, pc: 0, t: 0 } };
    const at = (ms: number) => getSimulatedShare(world, symbol, { at_ms: ms });
    const [c, pc] = [at(world.now()), at(world.now() - 86_400_000)];
    const t = Math.floor(world.now() / 1000) - 5;
    return { json: { c, d: c - pc, dp: (c / pc - 1) * 100, h: c * 1.01, l: c * 0.99, o: pc * 1.001, pc, t } };
  },
});
