import type { AccessCall, AccessMethod, Served } from "../../calls/access.ts";
import { toFree } from "../../calls/changes.ts";
import { CHARGED } from "../../core/metering.ts";
import { renderUSD } from "../../core/money.ts";
import { atQuotedPrice } from "../pricing/quoted-price.ts";
import type { Flights } from "./flights.ts";
import { GATE_STEPS } from "./gate-steps.ts";
import { createGateParts } from "./parts.ts";
import { createPaymentProof } from "./payment-proof.ts";
import { hasPayment, readPayment, readSignedAmount } from "./read-payment.ts";
import { createRecovery, type Recovery } from "./recovery.ts";
import { composeSteps } from "./step.ts";
import type { AnswerToPayment } from "./steps/read.ts";
import type { GateOptions, PaidAnswer } from "./types.ts";

export interface PaymentAccess extends AccessMethod {
  readonly flights: Flights;
  readonly recovery: Recovery;
}

/** Pays for a call with a signed payment, in the order of `GATE_STEPS`. */
export function createPaymentAccess(options: GateOptions): PaymentAccess {
  const { clock } = options;
  const gate = createGateParts(options);
  const pay = composeSteps<AccessCall, AnswerToPayment>(gate, GATE_STEPS);
  const proofOf = createPaymentProof(options);
  const { flights } = gate;
  return {
    id: "payment",
    flights,
    recovery: createRecovery({ ...gate, isInFlight: (replay_key) => flights.find(replay_key) !== undefined }),
    isPresent: hasPayment,
    assertReadable: (headers) => void readPayment(headers, clock.now()),
    quoted: (product, headers) => atQuotedPrice(options.earlier_prices, product, () => readSignedAmount(headers)),
    async serve(call) {
      const answer = await pay(call).catch(toFree);
      return "receipt_id" in answer ? renderServed(answer, await proofOf(answer)) : answer;
    },
  };
}

function renderServed(
  { body, receipt_id, settlement, from, passed_over, charge, told }: PaidAnswer,
  [name, value]: readonly [name: string, value: string],
): Served {
  return {
    body,
    ...(from === undefined ? { sale: { receipt_id, ...settlement } } : {}),
    headers: {
      [name]: value,
      "X-Receipt-Id": receipt_id,
      // How a metered charge came about was said the first time.
      ...(charge === undefined ? {} : { [CHARGED]: renderUSD(charge) }),
      ...(from === undefined ? told : {}),
      ...(from === "replay" ? { "X-Idempotent-Replay": "true" } : {}),
      ...(from === "earlier_payment" ? { "X-Duplicate-Payment-Avoided": "true" } : {}),
      ...(passed_over === undefined ? {} : { "X-Earlier-Payment-Unknown": passed_over }),
    },
  };
}
