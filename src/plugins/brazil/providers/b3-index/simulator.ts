import { defineSimulator } from "intel-node";
import { indexLevelOf, SHARES } from "../../simulated/simulated-b3.ts";
import { isPublished, isTradingDay } from "../../simulated/simulated-days.ts";
import { b3Index } from "./provider.ts";

const MONTHS = Array.from({ length: 12 }, (_, index) => index + 1);

export const simulator = defineSimulator({
  provider: b3Index.id,
  respond({ path }, world) {
    const [, kind, encoded = ""] =
      /^\/(indexProxy|indexStatisticsProxy)\/[iI]ndexCall\/GetPortfolioDay\/(.+)$/.exec(path) ?? [];
    if (kind === undefined) return { status: 404, text: "" };
    const asked: { year?: string } = JSON.parse(atob(decodeURIComponent(encoded)));
    if (kind === "indexProxy") {
      const members = Object.entries(SHARES).filter(([, { weight }]) => weight > 0);
      const sum = members.reduce((total, [, { weight }]) => total + weight, 0);
      const results = members.map(([cod, { weight }]) => ({
        segment: "Simulated",
        cod,
        asset: cod.slice(0, 4),
        type: "ON",
        part: ((100 * weight) / sum).toFixed(3),
        partAcum: null,
        theoricalQty: "1,000,000",
      }));
      return {
        json: { page: { totalRecords: results.length }, header: { date: "01/02/26", reductor: "1.0" }, results },
      };
    }
    const year = Number(asked.year);
    const results = Array.from({ length: 31 }, (_, index) => {
      const cells = MONTHS.map((month) => {
        const date = `${year}-${String(month).padStart(2, "0")}-${String(index + 1).padStart(2, "0")}`;
        const is_day = !Number.isNaN(Date.parse(date)) && new Date(date).getUTCDate() === index + 1;
        const is_there = is_day && isTradingDay(date) && isPublished(world, date, "18:30");
        const points = is_there
          ? indexLevelOf(world, date).toLocaleString("en-US", { minimumFractionDigits: 2 })
          : null;
        return [`rateValue${month}`, points];
      });
      return { day: index + 1, ...Object.fromEntries(cells) };
    });
    return { json: { results } };
  },
});
