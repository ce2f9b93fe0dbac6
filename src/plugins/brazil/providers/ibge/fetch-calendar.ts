import { Type } from "@sinclair/typebox";
import { type FetchContext, type ISODate, Rows, toInstant, type Unusable, unusable } from "intel-node";
import { ibge } from "./provider.ts";

export interface StatisticsRelease {
  readonly at_ms: number;
  readonly title: string;
  readonly url: string | null;
}

const Answer = Type.Object({
  items: Rows(
    Type.Object({
      titulo: Type.String({ minLength: 1 }),
      data_divulgacao: Type.String({ pattern: "^\\d{2}/\\d{2}/\\d{4} \\d{2}:\\d{2}:\\d{2}$" }),
      link: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
  ),
});
const ZONE = "America/Sao_Paulo";
const TITLE_MAX = 160;

const readTime = (text: string): number => {
  const [date = "", time = ""] = text.split(" ");
  return toInstant(ZONE, date.split("/").reverse().join("-"), time.slice(0, 5));
};
const monthFirst = (date: ISODate): string => `${date.slice(5)}-${date.slice(0, 4)}`;
const dayFirst = (date: ISODate): string => date.split("-").reverse().join("-");

/**
 * Releases of a stretch of days, in order of time. Which of month and day comes first in the request is documented
 * nowhere: an answer from outside the stretch means the other one.
 * @throws UpstreamError
 */
export async function fetchCalendar(
  context: Pick<FetchContext, "get">,
  { from, to }: { readonly from: ISODate; readonly to: ISODate },
): Promise<readonly StatisticsRelease[]> {
  const [from_ms, to_ms] = [toInstant(ZONE, from, "00:00"), toInstant(ZONE, to, "23:59") + 60_000];
  const ask = (write: (date: ISODate) => string) =>
    context.get(ibge, {
      path: `/api/v3/calendario/?de=${write(from)}&ate=${write(to)}&qtd=100&page=1&tipo=1`,
      schema: Answer,
      ttl_ms: 0,
      read({ items }, _, eachRow) {
        const releases = eachRow(items, ({ titulo, data_divulgacao, link }): StatisticsRelease | Unusable => {
          const at_ms = readTime(data_divulgacao);
          const title = titulo.trim().slice(0, TITLE_MAX);
          if (Number.isNaN(at_ms)) return unusable("a time cannot be read");
          return { at_ms, title, url: link?.startsWith("https://") ? link : null };
        });
        return releases.sort((a, b) => a.at_ms - b.at_ms);
      },
    });
  const isInside = ({ at_ms }: StatisticsRelease): boolean => at_ms >= from_ms && at_ms < to_ms;
  const first = await ask(monthFirst);
  const releases = first.every(isInside) ? first : await ask(dayFirst);
  return releases.filter(isInside);
}
