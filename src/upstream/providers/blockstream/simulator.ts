import { defineSimulator } from "../../../catalog/simulator.ts";
import { getSimulatedMempool, renderMempool, renderTip } from "../simulated-bitcoin.ts";
import { answerBlock } from "../simulated-bitcoin-blocks.ts";
import { unknownPath } from "../simulated-market.ts";

const TARGETS = [...Array.from({ length: 25 }, (_, index) => index + 1), 144, 504, 1008];

export const simulator = defineSimulator({
  provider: "blockstream",
  respond({ path }, world) {
    const mempool = getSimulatedMempool(world);
    if (path === "/blocks") return { json: renderTip(world, mempool) };
    const [, hash] = /^\/block\/([0-9a-f]{64})\/raw$/.exec(path) ?? [];
    const block = hash === undefined ? undefined : answerBlock(world, hash, renderTip(world, mempool));
    if (block) return block;
    if (path === "/mempool") return { json: renderMempool(mempool) };
    if (path !== "/fee-estimates") return unknownPath();
    const estimate = (target: number) => Math.max(0.1, Number((mempool.fastest / target ** 0.5).toFixed(3)));
    return { json: Object.fromEntries(TARGETS.map((target) => [String(target), estimate(target)])) };
  },
});
