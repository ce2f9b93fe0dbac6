import { defineSimulator } from "../../../catalog/simulator.ts";
import { unknownPath } from "../simulated-market.ts";

const UPDATE_MS = 900_000;
const LABELS = ["Extreme fear", "Fear", "Neutral", "Greed", "Extreme greed"];

export const simulator = defineSimulator({
  provider: "coinmarketcap",
  respond({ path, headers }, world) {
    const timestamp = new Date(world.now()).toISOString();
    const status = { timestamp, error_code: 0, error_message: "", elapsed: 3, credit_count: 1 };
    if (!headers.get("x-cmc_pro_api_key")) {
      return { json: { status: { ...status, error_code: 1002, error_message: "API key missing." } }, status: 401 };
    }
    if (path !== "/v3/fear-and-greed/latest") return unknownPath();
    const updated_ms = Math.floor(world.now() / UPDATE_MS) * UPDATE_MS;
    const value = 20 + Math.floor(60 * world.noise(`cmc fear greed ${Math.floor(updated_ms / 86_400_000)}`));
    const data = {
      value,
      value_classification: LABELS[Math.min(4, Math.floor(value / 20))],
      update_time: new Date(updated_ms).toISOString(),
    };
    return { json: { data, status } };
  },
});
