import { defineSimulator, type SimulatedWorld, sha256Hex } from "intel-node";
import { unknownPath } from "intel-node/providers/simulated-market";
import { slotAt } from "./payloads.ts";
import { RELAY_NAMES } from "./provider.ts";

const PATH = "/relay/v1/data/bidtraces/proposer_payload_delivered";
const BUILDERS = ["titan", "beaver", "rsync", "small", "other"];
const SHARES = [0.45, 0.75, 0.9, 0.97, 1];

/** A slot's block as reported by every relay that delivered it; null where it was built without one. */
function getPayload(world: SimulatedWorld, slot: number) {
  const draw = (what: string) => world.noise(`slot ${slot} ${what}`);
  if (draw("boost") > 0.91) return null;
  const builder = BUILDERS[SHARES.findIndex((most) => draw("builder") < most)] ?? "other";
  const value = 0.012 + 0.03 * draw("value") + (draw("rare") > 0.98 ? draw("large") : 0);
  return {
    slot: String(slot),
    parent_hash: `0x${sha256Hex(`block ${slot - 1}`)}`,
    block_hash: `0x${sha256Hex(`block ${slot}`)}`,
    builder_pubkey: `0x${sha256Hex(builder)}${sha256Hex(`${builder} key`).slice(0, 32)}`,
    proposer_pubkey: `0x${sha256Hex(`proposer ${slot}`)}${"0".repeat(32)}`,
    proposer_fee_recipient: `0x${sha256Hex(`fee ${slot}`).slice(0, 40)}`,
    gas_limit: "60000000",
    gas_used: "30000000",
    value: String(Math.round(value * 1e9)) + "0".repeat(9),
    num_tx: String(120 + Math.round(150 * draw("tx"))),
    block_number: String(slot + 12_000_000),
  };
}

export const simulator = defineSimulator({
  provider: "mev_relays",
  respond({ path, host = "flashbots", query }, world) {
    if (path !== PATH) return unknownPath();
    const relay = RELAY_NAMES.findIndex((name: string) => name === host);
    const newest = slotAt(world.now()) - 1;
    const rows = Array.from({ length: 400 }, (_, back) => newest - back).flatMap((slot) => {
      const carried = world.noise(`carried ${slot} ${relay}`) < (relay < 2 ? 0.55 : 0.25);
      return carried ? (getPayload(world, slot) ?? []) : [];
    });
    return { json: rows.slice(0, Number(query.get("limit") ?? 100)) };
  },
});
