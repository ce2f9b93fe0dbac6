import { definePlugin } from "intel-node";
import { settings } from "./shared/settings.ts";

export const plugin = definePlugin({ id: "ai", title: "AI, search and news", config: settings });
