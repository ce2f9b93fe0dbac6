import { decideCorrection, type SaleState } from "../../../src/ledger/decide/corrections.ts";
import { freeze, revenue, row } from "./row.ts";

const chain = { id: "chain:eip155:8453", kind: "chain" };
const sale = (more: Partial<SaleState> = {}): SaleState =>
  freeze({
    network: "eip155:8453",
    amount: 100n,
    corrected: 0n,
    on_chain: "confirmed",
    is_key_in_use: false,
    ...more,
  });
const of = (received: bigint, state: SaleState) => () => decideCorrection({ received, reference: "a" }, state);
const moved = { kind: "correction", reference: "correct:a" };
const off = (amount: bigint) => [{ ...moved, from: revenue("corrections"), to: chain, amount }];
const back = (amount: bigint) => [{ ...moved, from: chain, to: revenue("corrections"), amount }];
const ofCorrection = row("correction");

/** What came in for a sale is something else than what was booked. */
export const CORRECTION_ROWS = [
  ofCorrection("corrected", "nothing came: all of it is taken off", {
    decide: of(0n, sale()),
    transfers: off(100n),
    amount: 100n,
    confirms: false,
  }),
  ofCorrection("corrected", "once more: only the difference is booked", {
    decide: of(10n, sale({ corrected: 60n })),
    transfers: off(30n),
    amount: 30n,
    confirms: false,
  }),
  ofCorrection("corrected", "it came after all: what was taken off is put back", {
    decide: of(100n, sale({ corrected: 60n, is_key_in_use: true })),
    transfers: back(60n),
    amount: -60n,
    confirms: false,
  }),
  ofCorrection("corrected", "the chain is said not to have it, and all of it came: nothing is booked", {
    decide: of(100n, sale({ on_chain: "missing" })),
    amount: 0n,
    confirms: true,
  }),
  ofCorrection("corrected", "the chain is said not to have it, and some of it came", {
    decide: of(40n, sale({ on_chain: "missing" })),
    transfers: off(60n),
    amount: 60n,
    confirms: true,
  }),
  ofCorrection("impossible", "more came than was booked", { decide: of(101n, sale()) }),
  ofCorrection("impossible", "less than nothing came", { decide: of(-1n, sale()) }),
  ofCorrection("missing_already", "the chain does not have it either", {
    decide: of(0n, sale({ on_chain: "missing" })),
  }),
  ofCorrection("so_already", "as it was booked", { decide: of(100n, sale()) }),
  ofCorrection("so_already", "as it was corrected", { decide: of(0n, sale({ corrected: 100n })) }),
  ofCorrection("key_in_use", "what it bought can be used", { decide: of(0n, sale({ is_key_in_use: true })) }),
];
