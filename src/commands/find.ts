import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FindAnswer, StoryAnswer } from "../admin/answers.ts";
import { readStoryWord, renderAsked, renderStories, type StoryContext } from "../admin/render-stories.ts";
import { systemClock } from "../core/clock.ts";
import { parseDuration } from "../core/duration.ts";
import { messageOf } from "../core/errors.ts";
import { escapeInvisible } from "../core/foreign-text.ts";
import { networkById } from "../payments/networks/table.ts";
import { type InputsReader, openInputsReader } from "../stores/inputs-db.ts";
import { renderLine } from "./admin.ts";
import { findStoriesAt } from "./ask-ledger.ts";
import { askOperation, reachNode } from "./ask-node.ts";
import { type DataFolderOptions, findLedger } from "./data-folder.ts";
import { EXIT } from "./exit-codes.ts";
import { loadConfigFile } from "./load-config-file.ts";
import { print, printError } from "./print.ts";

export interface FindCommandOptions extends DataFolderOptions {
  /** Address of the running node, which looks up the id of a request. */
  readonly url: string | undefined;
  readonly json: boolean;
}

const REPLAY_WINDOW = "24h";
const REQUEST_ID = /^req_/;

/**
 * Prints everything known about a buyer's complaint; works whether or not the node runs. Only the id of a request needs
 * the running node, because it is in the log and not in the books.
 */
export async function findCommand(given: string, options: FindCommandOptions): Promise<number> {
  const found = await findLedger(options);
  if ("faults" in found) {
    printError(found.faults);
    return EXIT.config;
  }
  try {
    const word = readStoryWord(given);
    const answer = REQUEST_ID.test(word.word)
      ? ((await askOperation(await reachNode(options), "find", { word: word.word })) as unknown as FindAnswer)
      : await withContext(options, found.directory, async (context) =>
          renderStories(word, await findStoriesAt(found, word), context),
        );
    print(options.json ? JSON.stringify(answer) : renderFound(answer));
    return answer.stories.length + answer.log.length === 0 ? EXIT.failed : EXIT.ok;
  } catch (error) {
    printError(messageOf(error));
    return EXIT.failed;
  }
}

/** The facts outside of the books: the data folder holds the parameters of answers. */
async function withContext<T>(
  options: FindCommandOptions,
  directory: string,
  work: (context: StoryContext) => Promise<T>,
): Promise<T> {
  const files = ["inputs.db", "inputs-sandbox.db"].map((name) => join(directory, name)).filter(existsSync);
  const readers = files.flatMap(openKept);
  try {
    return await work({
      now_ms: systemClock.now(),
      replay_window_ms: parseDuration(await readReplayWindow(options.config)),
      askedOf(sha256) {
        const kept = readers.map((reader) => reader.getText(sha256)).find((text) => text !== null);
        return kept ? renderAsked(kept.recipe) : null;
      },
      explorerUrl: (network, transaction) => networkById(network)?.explorerUrl(transaction) ?? null,
    });
  } finally {
    for (const reader of readers) reader.close();
  }
}

/** Reads that file. If it cannot be read, only the parameters are missing; the books have the rest. */
function openKept(file: string): readonly InputsReader[] {
  try {
    return [openInputsReader(file)];
  } catch (error) {
    printError(`${file} cannot be read: ${messageOf(error)}`);
    return [];
  }
}

/** A value from the configuration, if a readable one exists. */
async function readReplayWindow(file: string): Promise<string> {
  if (!existsSync(file)) return REPLAY_WINDOW;
  const loaded = await loadConfigFile(file);
  return "faults" in loaded ? REPLAY_WINDOW : loaded.config.payments.replay_window;
}

function renderFound({ word, stories, has_more, log }: FindAnswer): string {
  if (stories.length + log.length === 0) {
    return `nothing is known of ${escapeInvisible(word)}: no transaction, payer, receipt, payment, call, key or label`;
  }
  return [
    ...stories.map(renderStory),
    ...(log.length === 0 ? [] : [["in the log", ...log.map((line) => `  ${renderLine(line)}`)].join("\n")]),
    ...(has_more ? ["There is more than is shown: ask for one of them by its id."] : []),
  ].join("\n\n");
}

const NAME_WIDTH = 20;

function renderStory({ kind, id, verdict, facts, lists }: StoryAnswer): string {
  const lines = Object.entries(facts)
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => `  ${name.replaceAll("_", " ").padEnd(NAME_WIDTH)} ${escapeInvisible(String(value))}`);
  const parts = Object.entries(lists)
    .filter(([, rows]) => rows.length > 0)
    .flatMap(([name, rows]) => [`  ${name.replaceAll("_", " ")}`, ...rows.map((row) => `    ${renderLine(row)}`)]);
  return [`${kind} ${escapeInvisible(id)}`, `  ${escapeInvisible(verdict)}`, ...lines, ...parts].join("\n");
}
