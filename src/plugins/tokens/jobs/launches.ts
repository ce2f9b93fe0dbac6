import { defineJob } from "intel-node";
import { pumpFun } from "../providers/pump-fun/provider.ts";
import { pumpportal } from "../providers/pumpportal/provider.ts";
import { FACT_PROVIDERS } from "../shared/facts/profile.ts";
import { assessLaunches } from "../shared/launches/assess-launches.ts";
import { watchLaunches } from "../shared/launches/watch.ts";

/** Watches the launchpad and judges what was launched; no buyer waits for either. */
export const job = defineJob({
  id: "launches",
  schedule: "* * * * *",
  providers: [pumpportal, ...FACT_PROVIDERS.filter(({ id }) => id !== pumpFun.id), pumpFun],
  at_start: true,
  deadline_ms: 55_000,
  runs_kept: 3,
  async run(context) {
    await watchLaunches(context);
    await assessLaunches(context);
  },
});
