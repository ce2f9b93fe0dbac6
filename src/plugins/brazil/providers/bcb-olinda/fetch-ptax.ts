import { Type } from "@sinclair/typebox";
import { type FetchContext, type ISODate, unusable, Whole } from "intel-node";
import { bcbOlinda } from "./provider.ts";

/** BRL for one US dollar, closing PTAX of a day. */
export type PTAXRow = readonly [date: ISODate, buy: number, sell: number];

const Rate = Type.Number({ minimum: 0.8, maximum: 25 });
const Answer = Type.Object({
  value: Whole(
    "series",
    Type.Object({
      cotacaoCompra: Rate,
      cotacaoVenda: Rate,
      dataHoraCotacao: Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2} " }),
    }),
    { minItems: 1 },
  ),
});

const toAmerican = (date: ISODate): string => `${date.slice(5)}-${date.slice(0, 4)}`;

/**
 * Closing PTAX of a stretch of days, oldest first. Days without one, such as holidays, are not in it.
 * @throws UpstreamError, for a stretch without any too.
 */
export function fetchPTAX(
  context: Pick<FetchContext, "get">,
  { from, to }: { readonly from: ISODate; readonly to: ISODate },
): Promise<readonly PTAXRow[]> {
  const dates = `@dataInicial='${toAmerican(from)}'&@dataFinalCotacao='${toAmerican(to)}'`;
  return context.get(bcbOlinda, {
    path:
      "/olinda/servico/PTAX/versao/v1/odata/CotacaoDolarPeriodo(dataInicial=@dataInicial,dataFinalCotacao=" +
      `@dataFinalCotacao)?${dates}&$top=2000&$format=json`,
    schema: Answer,
    ttl_ms: 0,
    read({ value }) {
      // The last of a day is its closing rate.
      const days = new Map<ISODate, PTAXRow>();
      for (const { cotacaoCompra, cotacaoVenda, dataHoraCotacao } of value.toSorted((a, b) =>
        a.dataHoraCotacao < b.dataHoraCotacao ? -1 : 1,
      )) {
        if (cotacaoVenda < cotacaoCompra) return unusable(`on ${dataHoraCotacao} it sells below what it buys at`);
        const date = dataHoraCotacao.slice(0, 10);
        if (date < from || date > to) return unusable(`it holds a rate of ${date}`);
        days.set(date, [date, cotacaoCompra, cotacaoVenda]);
      }
      return [...days.values()];
    },
  });
}
