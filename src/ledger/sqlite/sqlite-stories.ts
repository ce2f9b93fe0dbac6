import type { Database } from "bun:sqlite";
import { promised } from "../promised.ts";
import { createStoryQueries, type StoryQueries, toSqlite } from "../stories.ts";
import { createChannelQueries } from "./channel-queries.ts";
import { createCorrectionQueries } from "./corrections.ts";
import { createKeyQueries } from "./keys.ts";
import { createRefundQueries } from "./refunds.ts";
import { createStatementQueries } from "./statements.ts";

/** What the books in an open SQLite file know of what somebody complains about. Reads only. */
export const createSqliteStories = (db: Database): StoryQueries =>
  createStoryQueries({
    ask: async <T>(sql: string, values: readonly (string | number)[]) =>
      db.query<T, (string | number)[]>(toSqlite(sql)).all(...values),
    keys: promised(createKeyQueries(db)),
    statements: promised(createStatementQueries(db)),
    channels: promised(createChannelQueries(db)),
    refunds: promised(createRefundQueries(db)),
    corrections: promised(createCorrectionQueries(db)),
  });
