import type { Static } from "@sinclair/typebox";
import type { SwarmVoteSchema } from "./schema.ts";
import raw from "./vector.json" with { type: "json" };

// test/contract checks every example against its schema: no start waits for it.
const data = raw as unknown as Static<typeof SwarmVoteSchema>;

export const vector = { params: {}, as_of: "2026-10-01T00:00:00Z", data };
