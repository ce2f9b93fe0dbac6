import type { Static, TSchema } from "@sinclair/typebox";
import type { ProviderDefinition } from "../../catalog/provider.ts";
import type { RequestTarget } from "../../catalog/request.ts";
import { isUnusable, type Unusable } from "../../catalog/unusable.ts";
import {
  type Bar,
  type BarsContext,
  type BarsRequest,
  type BarWindow,
  fetchClosedBars,
  fetchPages,
  readPage,
} from "./bars.ts";

/** What is a venue's own in how it gives bars. */
export interface CandleRow<S extends TSchema> {
  /** Most bars of one call; null where one call gives all there are. */
  readonly page_bars: number | null;
  readonly ask: (request: BarsRequest, page: BarWindow) => Pick<RequestTarget, "path" | "body">;
  readonly schema: S;
  /** The bars of an answer, in any order. */
  readonly read: (answer: Static<S>, request: BarsRequest) => readonly Bar[] | Unusable;
}

type Figure = string | number;

/** Open, high, low, close and volume as a venue states them, as texts or as numbers. */
type Figures = readonly [open: Figure, high: Figure, low: Figure, close: Figure, volume: Figure];

export const toBar = (t_ms: number, [open, high, low, close, volume]: Figures): Bar => ({
  t_ms,
  open: Number(open),
  high: Number(high),
  low: Number(low),
  close: Number(close),
  volume: Number(volume),
});

/**
 * A venue's reader: it pages, and takes nothing but whole series of closed bars.
 * @throws UpstreamError when the venue cannot give exactly these bars.
 */
export const defineCandles =
  <S extends TSchema>(provider: ProviderDefinition, row: CandleRow<S>) =>
  (context: BarsContext, request: BarsRequest): Promise<Bar[]> => {
    const { page_bars, schema } = row;
    const fetchPage = (page: BarWindow): Promise<readonly Bar[]> =>
      context.get(provider, {
        ...row.ask(request, page),
        schema,
        ttl_ms: 0,
        read(answer) {
          const bars = row.read(answer, request);
          return isUnusable(bars) ? bars : readPage(bars, page.to_ms);
        },
      });
    const { interval, count } = request;
    return fetchClosedBars(context, provider, {
      interval,
      count,
      fetchWindow: (window) => (page_bars === null ? fetchPage(window) : fetchPages(window, page_bars, fetchPage)),
    });
  };
