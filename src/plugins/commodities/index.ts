import { definePlugin } from "intel-node";

export const plugin = definePlugin({ id: "commodities", title: "Commodities" });
