import { createStoryQueries, type StoryQueries } from "../stories.ts";
import { createChannelQueries } from "./channels.ts";
import { createCorrectionQueries } from "./corrections.ts";
import { createKeyQueries } from "./keys.ts";
import type { Reader } from "./reader.ts";
import { createRefundQueries } from "./refunds.ts";
import { createStatementQueries } from "./statements.ts";

/** What the books in a database know of what somebody complains about. @param reader one moment of the books. */
export const createPostgresStories = (reader: Reader): StoryQueries =>
  createStoryQueries({
    ask: (sql, values) => reader.all(sql, values),
    keys: createKeyQueries(reader),
    statements: createStatementQueries({ reader, inSnapshot: (work) => work(reader) }),
    channels: createChannelQueries(reader),
    refunds: createRefundQueries(reader),
    corrections: createCorrectionQueries(reader),
  });
