import { decideSaleRefund, type NamedRefund, type RefundedSale } from "../../../src/ledger/decide/sale-refunds.ts";
import { freeze, revenue, row } from "./row.ts";

const ofRefund = row("sale_refund");

const refund = (amount: bigint | null) => freeze({ receipt_id: "rcp_1", amount, reference: "0xback" });
const call: RefundedSale = {
  network: "eip155:8453",
  amount: 100n,
  given_back: 0n,
  corrected: 0n,
  never_landed: false,
  key: null,
};
const plan = (is_revoked: boolean, balance: bigint): RefundedSale => ({ ...call, key: { is_revoked, balance } });
const decide = (amount: bigint | null, sale: RefundedSale | null, named: NamedRefund | null = null) => ({
  decide: () => decideSaleRefund(refund(amount), freeze({ sale, named })),
});
const written = (receipt_id: string, amount: bigint): NamedRefund => ({ receipt_id, amount });
/** A row in which this amount goes back. */
const goesBack = (amount: bigint) => ({
  amount,
  transfers: [
    {
      kind: "correction",
      reference: "refund:0xback",
      from: revenue("refunds"),
      to: { id: "chain:eip155:8453", kind: "chain" },
      amount,
    },
  ],
});

export const SALE_REFUND_ROWS = [
  ofRefund("given_back", "some of a call", { ...decide(40n, call), ...goesBack(40n) }),
  ofRefund("given_back", "all of a call", { ...decide(100n, call), ...goesBack(100n) }),
  ofRefund("given_back", "without a sum, all of it", { ...decide(null, call), ...goesBack(100n) }),
  ofRefund("given_back", "without a sum, what is left", {
    ...decide(null, { ...call, given_back: 30n }),
    ...goesBack(70n),
  }),
  ofRefund("given_back", "without a sum, what came in as it was corrected", {
    ...decide(null, { ...call, corrected: 30n, given_back: 20n }),
    ...goesBack(50n),
  }),
  ofRefund("more_than_left", "more than came in as it was corrected", decide(71n, { ...call, corrected: 30n })),
  ofRefund("given_back", "of a key that was revoked and has nothing left", {
    ...decide(40n, plan(true, 0n)),
    ...goesBack(40n),
  }),
  ofRefund("given_back_before", "the same reference and sum", decide(40n, call, written("rcp_1", 40n))),
  ofRefund("given_back_before", "the same reference without a sum", decide(null, call, written("rcp_1", 40n))),
  ofRefund(
    "given_back_before",
    "the same again when nothing is left",
    decide(100n, { ...call, given_back: 100n }, written("rcp_1", 100n)),
  ),
  ofRefund("reference_taken", "the reference of another sum", decide(50n, call, written("rcp_1", 40n))),
  ofRefund("reference_taken", "the reference of another sale", decide(40n, call, written("rcp_2", 40n))),
  ofRefund("no_sale", "a receipt that is not there", decide(40n, null)),
  ofRefund("no_sale", "whatever the reference stands for", decide(40n, null, written("rcp_2", 40n))),
  ofRefund("never_landed", "a payment that the chain does not have", decide(40n, { ...call, never_landed: true })),
  ofRefund("key_in_use", "of a key that was not revoked", decide(40n, plan(false, 0n))),
  ofRefund("key_in_use", "of a revoked key with a balance", decide(40n, plan(true, 1n))),
  ofRefund("more_than_left", "more than was paid", decide(101n, call)),
  ofRefund("more_than_left", "more than is left", decide(71n, { ...call, given_back: 30n })),
  ofRefund("more_than_left", "nothing is left", decide(null, { ...call, given_back: 100n })),
  ofRefund("more_than_left", "nothing", decide(0n, call)),
  ofRefund("more_than_left", "less than nothing", decide(-1n, call)),
];
