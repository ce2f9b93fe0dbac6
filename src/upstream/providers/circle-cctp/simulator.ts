import { defineSimulator } from "../../../catalog/simulator.ts";
import { unknownPath } from "../simulated-market.ts";

const PATH = /^\/v2\/burn\/USDC\/fees\/(\d{1,2})\/(\d{1,2})$/;
const DOMAINS = ["0", "2", "3", "5", "6", "7"];
/** Polygon's blocks are final at once: there is no faster transfer. */
const FINAL_AT_ONCE = "7";

export const simulator = defineSimulator({
  provider: "circle_cctp",
  respond({ path }, world) {
    const [, from = "", to = ""] = PATH.exec(path) ?? [];
    if (from === "" || to === "") return unknownPath();
    if (!DOMAINS.includes(from) || !DOMAINS.includes(to) || from === to) {
      return { json: { code: 400, message: "Invalid domain" }, status: 400 };
    }
    const standard = { finalityThreshold: 2000, minimumFee: 0 };
    if (from === FINAL_AT_ONCE) return { json: [standard] };
    const minimumFee = Math.round(10 + 4 * world.noise(`cctp ${from} ${to}`)) / 10;
    return { json: [{ finalityThreshold: 1000, minimumFee }, standard] };
  },
});
