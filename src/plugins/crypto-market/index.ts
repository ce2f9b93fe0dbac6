import { definePlugin } from "intel-node";

export const plugin = definePlugin({ id: "crypto-market", title: "Crypto market" });
