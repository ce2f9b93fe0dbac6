import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { listCommands } from "../src/commands/command-table.ts";
import { EXIT } from "../src/commands/exit-codes.ts";
import { ERRORS } from "../src/core/errors.ts";
import { listBroken } from "./helpers/document-links.ts";
import { readSource } from "./helpers/source-files.ts";

const PAGES = readdirSync("docs/operator").map((name) => `docs/operator/${name}`);
const FIGURES = readdirSync("docs/performance").map((name) => `docs/performance/${name}`);
/** What was measured once and is kept for who wonders why: nobody has to read it. */
const UNREAD = ["docs/performance/history.md"];

test("every error code is documented with an anchor", () => {
  const text = readSource("docs/errors.md");
  expect(Object.keys(ERRORS).filter((code) => !text.includes(`<a id="${code}"></a>`))).toEqual([]);
});

test("every exit code is in the operator's table", () => {
  const text = readSource("docs/operator/commands.md");
  expect(Object.values(EXIT).filter((code) => !text.includes(`| ${code} |`))).toEqual([]);
});

describe("the operator's pages", () => {
  test("have at most 200 lines each, and are in the index", () => {
    const read = [...PAGES, ...FIGURES, "docs/operator.md", "docs/performance.md"];
    const long = read.filter((page) => !UNREAD.includes(page) && readSource(page).split("\n").length > 201);
    expect(long).toEqual([]);
    const index = `${readSource("docs/operator.md")}${readSource("docs/performance.md")}`;
    const absent = [...PAGES, ...FIGURES].filter((page) => !index.includes(`](${page.slice("docs/".length)})`));
    expect(absent).toEqual([]);
  });

  test("name no command and no option that is not there", () => {
    expect(PAGES.flatMap((page) => listUnknown(readSource(page)).map((words) => `${page}: ${words}`))).toEqual([]);
    expect(listUnknown("`intel-node keys isue --plan day_pass` and `intel-node check --onlin`")).toHaveLength(2);
  });

  test("tell what every warning and error of the log means", () => {
    const told = readSource("docs/operator/trouble.md");
    expect([...listLoud()].filter((event) => !told.includes(`\`${event}\``))).toEqual([]);
  });
});

test("every link of a document leads to a file, and to a heading of it", () => {
  const documents = ["README.md", ...listDocuments("docs")];
  expect(documents.flatMap((file) => listBroken(file).map((link) => `${file}: ${link}`))).toEqual([]);
});

test("every row of a table has the cells of its head, in every document", () => {
  const documents = ["README.md", "CHANGELOG.md", ...listDocuments("docs"), ...listDocuments("src")];
  expect(documents.flatMap((file) => listUneven(readSource(file)).map((row) => `${file}: ${row}`))).toEqual([]);
  expect(listUneven("| a | b |\n| --- | --- |\n| c |\n| `d | e` \\| f | g |\n\n| h |\n")).toEqual(["| c |"]);
});

/** Rows with more or fewer cells than the first of their table; a bar in code or behind a backslash ends no cell. */
function listUneven(text: string): readonly string[] {
  const countCells = (row: string) => row.replace(/`[^`]*`|\\\|/g, "").split("|").length;
  const found: string[] = [];
  let cells: number | null = null;
  for (const row of text.split("\n")) {
    if (!row.startsWith("|")) cells = null;
    else if (cells === null) cells = countCells(row);
    else if (countCells(row) !== cells) found.push(row.slice(0, 60));
  }
  return found;
}

function listDocuments(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));
}

/** Commands in code, with words and options that the command line does not know. */
function listUnknown(text: string): readonly string[] {
  const commands = listCommands();
  const first = new Set(commands.map(({ words }) => words[0]));
  const typed = [...text.matchAll(/(?:`|^\s*)intel-node ([a-z][^`\n|;#>]*)/gm)].map(([, line = ""]) => line.trim());
  return typed.filter((line) => {
    const words = line.split(/\s+/);
    if (!first.has(words[0] ?? "")) return true;
    const command = commands
      .filter((one) => one.words.every((word, index) => word === words[index]))
      .toSorted((a, b) => b.words.length - a.words.length)[0];
    // A family of commands, such as "keys", named as one.
    if (command === undefined) return words.length > 1 || !commands.some((one) => one.words[0] === words[0]);
    const known = command.options.flatMap(({ flags }) => flags);
    return words.some((word) => /^--[a-z]/.test(word) && !known.includes(word.replace(/[=,].*$/, "")));
  });
}

/** Events of the log that say something is wrong. */
function listLoud(): ReadonlySet<string> {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" });
  const sources = files.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const texts = sources.map((name) => readSource(join("src", name)));
  const found = texts.flatMap((text) => [...text.matchAll(/\b(?:warn|error|alarm)\(\{\s*event: "([a-z_]+)"/g)]);
  return new Set(found.map(([, event = ""]) => event));
}
