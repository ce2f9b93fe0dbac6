import { addDays, defineSimulator } from "intel-node";
import { FOMC_DATES } from "../../releases/event-dates.ts";

const row = (title: string, date: string, time: string) => ({
  title,
  time,
  month: date.slice(0, 7),
  days: String(Number(date.slice(8))),
  type: "FOMC",
  location: "",
  description: "",
  link: "",
});

/** Meetings, press conferences, minutes three weeks later and the Beige Book two weeks before; one row of speeches. */
export const simulator = defineSimulator({
  provider: "fed",
  respond({ path }) {
    if (path !== "/json/calendar.json") return { status: 404, text: "<html><body>Page not found</body></html>" };
    const events = FOMC_DATES.filter((date) => date >= "2025").flatMap((date) => [
      row("FOMC Meeting", date, "2:00 p.m."),
      row("FOMC Press Conference", date, "2:30 p.m."),
      row("FOMC Minutes", addDays(date, 21), "2:00 p.m."),
      row("Beige Book", addDays(date, -14), "2:00 p.m."),
    ]);
    const data = { title: "G.17 Industrial Production", month: "2026-10", days: "1, 8, 15", time: "", type: "Data" };
    // The file begins with a byte order mark, and its last event is empty.
    return { text: `\uFEFF${JSON.stringify({ events: [...events, data, {}] })}` };
  },
});
