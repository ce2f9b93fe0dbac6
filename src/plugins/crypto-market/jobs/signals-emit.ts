import { defineJob } from "intel-node";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import { FUNDING_PROVIDERS } from "intel-node/providers/funding-venues";
import { emitSignals } from "../signals/emit.ts";

/**
 * Evaluates the model two minutes after each four-hour close. The later runs do nothing unless the first one found no
 * bars; half an hour after the close it is too late.
 */
export const job = defineJob({
  id: "signals-emit",
  schedule: "2,12,22 */4 * * *",
  providers: [...new Set([...CANDLE_VENUES.map(({ provider }) => provider), ...FUNDING_PROVIDERS])],
  at_start: true,
  deadline_ms: 60_000,
  writes_records: true,
  sandbox_days: 60,
  run: emitSignals,
});
