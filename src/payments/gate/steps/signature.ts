import { familyOf } from "../../networks/families.ts";
import type { FlightCall } from "../payment-call.ts";
import { wrongSignature } from "../read-payment.ts";
import type { PlainStep } from "../step.ts";

/** Whether the payer signed with his own key, as far as this node knows. A signature by no known key is refused. */
export const signatureStep: PlainStep<FlightCall, { readonly known: boolean }> = {
  id: "signature",
  does: "check the payer's signature: each payload once, strangers within a budget",
  ends: "402, 429, 503",
  async run({ proven, signatures }, { read, call, flight }) {
    const is_key = familyOf(read.network).isKeySigned(read.incoming.payload);
    const verdict = is_key && proven.has(read.signed.payer) ? "yes" : await signatures.check(read, call.client);
    if (verdict === "no") throw wrongSignature();
    const known = verdict === "yes";
    flight.noteSigned(known);
    return { known };
  },
};
