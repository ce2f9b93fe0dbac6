import { definePlugin } from "intel-node";

export const plugin = definePlugin({ id: "tokens", title: "Tokens and flows" });
