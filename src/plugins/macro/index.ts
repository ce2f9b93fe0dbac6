import { definePlugin } from "intel-node";

export const plugin = definePlugin({ id: "macro", title: "Macro" });
