import { addDays, createCalendar, defineSimulator, findExchange, toInstant, toLocal } from "intel-node";
import { getSimulatedLevel } from "intel-node/providers/simulated-shares";

const exchange = findExchange("XTAI");
const calendar = exchange ? createCalendar(exchange) : null;
const CODES = ["2330", "2317", "2454", "0050", ...Array.from({ length: 26 }, (_, index) => String(1_101 + index))];
const LEVELS: Readonly<Record<string, number>> = { "2330": 1_450, "2317": 230, "2454": 1_300, "0050": 62 };
/** The day's file is there half an hour after the close. */
const PUBLISHED = "14:00";

/** The last session whose file is published. */
function lastSession(now_ms: number): string {
  let { date } = toLocal("Asia/Taipei", now_ms);
  while (!calendar?.isTradingDay(date) || toInstant("Asia/Taipei", date, PUBLISHED) > now_ms) date = addDays(date, -1);
  return date;
}

export const simulator = defineSimulator({
  provider: "twse",
  respond({ path }, world) {
    if (path !== "/v1/exchangeReport/STOCK_DAY_ALL") return { status: 404, text: "Not Found" };
    const date = lastSession(world.now());
    const before = calendar?.previousTradingDay(date) ?? date;
    const roc = `${Number(date.slice(0, 4)) - 1911}${date.slice(5, 7)}${date.slice(8)}`;
    const rows = CODES.map((code) => {
      const at = (day: string) =>
        getSimulatedLevel(world, `tw ${code}`, {
          level: LEVELS[code] ?? 40,
          at_ms: toInstant("Asia/Taipei", day, "13:30"),
        });
      const [close, previous] = [at(date), at(before)];
      const is_quiet = code === "1126";
      const text = (value: number) => (is_quiet ? "" : value.toFixed(2));
      return {
        Date: roc,
        Code: code,
        Name: `Company ${code}`,
        TradeVolume: is_quiet ? "0" : "31759188",
        TradeValue: "1",
        OpeningPrice: text(previous * 1.001),
        HighestPrice: text(Math.max(close, previous) * 1.004),
        LowestPrice: text(Math.min(close, previous) * 0.996),
        ClosingPrice: text(close),
        Change: is_quiet ? "" : (Number(close.toFixed(2)) - Number(previous.toFixed(2))).toFixed(4),
        Transaction: "10234",
      };
    });
    return { json: rows };
  },
});
