import { type AST, getStaticTOMLValue, ParseError, parseTOML } from "toml-eslint-parser";

export interface TextPosition {
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

export interface SyntaxFault extends TextPosition {
  readonly message: string;
}

export interface ParsedTOML {
  readonly value: Record<string, unknown>;
  /** Where each key stands, by its path: "server.port", "facilitators.0.url". */
  readonly positions: ReadonlyMap<string, TextPosition>;
  readonly faults: readonly SyntaxFault[];
}

const FAULTS_MAX = 50;
const SEPARATOR = "\u0000";

/** Path of a key as text that cannot be ambiguous: keys may hold dots. */
export const pathKey = (path: readonly (string | number)[]): string => path.join(SEPARATOR);

/**
 * Parses TOML and keeps where everything stands. After a syntax error the faulty line is left out and the rest is read
 * again, so that one slip does not hide the others.
 */
export function parseTOMLWithPositions(text: string): ParsedTOML {
  const lines = text.split(/\r?\n/);
  const faults: SyntaxFault[] = [];
  for (;;) {
    try {
      const ast = parseTOML(lines.join("\n"));
      return { value: getStaticTOMLValue(ast) as Record<string, unknown>, positions: readPositions(ast), faults };
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      const line = blankLine(lines, error.lineNumber);
      const same_line = faults.some((fault) => fault.line === error.lineNumber);
      if (!same_line) faults.push({ line: error.lineNumber, column: error.column + 1, message: error.message });
      if (line === null || faults.length >= FAULTS_MAX) return { value: {}, positions: new Map(), faults };
    }
  }
}

/** Empties the faulty line, or the nearest one above that still holds something; null when the file is empty. */
function blankLine(lines: string[], faulty: number): number | null {
  for (let index = Math.min(faulty, lines.length) - 1; index >= 0; index--) {
    if (lines[index]?.trim()) {
      lines[index] = "";
      return index + 1;
    }
  }
  return null;
}

function readPositions(ast: AST.TOMLProgram): Map<string, TextPosition> {
  const positions = new Map<string, TextPosition>();
  const note = (path: readonly (string | number)[], node: AST.TOMLNode) => {
    const key = pathKey(path);
    if (!positions.has(key)) positions.set(key, { line: node.loc.start.line, column: node.loc.start.column + 1 });
  };
  const readValue = (path: readonly (string | number)[], node: AST.TOMLContentNode) => {
    if (node.type === "TOMLInlineTable") for (const pair of node.body) readPair(path, pair);
    if (node.type === "TOMLArray") {
      node.elements.forEach((element, index) => {
        note([...path, index], element);
        readValue([...path, index], element);
      });
    }
  };
  const readPair = (base: readonly (string | number)[], pair: AST.TOMLKeyValue) => {
    const names = pair.key.keys.map((key) => (key.type === "TOMLBare" ? key.name : key.value));
    names.forEach((_, index) => {
      note([...base, ...names.slice(0, index + 1)], pair.key.keys[index] ?? pair.key);
    });
    readValue([...base, ...names], pair.value);
  };
  for (const node of ast.body[0].body) {
    if (node.type === "TOMLKeyValue") {
      readPair([], node);
      continue;
    }
    node.resolvedKey.forEach((_, index) => {
      note(node.resolvedKey.slice(0, index + 1), node.key.keys[index] ?? node.key);
    });
    for (const pair of node.body) readPair(node.resolvedKey, pair);
  }
  return positions;
}
