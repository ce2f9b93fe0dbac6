import { messageOf } from "../../core/errors.ts";
import { encodeSettlement } from "../codec.ts";
import { encodeReceipt, PAYMENT_RECEIPT } from "../mpp/receipt.ts";
import type { IncomingPayment } from "../types.ts";
import type { GateOptions, PaidAnswer } from "./types.ts";

type Paid = PaidAnswer & { readonly incoming: IncomingPayment };

/** Makes the header, name and value, that tells a buyer he paid: in the words of what he paid by. */
export function createPaymentProof(options: Pick<GateOptions, "settlementExtensions" | "alarm" | "clock">) {
  /** Money moved: the answer goes out, whatever becomes of its receipt. */
  async function extensionsOf({
    receipt_id,
    sold,
  }: PaidAnswer): Promise<Readonly<Record<string, unknown>> | undefined> {
    try {
      return await options.settlementExtensions?.(receipt_id, sold);
    } catch (error) {
      options.alarm({ event: "receipt_not_signed", receipt_id, error: messageOf(error) });
      return undefined;
    }
  }

  return async (answer: Paid): Promise<readonly [name: string, value: string]> => {
    const { incoming, settlement, sold, settled_at_ms = options.clock.now() } = answer;
    const { protocol, challenge } = incoming;
    if (protocol === "mpp") {
      if (challenge === undefined) throw new Error("a payment by MPP answers a challenge");
      const { transaction, network } = settlement;
      const at_ms = sold?.settled_at_ms ?? settled_at_ms;
      return [PAYMENT_RECEIPT, encodeReceipt({ challenge, transaction, network, settled_at_ms: at_ms })];
    }
    const extensions = protocol === 2 ? await extensionsOf(answer) : undefined;
    const amount = answer.charge?.toString();
    return encodeSettlement(protocol, { success: true, ...settlement, amount, extensions });
  };
}
