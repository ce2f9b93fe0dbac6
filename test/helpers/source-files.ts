import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

export const ROOT = join(import.meta.dir, "..", "..");

/** Path (relative, with slashes) to text. */
export type FileMap = ReadonlyMap<string, string>;

interface Ignored {
  readonly folders: ReadonlySet<string>;
  readonly endings: readonly string[];
  readonly names: ReadonlySet<string>;
}

/** Understands the three forms our .gitignore uses: "folder/", "*.ending" and "name". */
function readIgnored(root: string): Ignored {
  const file = join(root, ".gitignore");
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  const rules = lines.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
  return {
    folders: new Set([".git", ...rules.filter((rule) => rule.endsWith("/")).map((rule) => rule.slice(0, -1))]),
    endings: rules.filter((rule) => rule.startsWith("*")).map((rule) => rule.slice(1)),
    names: new Set(rules.filter((rule) => !rule.endsWith("/") && !rule.startsWith("*"))),
  };
}

function walk(root: string, folder: string, ignored: Ignored): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ignored.folders.has(entry.name) ? [] : walk(root, path, ignored);
    const skip = ignored.names.has(entry.name) || ignored.endings.some((ending) => entry.name.endsWith(ending));
    return entry.isFile() && !skip ? [path] : [];
  });
}

/** Every file that belongs to the project: what git tracks, or without git all that .gitignore leaves. Sorted. */
export function listProjectFiles(root: string = ROOT): readonly string[] {
  const git = existsSync(join(root, ".git")) ? Bun.which("git") : null;
  if (git === null) return [...walk(root, "", readIgnored(root))].sort();
  const answer = Bun.spawnSync([git, "ls-files", "-z"], { cwd: root });
  if (!answer.success) return [...walk(root, "", readIgnored(root))].sort();
  const paths = answer.stdout.toString().split("\0");
  return paths.filter((path) => path !== "" && existsSync(join(root, path))).sort();
}

export const readFiles = (paths: readonly string[], root: string = ROOT): FileMap =>
  new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));

export const readSource = (path: string): string => readFileSync(join(ROOT, path), "utf8");

export interface Import {
  /** As written: "./money.ts", "viem". */
  readonly from: string;
  /** Leaves no trace at run time. */
  readonly is_type: boolean;
}

export const parseSource = (path: string, text: string): ts.SourceFile =>
  ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.TS);

/** Calls `visit` with every node below `node`, depth first. */
export function visitAll(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  node.forEachChild((child) => visitAll(child, visit));
}

const isTypeImport = (clause: ts.ImportClause): boolean => {
  if (clause.isTypeOnly) return true;
  const named = clause.namedBindings;
  if (clause.name !== undefined || named === undefined || !ts.isNamedImports(named)) return false;
  return named.elements.length > 0 && named.elements.every((element) => element.isTypeOnly);
};

/** Imports and re-exports of a file, `import()` with a literal and `import("x").Type` among them. */
export function scanImports(path: string, text: string): readonly Import[] {
  const found: Import[] = [];
  visitAll(parseSource(path, text), (node) => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const is_type = node.importClause !== undefined && isTypeImport(node.importClause);
      found.push({ from: node.moduleSpecifier.text, is_type });
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
      found.push({ from: node.moduleSpecifier.text, is_type: node.isTypeOnly });
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [first] = node.arguments;
      if (first && ts.isStringLiteralLike(first)) found.push({ from: first.text, is_type: false });
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      const { literal } = node.argument;
      if (ts.isStringLiteral(literal)) found.push({ from: literal.text, is_type: true });
    }
  });
  return found;
}
