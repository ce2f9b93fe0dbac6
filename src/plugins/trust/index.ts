import { definePlugin } from "../../catalog/plugin.ts";

export const plugin = definePlugin({ id: "trust", title: "Trust" });
