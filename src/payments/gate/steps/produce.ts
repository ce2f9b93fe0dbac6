import { UPTO } from "../../upto/contract.ts";
import type { PaymentAttempt } from "../attempt.ts";
import type { PlainStep } from "../step.ts";
import { assertTimeLeft } from "../time-left.ts";
import type { ProducedAnswer } from "../types.ts";

export const produceStep: PlainStep<PaymentAttempt, { readonly produced: ProducedAnswer }> = {
  id: "produce",
  does: "produce, under the product's deadline; for a plan, prepare the purchase",
  ends: "503, 504, `charged: false`",
  async run(gate, { id, call, read, payment }) {
    const { payer } = read.signed;
    const { network, scheme } = payment.requirement;
    const produced = await gate.produce(call, { payer, network, payment_id: id, is_metered: scheme === UPTO });
    assertTimeLeft(gate, read, produced);
    return { produced };
  },
};
