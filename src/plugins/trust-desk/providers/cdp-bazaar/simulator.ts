import { defineSimulator } from "intel-node";
import { answerBazaar } from "../../bazaar/simulated-bazaar.ts";

export const simulator = defineSimulator({
  provider: "cdp_bazaar",
  respond: (request, world) => answerBazaar(request, world, "cdp_bazaar"),
});
