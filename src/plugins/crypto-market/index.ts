import { definePlugin } from "../../catalog/plugin.ts";

export const plugin = definePlugin({ id: "crypto-market", title: "Crypto market" });
