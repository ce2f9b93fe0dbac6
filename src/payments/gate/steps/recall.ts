import { readBuyerNames } from "../buyer-names.ts";
import { isInFlight } from "../elsewhere.ts";
import type { FlightCall, PaymentCall } from "../payment-call.ts";
import { showTo } from "../recall.ts";
import { recallRow } from "../recall-row.ts";
import type { AroundStep } from "../step.ts";
import { awaitRow } from "../wake.ts";
import { joinFlight } from "./join.ts";

export const recallStep: AroundStep<PaymentCall, FlightCall> = {
  id: "recall",
  does: "recall a payment that is in the books already; for any other one the work begins, and its copies join it",
  ends: "the stored answer, 402, 409 or 503",
  async around(gate, context, next) {
    const { flights, ledger } = gate;
    const { call, read } = context;
    const { signed, incoming } = read;
    const { payload_hash, replay_key, payer } = signed;
    const { fingerprint, headers } = call;
    const names = readBuyerNames(headers, incoming, payer);
    const found = await ledger.payments.find(replay_key);
    // Reading took a moment, and another copy may have started in it: its row is not one that was left behind.
    const met = joinFlight(flights, context);
    if (met) return met;
    const row = found && found.payload_hash === payload_hash ? await awaitRow(gate, found) : found;
    if (row) {
      const is_copy = found !== null && isInFlight(found);
      const kept = recallRow(gate, context, { row, names, is_copy });
      if (kept) return kept;
    }
    // Resolving may have taken a moment, and another copy may have started in it.
    const joined = joinFlight(flights, context);
    if (joined) return joined;
    const may_repeat = headers.get("x-allow-duplicate") === "true";
    const details = { replay_key, payload_hash, payer, fingerprint, names, may_repeat };
    return showTo(await flights.start(details, (flight) => next({ read, call, flight })).answer, true);
  },
};
