import { expect, test } from "bun:test";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { type CSVRecord, parseCSVText } from "./parse-csv.ts";

async function* cut(text: string, every: number): AsyncIterable<string> {
  for (let at = 0; at < text.length; at += every) yield text.slice(at, at + every);
}
/** The records, and whether the reading ended in a refusal. */
async function read(text: string, every: number, strict: boolean) {
  const records: CSVRecord[] = [];
  try {
    for await (const record of parseCSVText(cut(text, every), { delimiter: ";", strict })) records.push(record);
    return { records, refused: false };
  } catch {
    return { records, refused: true };
  }
}
function readByLibrary(text: string, strict: boolean): readonly unknown[] | null {
  try {
    const relaxed = { relax_quotes: !strict, relax_column_count: !strict };
    return parse(text, { delimiter: ";", columns: true, bom: true, skip_empty_lines: true, ...relaxed });
  } catch {
    return null;
  }
}

const plain = fc.stringMatching(/^[ -!#-:<-~ãç]{0,6}$/);
const quoted = fc.stringMatching(/^[ -!#-~ã;]{0,6}$/).map((cell) => `"${cell}"`);
const odd = fc.constantFrom('"a""b"', '"two\nlines"', 'a"b', '"', " ", "x;y", '"a" ');
const cell = fc.oneof({ weight: 6, arbitrary: plain }, { weight: 4, arbitrary: quoted }, { weight: 1, arbitrary: odd });
const lineOf = fc.oneof(
  { weight: 9, arbitrary: fc.array(cell, { minLength: 2, maxLength: 2 }).map((cells) => cells.join(";")) },
  { weight: 1, arbitrary: fc.constantFrom("", "a;b;c", "a") },
);

test("any text has the records that csv-parse alone reads, wherever it is cut into parts", async () => {
  const texts = fc.tuple(fc.array(lineOf, { maxLength: 8 }), fc.constantFrom("\n", "\r\n"), fc.boolean());
  await fc.assert(
    fc.asyncProperty(
      texts,
      fc.integer({ min: 1, max: 30 }),
      fc.boolean(),
      async ([lines, end, is_ended], every, strict) => {
        const text = ["\uFEFFone;two", ...lines].join(end) + (is_ended ? end : "");
        const { records, refused } = await read(text, every, strict);
        const expected = readByLibrary(text, strict);
        expect(refused).toBe(expected === null);
        if (expected) expect(records as readonly unknown[]).toEqual([...expected]);
      },
    ),
    { numRuns: 200 },
  );
});

test("who stops reading closes the file", async () => {
  let is_closed = false;
  async function* source(): AsyncIterable<string> {
    try {
      yield "a;b\n1;2\n3;4\n";
      yield "5;6\n";
    } finally {
      is_closed = true;
    }
  }
  for await (const record of parseCSVText(source(), { delimiter: ";" })) {
    expect(record).toEqual({ a: "1", b: "2" });
    break;
  }
  expect(is_closed).toBe(true);
});
