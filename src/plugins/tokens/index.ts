import { definePlugin } from "../../catalog/plugin.ts";

export const plugin = definePlugin({ id: "tokens", title: "Tokens and flows" });
