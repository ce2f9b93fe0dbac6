import { defineSimulator } from "intel-node";
import { unknownPath } from "intel-node/providers/simulated-market";

export const simulator = defineSimulator({
  provider: "jito",
  respond({ path }, world) {
    if (path !== "/api/v1/bundles/tip_floor") return unknownPath();
    const level = 0.5 + world.noise(`tips ${Math.floor(world.now() / 60_000)}`);
    const tip = (sol: number) => Number((sol * level).toFixed(9));
    const row = {
      time: new Date(world.now() - 5_000).toISOString(),
      landed_tips_25th_percentile: tip(0.000_003),
      landed_tips_50th_percentile: tip(0.000_01),
      landed_tips_75th_percentile: tip(0.000_04),
      landed_tips_95th_percentile: tip(0.001_4),
      landed_tips_99th_percentile: tip(0.011),
      ema_landed_tips_50th_percentile: tip(0.000_011),
    };
    return { json: [row] };
  },
});
