import { createSandbox } from "../src/sandbox/index.ts";
import { simulators } from "../src/sandbox/simulators.gen.ts";
import { READ_CHAINS, renderChain, renderProviderTables } from "../test/helpers/provider-tables.ts";
import { openSharedClock } from "./soak-clock.ts";

/**
 * `bun bench/soak-world.ts CLOCK_FILE`: the simulated world of `bench/soak.ts` in a process of its own, so that its
 * memory is not the node's. Its first line is the configuration, as JSON, that sends a node's calls here.
 */
const SELLER = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const world = await createSandbox({ seed: "soak", clock: openSharedClock(process.argv[2] ?? ""), simulators });
world.introduce("eip155:84532", SELLER);
const chains = ["base_sepolia", ...READ_CHAINS].map((name) => renderChain(name, world.rpcUrl(name)));
console.log(
  JSON.stringify(
    `[payments]\ntestnet = true\n[[facilitators]]\nkind = "remote"\nurl = "${world.facilitatorUrl()}"\n` +
      `[wallets.base]\npay_to = "${SELLER}"\n${chains.join("")}${renderProviderTables(world.upstreamUrl)}`,
  ),
);
