import { addDays, defineJob, toLocal } from "intel-node";
import { fetchPTAX } from "../providers/bcb-olinda/fetch-ptax.ts";
import { bcbOlinda } from "../providers/bcb-olinda/provider.ts";
import { ZONE } from "../shared/b3/stored-days.ts";
import { ptax } from "../shared/stored.ts";

const DAYS = 420;

/** The closing PTAX of a year and a bit; published shortly after 13:00 local. */
export const job = defineJob({
  id: "brazil-ptax",
  schedule: "*/10 16,17 * * 1-5",
  providers: [bcbOlinda],
  at_start: true,
  deadline_ms: 60_000,
  runs_kept: 1,
  async run(context) {
    const { date: to } = toLocal(ZONE, context.now_ms);
    await ptax.refresh(context, async () =>
      (await fetchPTAX(context, { from: addDays(to, -DAYS), to })).map(
        ([date, buy, sell]): [string, number, number] => [date, buy, sell],
      ),
    );
  },
});
