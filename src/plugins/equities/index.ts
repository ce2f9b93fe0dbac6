import { definePlugin } from "intel-node";

export const plugin = definePlugin({ id: "equities", title: "Equities" });
