import { definePlugin } from "intel-node";

export const plugin = definePlugin({ id: "trust-desk", title: "Trust desk" });
