import { defineSimulator } from "intel-node";

const WORDS = ["Exercise Normal Precautions", "Exercise Increased Caution", "Reconsider Travel", "Do Not Travel"];
const COUNTRIES = 190;
const WEEK_MS = 7 * 86_400_000;

/** Countries without names: their levels change on a few weeks of the year. */
export const simulator = defineSimulator({
  provider: "state_advisories",
  respond({ path }, world) {
    if (path !== "/api/TravelAdvisories") return { status: 404, json: { Message: "No HTTP resource was found" } };
    const week = Math.floor(world.now() / WEEK_MS);
    const rows = Array.from({ length: COUNTRIES }, (_, index) => {
      const usual = Math.floor(world.noise(`advisory ${index}`) * 4);
      const is_changed = world.noise(`advisory ${index} ${week}`) < 0.02;
      const level = Math.min(3, Math.max(0, usual + (is_changed ? 1 : 0)));
      const name = `Country ${index + 1}`;
      return {
        Title: `${name} - Level ${level + 1}: ${WORDS[level]}`,
        Link: `https://travel.state.gov/content/travel/en/traveladvisories/country-${index + 1}.html`,
        Category: ["XX"],
        Summary: "<p>Simulated.</p>",
        Published: "2026-01-02T00:00:00-05:00",
        Updated: "2026-01-02T00:00:00-05:00",
      };
    });
    return { json: rows };
  },
});
