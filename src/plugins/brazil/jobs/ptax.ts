import { addDays, defineJob, toLocal } from "intel-node";
import { ZONE } from "../b3/stored-days.ts";
import { ptax } from "../documents/stored.ts";
import { fetchPTAX } from "../providers/bcb-olinda/fetch-ptax.ts";
import { bcbOlinda } from "../providers/bcb-olinda/provider.ts";
import { table as officialRates } from "../tables/official-rates.ts";

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
    let rows: Awaited<ReturnType<typeof fetchPTAX>> = [];
    // The sources read within are those named for the stored rates.
    await ptax.refresh(context, async () => {
      rows = await fetchPTAX(context, { from: addDays(to, -DAYS), to });
      return rows.map(([date, buy, sell]): [string, number, number] => [date, buy, sell]);
    });
    await context.table(officialRates).put(
      rows.flatMap(([date, buy, sell]) =>
        Object.entries({ buy, sell }).map(([kind, rate]) => ({
          currency: "BRL",
          kind,
          date,
          rate: String(rate),
          is_usd_per_unit: false,
          source: `PTAX, ${kind}, Banco Central do Brasil`,
          simulated: context.simulated === true,
        })),
      ),
    );
  },
});
