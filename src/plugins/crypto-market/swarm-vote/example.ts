import type { Static } from "@sinclair/typebox";
import raw from "./example.json" with { type: "json" };
import type { SwarmVoteSchema } from "./schema.ts";

// test/contract checks every example against its schema: no start waits for it.
const data = raw as unknown as Static<typeof SwarmVoteSchema>;

export const example = { params: {}, as_of: "2026-10-01T00:00:00Z", data };
