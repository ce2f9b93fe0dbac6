import { expect, test } from "bun:test";
import { networkById } from "../payments/networks/table.ts";
import type { OwnedWallet } from "../payments/ownership.ts";
import { viewWallet } from "./compose-ownership.ts";

const network = networkById("eip155:8453");
if (!network) throw new Error("Base is not in the table");
const [issued_at_ms, expires_at_ms] = [Date.parse("2026-11-20T00:00:00Z"), Date.parse("2027-11-20T00:00:00Z")];
const OWNED: OwnedWallet = {
  network,
  address: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
  proof: { method: "eip191", network: network.id, statement: "text", signature: "0xab", issued_at_ms, expires_at_ms },
  other_keys: 0,
  origin_signature: null,
  faults: [],
};
const DATES = { issued_at: "2026-11-20T00:00:00Z", expires_at: "2027-11-20T00:00:00Z" };

test.each([
  ["from its first moment", issued_at_ms, "proven"],
  ["to its last", expires_at_ms - 1, "proven"],
  ["and not after", expires_at_ms, "expired"],
])("a wallet's word counts %s", (_, now_ms, status) => {
  const shown = { network: network.id, wallet: "base", address: OWNED.address, status, method: "eip191" };
  expect(viewWallet(OWNED, now_ms)).toEqual({ ...shown, statement: "text", signature: "0xab", ...DATES } as never);
});

test("before that, or without it, the address is unproven and nothing signed is shown", () => {
  const unproven = { network: network.id, wallet: "base", address: OWNED.address, status: "unproven" };
  expect(viewWallet(OWNED, issued_at_ms - 1)).toEqual(unproven as never);
  expect(viewWallet({ ...OWNED, proof: null }, issued_at_ms)).toEqual(unproven as never);
});
