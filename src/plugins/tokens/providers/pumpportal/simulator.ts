import { defineSimulator } from "intel-node";
import { unknownPath } from "intel-node/providers/simulated-market";
import { listSimulatedLaunches } from "intel-node/providers/simulated-tokens/launches";

export const simulator = defineSimulator({
  provider: "pumpportal",
  respond: () => unknownPath(),
  connect({ path }, world) {
    if (path !== "/data") return null;
    let told = listSimulatedLaunches(world, 1)[0]?.index ?? 0;
    return {
      hear: (message) => (message === undefined ? [] : [{ message: "Successfully subscribed." }]),
      every_ms: 1_000,
      push() {
        const fresh = listSimulatedLaunches(world, 20).filter(({ index }) => index > told);
        told = Math.max(told, ...fresh.map(({ index }) => index));
        const frames = fresh.reverse().map(({ token, creator, initial_buy, v_sol, v_tokens, index }) => ({
          signature: `sim${index}`,
          mint: token.address,
          traderPublicKey: creator,
          txType: "create",
          initialBuy: initial_buy,
          solAmount: 1,
          bondingCurveKey: creator,
          vTokensInBondingCurve: v_tokens,
          vSolInBondingCurve: v_sol,
          marketCapSol: (v_sol / v_tokens) * 1e9,
          name: token.name,
          symbol: token.symbol,
          uri: "https://example.com/metadata.json",
          pool: "pump",
        }));
        // It also sends coins without a name, and those of another launchpad.
        return frames.flatMap(({ name, symbol, uri, ...frame }, index) => {
          const { vTokensInBondingCurve, vSolInBondingCurve, bondingCurveKey, ...other } = frame;
          const extra =
            index % 2 === 0
              ? { ...frame, signature: `${frame.signature}b`, initialBuy: 0, solAmount: 0 }
              : { ...other, name, symbol, uri, signature: `${frame.signature}c`, solInPool: 1, pool: "bonk" };
          return [extra, { ...frame, name, symbol, uri }];
        });
      },
    };
  },
});
