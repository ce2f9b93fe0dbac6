import { cleanUp, startDemo, waitForPast } from "./demo-node.ts";

/**
 * Lives the past of a demo once, into the folder named, and stops it: tests that need a past take a copy of it, see
 * `startDemo`. Run by itself: `bun test/helpers/prepare-past.ts FOLDER`.
 */
const [, , data] = process.argv;
if (data === undefined) throw new Error("name a folder");
try {
  const node = await startDemo({ data, history: true });
  await waitForPast(node);
  process.exitCode = await node.stop();
} finally {
  // A node that goes on living would slow every test down.
  await cleanUp();
}
