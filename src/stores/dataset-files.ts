import { createReadStream } from "node:fs";
import { SaxesParser, type SaxesTagPlain } from "saxes";
import type { DatasetFiles, DatasetTextOptions, XMLElement } from "../catalog/dataset.ts";
import { parseCSVText } from "./parse-csv.ts";

const CHUNK_BYTES = 256 * 1024;
/** A text that is read whole has to fit into one string. */
const WHOLE_CHARS_MAX = 400_000_000;
const XML_DEPTH_MAX = 200;
const XML_ELEMENT_CHARS_MAX = 5_000_000;

async function* readText(path: string, name: string, { charset = "utf-8" }: DatasetTextOptions): AsyncIterable<string> {
  // The Encoding standard's latin1 is Windows-1252, and its utf-16 little-endian, as publishers mean them.
  const decoder = new TextDecoder(charset, { fatal: true });
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch (error) {
      throw new Error(`file "${name}" is no text in ${charset}`, { cause: error });
    }
  };
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) yield decode(chunk);
  yield decode();
}

async function readWhole(path: string, name: string, options: DatasetTextOptions): Promise<string> {
  const parts: string[] = [];
  let chars = 0;
  for await (const part of readText(path, name, options)) {
    chars += part.length;
    if (chars > WHOLE_CHARS_MAX) throw new Error(`file "${name}" is too long to be read whole`);
    parts.push(part);
  }
  return parts.join("");
}

interface Building {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XMLElement[];
  text: string;
}

async function* readXML(
  { path, name, options }: { readonly path: string; readonly name: string; readonly options: DatasetTextOptions },
  element: string,
): AsyncIterable<XMLElement> {
  const found: XMLElement[] = [];
  // From the wanted element down to the one that is open; empty outside of it.
  const open: Building[] = [];
  let [depth, chars] = [0, 0];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw new Error(`file "${name}" is no sound XML: ${error.message}`);
  });
  parser.on("opentag", (tag: SaxesTagPlain) => {
    depth += 1;
    if (depth > XML_DEPTH_MAX) throw new Error(`file "${name}" is nested too deeply`);
    if (open.length === 0 && tag.name !== element) return;
    if (open.length === 0) chars = 0;
    open.push({ name: tag.name, attributes: { ...tag.attributes }, children: [], text: "" });
  });
  const addText = (text: string) => {
    const inner = open.at(-1);
    if (!inner) return;
    chars += text.length;
    if (chars > XML_ELEMENT_CHARS_MAX) throw new Error(`file "${name}" holds too long an element "${element}"`);
    inner.text += text;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    depth -= 1;
    const closed = open.pop();
    if (!closed) return;
    const outer = open.at(-1);
    if (outer) outer.children.push(closed);
    else found.push(closed);
  });
  for await (const text of readText(path, name, options)) {
    parser.write(text);
    yield* found.splice(0);
  }
  // A file that is cut off has elements that are not closed.
  parser.close();
  yield* found.splice(0);
}

/** Reads the files of one version, by name. */
export function createDatasetFiles(version: string, paths: Readonly<Record<string, string>>): DatasetFiles {
  const pathOf = (name: string): string => {
    const path = paths[name];
    if (path === undefined) throw new Error(`no file "${name}" was fetched`);
    return path;
  };
  return {
    version,
    text: (name, options = {}) => readWhole(pathOf(name), name, options),
    async json(name, options = {}) {
      const text = await readWhole(pathOf(name), name, options);
      try {
        return JSON.parse(text);
      } catch (error) {
        throw new Error(`file "${name}" is no JSON, or is cut off`, { cause: error });
      }
    },
    csv: (name, options = {}) => parseCSVText(readText(pathOf(name), name, options), options),
    xml: (name, element, options = {}) => readXML({ path: pathOf(name), name, options }, element),
  };
}
