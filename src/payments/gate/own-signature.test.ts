import { expect, test } from "bun:test";
import { networkById } from "../networks/table.ts";
import { createOwnSignature } from "./own-signature.ts";
import type { ReadPayment } from "./read-payment.ts";
import type { SignatureVerdict } from "./signature-checks.ts";

const network = networkById("eip155:8453");
if (!network) throw new Error("Base is in the table");
const READ = { network, incoming: { payload: {} }, signed: { payload_json: "{}" } } as unknown as ReadPayment;

function create(verdict: SignatureVerdict) {
  const log: object[] = [];
  let checks = 0;
  const signatures = {
    check: async () => {
      checks += 1;
      return verdict;
    },
    spend: async () => verdict,
    configure: () => undefined,
  };
  const isSigned = createOwnSignature({ signatures, rpc_urls: () => [], log: (event) => void log.push(event) });
  return { log, isSigned: () => isSigned(READ, "192.0.2.1"), countChecks: () => checks };
}

test("what this node can check itself it does not ask the chain", async () => {
  for (const verdict of ["yes", "no"] as const) expect(await create(verdict).isSigned()).toBe(verdict);
});

test("a contract's signature is unknown where its chain cannot be asked, and is looked at again", async () => {
  const { isSigned, log, countChecks } = create("ask");
  expect([await isSigned(), await isSigned()]).toEqual(["unknown", "unknown"]);
  expect([countChecks(), log]).toEqual([2, []]);
});
