import { relative } from "node:path";
import ts from "typescript";
import { ROOT } from "./source-files.ts";

/** Constant tables, by the project's names: NAMES_LIKE_THIS. */
const CONSTANT = /^[A-Z][A-Z0-9_]+$/;
/** What the sandbox plays asks its own tables for what its own node sent. */
const PLAYED = /simulat|^src\/(?:sandbox|tools)\//;

const isText = (type: ts.Type): boolean =>
  type.isUnion()
    ? type.types.some(isText)
    : (type.flags & (ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping)) !== 0;

/** The table is asked whether the name is its own in the same expression, as `Object.hasOwn(T, n) ? T[n] : ...`. */
function isGuarded(node: ts.ElementAccessExpression): boolean {
  const guard = `Object.hasOwn(${node.expression.getText()}, ${node.argumentExpression.getText()})`;
  for (let outer: ts.Node = node; !ts.isStatement(outer) && outer.parent; outer = outer.parent) {
    if (outer.getText().includes(guard)) return true;
  }
  return false;
}

/** What is wrong with a node of the syntax tree, if anything. */
function checkNode(node: ts.Node, checker: ts.TypeChecker): string | undefined {
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InKeyword) {
    return isText(checker.getTypeAtLocation(node.left)) ? "`in` where Object.hasOwn belongs" : undefined;
  }
  if (!ts.isElementAccessExpression(node) || !ts.isIdentifier(node.expression)) return undefined;
  if (!CONSTANT.test(node.expression.text)) return undefined;
  const type = checker.getTypeAtLocation(node.argumentExpression);
  if (!isText(checker.getBaseConstraintOfType(type) ?? type) || isGuarded(node)) return undefined;
  return `${node.expression.text}[...] where getOwn belongs`;
}

const parsed = new Map<string, ts.SourceFile | undefined>();
/** Reads each file once: what the language and the packages declare takes a second. */
function createHost(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  return {
    ...host,
    getSourceFile(path, language, onError) {
      if (!parsed.has(path)) parsed.set(path, host.getSourceFile(path, language, onError));
      return parsed.get(path);
    },
  };
}

/**
 * Where a constant table is asked for a name that could be any text, so that "constructor" finds what no table has:
 * `TABLE[name]` and `name in table`. Names of a closed list pass, as the types tell them apart.
 * @param paths TypeScript files to read, with all they import; the project's own, unless given.
 * @returns "path:line what", tests and what the sandbox plays left out.
 */
export function findBorrowedNames(paths?: readonly string[]): readonly string[] {
  const { config } = ts.readConfigFile(`${ROOT}/src/tsconfig.json`, ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, `${ROOT}/src`);
  const own = fileNames.filter((path) => path.startsWith(`${ROOT}/src/`) && !path.endsWith(".test.ts"));
  const program = ts.createProgram(paths ?? own, options, createHost(options));
  const checker = program.getTypeChecker();
  return program.getSourceFiles().flatMap((source) => {
    const path = relative(ROOT, source.fileName);
    const is_ours = paths === undefined ? path.startsWith("src/") : paths.includes(source.fileName);
    if (!is_ours || path.endsWith(".test.ts") || PLAYED.test(path)) return [];
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      const wrong = checkNode(node, checker);
      const line = wrong && source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      if (wrong) found.push(`${path}:${line} ${wrong}`);
      node.forEachChild(visit);
    };
    visit(source);
    return found;
  });
}
