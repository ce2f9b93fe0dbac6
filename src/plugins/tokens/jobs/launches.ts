import { defineJob } from "intel-node";
import { FACT_PROVIDERS } from "../facts/profile.ts";
import { assessLaunches } from "../launches/assess-launches.ts";
import { watchLaunches } from "../launches/watch.ts";
import { pumpFun } from "../providers/pump-fun/provider.ts";
import { pumpportal } from "../providers/pumpportal/provider.ts";

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
