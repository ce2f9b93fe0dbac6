import { addDays, defineSimulator, toDate } from "intel-node";
import { estimateCpiRelease, estimateJobsRelease } from "../../releases/release-rules.ts";

const MONTHS = 24;

/** Two years of releases by the rules they follow. */
export const simulator = defineSimulator({
  provider: "bls",
  respond({ path }, world) {
    if (path !== "/schedule/news_release/bls.ics") return { status: 404, text: "Not Found" };
    const year = new Date(world.now()).getUTCFullYear();
    const blocks = Array.from({ length: MONTHS }, (_, index) => {
      const first = toDate(year, index + 1, 1);
      const [y, m] = [Number(first.slice(0, 4)), Number(first.slice(5, 7))];
      const cpi = estimateCpiRelease(y, m);
      return [
        ["Employment Situation", estimateJobsRelease(y, m), "083000"],
        ["Consumer Price Index", cpi, "083000"],
        ["Producer Price Index", addDays(cpi, 1), "083000"],
        ["Job Openings and Labor Turnover Survey", addDays(first, 6), "100000"],
        ["Real Earnings", cpi, "083000"],
      ];
    }).flat();
    const events = blocks.map(
      ([title, date = "", time]) =>
        `BEGIN:VEVENT\r\nDTSTART;TZID=US-Eastern:${date.replaceAll("-", "")}T${time}\r\n` +
        `SUMMARY:${title}\r\nEND:VEVENT\r\n`,
    );
    return { text: `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events.join("")}END:VCALENDAR\r\n` };
  },
});
