import { definePlugin } from "intel-node";
import { config } from "./config.ts";

export const plugin = definePlugin({ id: "fx", title: "Currencies", config });
