import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import type { ReferenceRate } from "../ecb/reference-rates.ts";
import { frankfurter } from "./provider.ts";

const TTL_MS = 1_800_000;
/** 29 currencies over two years of days. */
const ROWS_MAX = 20_000;

const Answer = Whole(
  "series",
  Type.Object({
    date: Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" }),
    base: Type.Literal("EUR"),
    quote: Type.String({ pattern: "^[A-Z]{3}$" }),
    rate: Type.Number({ exclusiveMinimum: 0 }),
  }),
  { minItems: 1, maxItems: ROWS_MAX },
);

/**
 * The ECB's reference rates against the euro since a day, oldest first, by currency: the copy for when the ECB is down.
 * Without `providers=ECB` a rate would be a blend of many central banks.
 * @throws UpstreamError
 */
export function fetchFrankfurterRates(
  context: Pick<FetchContext, "get">,
  { currencies, since }: { readonly currencies: readonly string[]; readonly since: string },
): Promise<ReadonlyMap<string, readonly ReferenceRate[]>> {
  return context.get(frankfurter, {
    path: `/rates?base=EUR&quotes=${currencies.join(",")}&from=${since}&providers=ECB`,
    schema: Answer,
    ttl_ms: TTL_MS,
    read(rows) {
      const rates = new Map<string, ReferenceRate[]>();
      for (const { date, quote, rate } of rows) rates.set(quote, [...(rates.get(quote) ?? []), { date, rate }]);
      for (const days of rates.values()) days.sort((a, b) => (a.date < b.date ? -1 : 1));
      const missing = currencies.filter((currency) => !rates.has(currency));
      return missing.length === 0 ? rates : unusable(`no rates of ${missing.join(", ")}`);
    },
  });
}
