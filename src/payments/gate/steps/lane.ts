import type { CheckedCall } from "../payment-call.ts";
import type { AroundStep } from "../step.ts";

export const laneStep: AroundStep<CheckedCall, CheckedCall> = {
  id: "lane",
  does: "wait for a place in the payer's lane: three of his payments at once, and more for who pays all day",
  ends: "429",
  around({ lanes, limitOf }, context, next) {
    const { flight, call, known } = context;
    const client = limitOf(call.client) ?? "";
    return lanes.run({ payer: flight.payer, client, known }, () => next(context));
  },
};
