import { describe, expect, test } from "bun:test";
import { loadConfig } from "../config/load.ts";
import { requireAsset } from "../networks/find.ts";
import { definePayable, NETWORKS } from "../payments/networks/table.ts";
import { walletsOf } from "./compose-payments.ts";

const PAY_TO = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
/** A network is added by one row. */
const POLYGON = definePayable({ name: "polygon", wallet: "base" });

const load = (more: string) =>
  loadConfig({ text: `[wallets.base]\npay_to = "${PAY_TO}"\n${more}`, file: "t", env: {} });
function wallets(more = "", testnet = false): readonly string[] {
  const loaded = load(more);
  if (!loaded.ok) throw new Error(`the configuration does not load: ${JSON.stringify(loaded.faults)}`);
  return walletsOf(loaded.config, testnet, [...NETWORKS, POLYGON]).map(
    ({ network, pay_to }) => `${network.id} ${pay_to}`,
  );
}

describe("a further EVM network", () => {
  test("is one row: the rest is known", () => {
    const { id, chain, title, v1_name, testnet, asset, eip712, coin } = POLYGON;
    expect({ id, chain, title, v1_name, testnet }).toEqual({
      id: "eip155:137",
      chain: "polygon",
      title: "Polygon",
      v1_name: "polygon",
      testnet: false,
    });
    expect(asset).toBe(requireAsset("polygon", "USDC"));
    expect(eip712).toEqual({ name: "USD Coin", version: "2", chain_id: 137 });
    expect(coin).toEqual({ symbol: "POL", decimals: 18 });
    expect(POLYGON.explorerUrl("0xab")).toBe("https://polygonscan.com/tx/0xab");
  });

  test("is never paid to the address of Base unless the operator names it", () => {
    expect(wallets()).toEqual([`eip155:8453 ${PAY_TO}`]);
    expect(wallets('networks = ["arbitrum"]')).toEqual([`eip155:8453 ${PAY_TO}`]);
  });

  test.each(["polygon", "eip155:137", "137"])("named as %s it is paid there", (name) => {
    expect(wallets(`networks = ["${name}"]`)).toEqual([`eip155:8453 ${PAY_TO}`, `eip155:137 ${PAY_TO}`]);
    expect(wallets(`networks = ["${name}"]`, true)).toEqual([`eip155:84532 ${PAY_TO}`]);
  });

  test("that nothing is known of cannot be added", () => {
    expect(() => definePayable({ name: "moon", wallet: "base" })).toThrow('no network is called "moon"');
    expect(() => definePayable({ name: "bsc", wallet: "base" })).toThrow("nobody can be paid in USDC");
  });
});

test("a name that is no EVM network is refused with its place", () => {
  for (const name of ["moon", "solana"]) {
    expect(JSON.stringify(load(`networks = ["${name}"]`))).toContain(`\\"${name}\\" is no network`);
  }
});
