import { defineSimulator } from "../../../catalog/simulator.ts";
import { unknownPath } from "../simulated-market.ts";

const QUARTER_MS = 900_000;
const QUARTERS = 96;
/** The newest interval is not told at once. */
const DELAY_MS = 2 * QUARTER_MS;

const stampOf = (at_ms: number): string => `${new Date(at_ms).toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`;

export const simulator = defineSimulator({
  provider: "gdelt",
  respond({ path, query }, world) {
    if (path !== "/doc") return unknownPath();
    const asked = query.get("query") ?? "";
    if (query.get("mode") === "artlist" && asked.length >= 3) {
      const count = asked.includes("zzzz") ? 0 : 5;
      const articles = Array.from({ length: count }, (_, index) => ({
        url: `https://press.example/${index + 1}`,
        title: `${asked} in the news, ${index + 1}`,
        seendate: stampOf(world.now() - (index + 1) * 4 * QUARTER_MS),
        domain: "press.example",
        language: "English",
        sourcecountry: "United States",
      }));
      return { json: { articles: count === 0 ? undefined : articles } };
    }
    // It answers what it cannot serve with 200 and a sentence.
    if (asked.length < 3 || query.get("mode") !== "timelinetone") return { text: "Your query was too short." };
    const last_ms = Math.floor((world.now() - DELAY_MS) / QUARTER_MS) * QUARTER_MS;
    const data = Array.from({ length: QUARTERS }, (_, index) => {
      const at_ms = last_ms - (QUARTERS - 1 - index) * QUARTER_MS;
      const noise = world.noise(`tone ${asked} ${at_ms}`);
      const wave = Math.sin(at_ms / (9 * 3_600_000) + world.noise(`tone ${asked}`) * 6.28);
      // Some intervals have no articles.
      const value = noise < 0.05 ? 0 : Number((wave * 1.5 + (noise - 0.5) * 2).toFixed(4));
      return { date: stampOf(at_ms), value };
    });
    const query_details = { title: asked, date_resolution: "15m" };
    return { json: { query_details, timeline: [{ series: "Average Tone", data }] } };
  },
});
