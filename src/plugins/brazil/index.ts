import { definePlugin } from "intel-node";
import { config } from "./config.ts";

export const plugin = definePlugin({ id: "brazil", title: "Brazil", config });
