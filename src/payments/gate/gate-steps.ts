import type { AccessCall } from "../../calls/access.ts";
import { flattenSteps, inOrder } from "./step.ts";
import { joinStep } from "./steps/join.ts";
import { keepStep } from "./steps/keep.ts";
import { laneStep } from "./steps/lane.ts";
import { matchStep } from "./steps/match.ts";
import { mppChallengeStep } from "./steps/mpp-challenge.ts";
import { olderStep } from "./steps/older.ts";
import { openPaymentsStep } from "./steps/open-payments.ts";
import { readStep } from "./steps/read.ts";
import { recallStep } from "./steps/recall.ts";
import { recordStep } from "./steps/record.ts";
import { settleStep } from "./steps/settle.ts";
import { signatureStep } from "./steps/signature.ts";
import { slotStep } from "./steps/slot.ts";
import { takeInStep } from "./steps/take-in.ts";
import { workLeftStep } from "./steps/work-left.ts";

/** How a signed payment pays for a call. The order stands here and nowhere else. */
export const GATE_STEPS = inOrder<AccessCall>()(
  readStep,
  joinStep,
  recallStep,
  mppChallengeStep,
  matchStep,
  workLeftStep,
  signatureStep,
  olderStep,
  openPaymentsStep,
  laneStep,
  takeInStep,
  slotStep,
  keepStep,
  settleStep,
  recordStep,
);

/** The same with those that are taken inside of another one. */
export const ALL_GATE_STEPS = flattenSteps(GATE_STEPS);
