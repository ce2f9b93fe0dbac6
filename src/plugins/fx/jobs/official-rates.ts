import { addDays, defineJob } from "intel-node";
import { ecb } from "intel-node/providers/ecb/provider";
import { fetchReferenceRates } from "intel-node/providers/ecb/reference-rates";
import { table as officialRates } from "../tables/official-rates.ts";

const DAYS = 420;

/** The ECB's reference rate of the dollar, of a year and a bit; published at about 16:00 in Frankfurt. */
export const job = defineJob({
  id: "fx-official-rates",
  schedule: "10,40 14-17 * * 1-5",
  providers: [ecb],
  at_start: true,
  deadline_ms: 60_000,
  runs_kept: 1,
  async run(context) {
    const since = addDays(new Date(context.now_ms).toISOString().slice(0, 10), -DAYS);
    const rates = await fetchReferenceRates(context, { currencies: ["USD"], since, ttl_ms: 0 });
    await context.table(officialRates).put(
      (rates.get("USD") ?? []).map(({ date, rate }) => ({
        currency: "EUR",
        kind: "reference",
        date,
        rate: String(rate),
        is_usd_per_unit: true,
        source: "ECB reference rate",
        simulated: context.simulated === true,
      })),
    );
  },
});
