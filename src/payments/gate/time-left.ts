import { NodeError } from "../../core/errors.ts";
import { withOwed } from "../../core/passed-on.ts";
import type { ReadPayment } from "./read-payment.ts";
import type { GateOptions, ProducedAnswer } from "./types.ts";

/** A signature must outlive the settle call by this much. */
const SETTLE_MARGIN_MS = 8_000;

/**
 * @param made the answer, once there is one: what the buyer's own money has bought elsewhere is handed over all the
 *   same.
 * @throws NodeError deadline_exceeded
 */
export function assertTimeLeft(
  { clock }: Pick<GateOptions, "clock">,
  { signed }: ReadPayment,
  made?: ProducedAnswer,
): void {
  if (signed.valid_until_ms - clock.now() >= SETTLE_MARGIN_MS) return;
  const message = "The payment would have expired before it was settled. Nothing was charged: sign a new one.";
  const late = new NodeError("deadline_exceeded", message);
  throw made === undefined ? late : withOwed(late, made);
}
