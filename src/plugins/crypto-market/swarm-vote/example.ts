import { Value } from "@sinclair/typebox/value";
import raw from "./example.json" with { type: "json" };
import { SwarmVoteSchema } from "./schema.ts";

const data: unknown = raw;
if (!Value.Check(SwarmVoteSchema, data)) throw new TypeError("the example of /swarm-vote does not match its schema");

export const example = { params: {}, as_of: "2026-10-01T00:00:00Z", data };
