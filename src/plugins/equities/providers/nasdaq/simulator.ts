import { defineSimulator, toLocal } from "intel-node";
import { getSimulatedShare } from "intel-node/providers/simulated-shares";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const FUNDS = ["SPY", "QQQ"];

/** Texts as the exchange's site shows them; funds are of another class. */
export const simulator = defineSimulator({
  provider: "nasdaq",
  respond({ path, query }, world) {
    const [, symbol = ""] = /^\/quote\/([^/]+)\/info$/.exec(path) ?? [];
    const is_fund = FUNDS.includes(symbol);
    if (symbol.startsWith("ZZZZ") || is_fund !== (query.get("assetclass") === "etf")) {
      return { json: { data: null, message: null, status: { rCode: 400, bCodeMessage: [{ code: 1001 }] } } };
    }
    const at_ms = world.now() - 60_000;
    const at = (ms: number) => getSimulatedShare(world, symbol, { at_ms: ms });
    const [price, before] = [at(at_ms), at(at_ms - 86_400_000)];
    const { date, time } = toLocal("America/New_York", at_ms);
    const [year = "", month = "", day = ""] = date.split("-");
    const [hour = 0, minute = 0] = time.split(":").map(Number);
    const half = hour < 12 ? "AM" : "PM";
    const clock = `${hour % 12 === 0 ? 12 : hour % 12}:${String(minute).padStart(2, "0")} ${half} ET`;
    const primaryData = {
      lastSalePrice: `$${price.toFixed(2)}`,
      netChange: (price - before).toFixed(2),
      percentageChange: `${((price / before - 1) * 100).toFixed(2)}%`,
      lastTradeTimestamp: `${MONTHS[Number(month) - 1]} ${Number(day)}, ${year} ${clock}`,
      ...{ isRealTime: true, bidPrice: "N/A", askPrice: "N/A", volume: "31,759,188" },
    };
    return { json: { data: { symbol, companyName: `${symbol} Common Stock`, primaryData }, status: { rCode: 200 } } };
  },
});
