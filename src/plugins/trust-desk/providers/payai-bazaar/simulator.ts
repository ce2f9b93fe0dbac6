import { defineSimulator } from "intel-node";
import { answerBazaar } from "../../bazaar/simulated-bazaar.ts";

export const simulator = defineSimulator({
  provider: "payai_bazaar",
  respond: (request, world) => answerBazaar(request, world, "payai_bazaar"),
});
