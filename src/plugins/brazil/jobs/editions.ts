import { defineJob, type Outcome, outcomeOf } from "intel-node";
import { editions as brief } from "../br-brief/product.ts";
import { editions as marketBrief } from "../job-br-market-brief/product.ts";
import { editions as report } from "../relatorio/product.ts";
import { BRAZIL_ASKS } from "../written/parts.ts";

/**
 * Makes what Brazil reads before the opening and after the close: /relatorio at 08:15 and 19:45 in São Paulo,
 * /job/br-market-brief five minutes later, /br-brief at 08:30 and 20:00. One that cannot be made is tried again every
 * five minutes for three hours, and keeps no other from being made.
 */
export const job = defineJob({
  id: "brazil-editions",
  schedule: "*/5 10-14,21-23,0-2 * * *",
  providers: [],
  asks: { ...BRAZIL_ASKS, "/market-brief": "optional" },
  serves: ["/br-brief", "/job/br-market-brief", "/relatorio"],
  at_start: false,
  deadline_ms: 280_000,
  // Of a day: only the newest of each is sold, and what it is made of is itself made at its last marks alone.
  runs_kept: 132,
  async run(context) {
    const outcomes: Outcome<boolean>[] = [];
    for (const editions of [report, marketBrief, brief]) outcomes.push(await outcomeOf(editions.makeDue(context)));
    const failed = outcomes.find((outcome) => !outcome.ok);
    if (failed && !failed.ok) throw failed.error;
  },
});
