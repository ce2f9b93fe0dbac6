import { definePlugin } from "intel-node";
import { config } from "./config.ts";

export const plugin = definePlugin({ id: "tokens", title: "Tokens and flows", config });
