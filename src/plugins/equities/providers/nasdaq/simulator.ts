import { defineSimulator, toLocal } from "intel-node";
import { getSimulatedShare } from "intel-node/providers/simulated-shares";
import { getSimulatedUSDay, NEW_YORK } from "../../markets/simulated-day.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const FUNDS = ["SPY", "QQQ"];
const STATUS: Readonly<Record<string, string>> = { open: "Open", pre: "Pre-Market", post: "After-Hours" };

/** "Sep 2, 2026 3:10 PM ET" */
function renderTradeTime(at_ms: number): string {
  const { date, time } = toLocal(NEW_YORK.zone, at_ms);
  const [year = "", month = "", day = ""] = date.split("-");
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  const half = hour < 12 ? "AM" : "PM";
  const clock = `${hour % 12 === 0 ? 12 : hour % 12}:${String(minute).padStart(2, "0")} ${half} ET`;
  return `${MONTHS[Number(month) - 1]} ${Number(day)}, ${year} ${clock}`;
}

const renderChange = (change: number): string => `${change < 0 ? "" : "+"}${change.toFixed(2)}`;

/**
 * Texts as the exchange's site shows them; funds are of another class. Before the open and after the close the first
 * print is of those hours, and the close is beside it.
 */
export const simulator = defineSimulator({
  provider: "nasdaq",
  respond({ path, query }, world) {
    const [, symbol = ""] = /^\/quote\/([^/]+)\/info$/.exec(path) ?? [];
    const is_fund = FUNDS.includes(symbol);
    if (symbol.startsWith("ZZZZ") || is_fund !== (query.get("assetclass") === "etf")) {
      return { json: { data: null, message: null, status: { rCode: 400, bCodeMessage: [{ code: 1001 }] } } };
    }
    const { status } = NEW_YORK.stateAt(world.now());
    const is_extended = status === "pre" || status === "post";
    const day = getSimulatedUSDay(world, symbol);
    const render = (price: number, before: number, at_ms: number) => ({
      lastSalePrice: `$${price.toFixed(2)}`,
      netChange: renderChange(price - before),
      percentageChange: `${((price / before - 1) * 100).toFixed(2)}%`,
      lastTradeTimestamp: renderTradeTime(at_ms),
      isRealTime: status !== "closed",
      bidPrice: "N/A",
      askPrice: "N/A",
      volume: status === "pre" ? "2,082" : "31,759,188",
    });
    const regular = render(day.last, day.prev_close, day.last_ms);
    const primaryData = is_extended ? render(getSimulatedShare(world, symbol), day.last, world.now()) : regular;
    const closed_at = `Closed at ${regular.lastTradeTimestamp}`;
    const secondaryData = is_extended ? { ...regular, lastTradeTimestamp: closed_at, volume: "" } : null;
    const data = { symbol, companyName: `${symbol} Common Stock`, primaryData, secondaryData };
    return { json: { data: { ...data, marketStatus: STATUS[status] ?? "Closed" }, status: { rCode: 200 } } };
  },
});
