import type { SimulatedAnswer, SimulatedWorld } from "../../../catalog/simulator.ts";
import { getSimulatedWallet } from "../simulated-wallets.ts";
import { ADDRESS_LABELS } from "./address-security.ts";

const PATH = /^\/address_security\/(0x[0-9a-f]{40})$/;

/** An opinion of an address; undefined for other paths. */
export function answerAddressSecurity(world: SimulatedWorld, path: string): SimulatedAnswer | undefined {
  const [, address] = PATH.exec(path) ?? [];
  if (address === undefined) return undefined;
  const { is_listed } = getSimulatedWallet(world, address);
  const labels = Object.fromEntries(
    ADDRESS_LABELS.map((label) => [label, is_listed && label === "sanctioned" ? "1" : "0"]),
  );
  const result = { ...labels, number_of_malicious_contracts_created: "0", data_source: is_listed ? "GoPlus" : "" };
  return { json: { code: 1, message: "ok", result } };
}
