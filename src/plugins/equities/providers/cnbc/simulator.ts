import { defineSimulator, toLocal } from "intel-node";
import { getSimulatedLevel, getSimulatedShare, isSimulatedShare } from "intel-node/providers/simulated-shares";
import { MARKETS } from "../../shared/markets.ts";

/** One symbol at a time comes as an object; London quotes in pence. */
export const simulator = defineSimulator({
  provider: "cnbc",
  respond({ path, query }, world) {
    const symbol = query.get("symbols") ?? "";
    if (path !== "/quote-html-webservice/restQuote/symbolType/symbol") return { status: 404, text: "Not Found" };
    const market = MARKETS.find(({ cnbc }) => cnbc !== null && symbol.endsWith(cnbc));
    if (symbol.startsWith("ZZZZ") || (!market && !isSimulatedShare(symbol))) {
      return { json: { FormattedQuoteResult: { FormattedQuote: { symbol, code: 1 } } } };
    }
    const currencyCode = market?.code === "LSE" ? "GBp" : (market?.currency ?? "USD");
    const level = currencyCode === "GBp" ? 7_345 : 120;
    const at = (at_ms: number) =>
      market
        ? getSimulatedLevel(world, `cnbc ${symbol}`, { level, at_ms })
        : getSimulatedShare(world, symbol, { at_ms });
    const [now, before] = [at(world.now()), at(world.now() - 86_400_000)];
    const { date, time } = toLocal("America/New_York", world.now() - 60_000);
    const text = (value: number) =>
      value.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    const offset = Math.round((Date.parse(`${date}T${time.slice(0, 5)}:00Z`) - world.now()) / 3_600_000);
    const FormattedQuote = {
      ...{ symbol, code: 0, name: `${symbol} Inc`, currencyCode, curmktstatus: "REG_MKT", exchange: "X" },
      ...{ last: text(now), open: text(before), high: text(now * 1.01), low: text(now * 0.99) },
      ...{ previous_day_closing: text(before), change: text(now - before), volume: "1,000,000" },
      last_time: `${date}T${time.slice(0, 5)}:00.000-0${-offset}00`,
    };
    return { json: { FormattedQuoteResult: { FormattedQuote } } };
  },
});
