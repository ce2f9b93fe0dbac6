import { defineJob } from "intel-node";
import { storeAdverse } from "../screens/adverse.ts";

/** Keeps adverse findings of sources over a restart. */
export const job = defineJob({
  id: "trust-adverse",
  schedule: "* * * * *",
  providers: [],
  at_start: false,
  deadline_ms: 30_000,
  runs_kept: 3,
  run: storeAdverse,
});
