import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DemoNode, newFolder, startDemo } from "../helpers/demo-node.ts";

/** A product that takes a body, which none of the built-in ones does. It calls nobody. */
const ECHO = `
import { Type } from "@sinclair/typebox";
import { definePlugin, defineProduct } from "intel-node";
const Params = Type.Object({
  text: Type.String({ minLength: 1, maxLength: 20, description: "a text" }),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 9, default: 1, description: "a number" })),
  loud: Type.Optional(Type.Boolean({ description: "a switch" })),
});
export default definePlugin({
  id: "echo",
  title: "Echo",
  products: [
    defineProduct({
      path: "/echo",
      aliases: ["/old-echo"],
      methods: ["POST", "GET"],
      title: "Echo",
      description: "Says what it was told.",
      category: "test",
      tags: ["test"],
      price_usd: "0.001",
      params: Params,
      data: Type.Object({ text: Type.String(), count: Type.Integer() }),
      example: { params: { text: "a" }, as_of: "2026-01-01T00:00:00Z", data: { text: "a", count: 1 } },
      providers: [],
      requires: [],
      ttl: "0s",
      deadline_ms: 2_000,
      preview: { every: "10m", delay: "10m" },
      fetch: async (context, { text, count = 1 }) => ({ text, count, at_ms: context.now_ms }),
      compute: ({ text, count, at_ms }) => ({ as_of_ms: at_ms, data: { text, count }, warnings: [] }),
    }),
  ],
});
`;

/** Starts a node that also sells /echo. */
export async function startEchoDemo(options: { readonly history?: boolean } = {}): Promise<DemoNode> {
  const plugins = newFolder();
  mkdirSync(join(plugins, "echo"));
  writeFileSync(join(plugins, "echo", "index.ts"), ECHO);
  return startDemo({ args: ["--plugins", plugins], ...options });
}
