import { definePlugin } from "intel-node";
import { config, type MacroConfig } from "./config.ts";
import { listDecisionTables } from "./releases/decisions.ts";

export const plugin = definePlugin({
  id: "macro",
  title: "Macro",
  config,
  dated: ({ decision_dates }: MacroConfig) => listDecisionTables(decision_dates),
});
