import type { AccessCall } from "../../../calls/access.ts";
import { messageOf } from "../../../core/errors.ts";
import { PaymentRefusal } from "../../refusal.ts";
import type { ChargedAttempt, PaymentAttempt, SlotAttempt } from "../attempt.ts";
import { waitElsewhere } from "../earlier.ts";
import type { GateParts } from "../parts.ts";
import { inOrder, type PlainStep, takeInside } from "../step.ts";
import { chargeStep } from "./charge.ts";
import { earlierStep } from "./earlier.ts";
import { produceStep } from "./produce.ts";
import { askFacilitator, verifyStep } from "./verify.ts";

/** Of the produce slots: calls paid one by one have no priority. */
const PRIORITY = 1;

const IN_SLOT = inOrder<SlotAttempt>()(verifyStep, earlierStep, produceStep, chargeStep);

type MadeInSlot = Pick<ChargedAttempt, "facilitator" | "produced" | "metered" | "taking">;

/**
 * Everything before money moves, once there is a row. Whatever fails here ends the attempt uncharged, and the payment
 * may come again. Money is taken after the slot was given back: settling must not keep others from producing.
 */
export const slotStep: PlainStep<PaymentAttempt, MadeInSlot> = {
  id: "slot",
  does: "wait for what other nodes work on, and for a produce slot; a stranger's payment is verified before",
  ends: "503; the row is `rejected` or `abandoned`, whatever ends the call in the slot",
  inside: IN_SLOT,
  async run(gate, attempt) {
    const { slots, stranger_slots, ledger, limitOf } = gate;
    const { id, call, read, payment, older } = attempt;
    const { replay_key, payer } = read.signed;
    try {
      await waitElsewhere(gate, older);
      const holder = limitOf(call.client) ?? payer;
      const place = { priority: PRIORITY, holder, payer: isKept(gate, call) ? null : payer };
      const ask = () => askFacilitator(gate, attempt);
      const word = payment.checked === true ? null : await stranger_slots.run({ priority: 0, holder }, ask);
      return await slots.run(place, () => takeInside<ChargedAttempt>(gate, IN_SLOT, { ...attempt, word }));
    } catch (error) {
      const state = error instanceof PaymentRefusal ? "rejected" : "abandoned";
      void ledger.payments.drop(id, replay_key, { state, reason: messageOf(error) });
      throw error;
    }
  },
};

/** Whether the answer is there already, or is nothing but a purchase: then it costs next to nothing to make. */
const isKept = ({ runner }: GateParts, { product, request }: AccessCall): boolean =>
  product.definition.plan !== undefined || runner.fresh(product, request) !== null;
