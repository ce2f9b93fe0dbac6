import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Glob } from "bun";
import ts from "typescript";

/**
 * `bun bench/mutations.ts [count] [part of a path]`: changes one operator or constant of a product's formulas at a
 * time, runs the product's own tests and tells which changes nobody noticed. Files stay as they are: the change is made
 * while the test loads them (bench/mutate.ts). Without arguments 61 changes, spread evenly over every compute.ts.
 */
const ROOT = join(import.meta.dir, "..");
const COUNT = Number(process.argv[2] ?? 61);
const PART = process.argv[3] ?? "";

export interface Mutation {
  readonly file: string;
  readonly line: number;
  /** Place in the file's text, and what stands there instead of `old`. */
  readonly from: number;
  readonly old: string;
  readonly mutated: string;
}

/** What stands for an operator instead: another result, the same types. */
const OPERATORS: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.PlusToken, "-"],
  [ts.SyntaxKind.MinusToken, "+"],
  [ts.SyntaxKind.AsteriskToken, "/"],
  [ts.SyntaxKind.SlashToken, "*"],
  [ts.SyntaxKind.LessThanToken, ">="],
  [ts.SyntaxKind.LessThanEqualsToken, "<"],
  [ts.SyntaxKind.GreaterThanToken, "<="],
  [ts.SyntaxKind.GreaterThanEqualsToken, ">"],
  [ts.SyntaxKind.AmpersandAmpersandToken, "||"],
  [ts.SyntaxKind.BarBarToken, "&&"],
]);

const isText = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateExpression(node) ||
  (ts.isBinaryExpression(node) && (isText(node.left) || isText(node.right)));

/** Every change of a file: operators of expressions and numbers, but no text that is put together. */
export function listMutations(file: string, text: string): readonly Mutation[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Mutation[] = [];
  const add = (node: ts.Node, mutated: string) => {
    const from = node.getStart(source);
    const { line } = source.getLineAndCharacterOfPosition(from);
    found.push({ file, line: line + 1, from, old: node.getText(source), mutated });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isBinaryExpression(node) && !isText(node)) {
      const other = OPERATORS.get(node.operatorToken.kind);
      if (other !== undefined) add(node.operatorToken, other);
    }
    if (ts.isNumericLiteral(node)) add(node, `(${node.text} + 1)`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** So many of a list, evenly spread over it. */
const spread = <T>(all: readonly T[], count: number): readonly T[] =>
  all.filter((_, index) => Math.floor((index * count) / all.length) !== Math.floor(((index - 1) * count) / all.length));

/** Tests that fail without any change would catch everything: each set is run once as it stands. */
const sound = new Map<string, Promise<boolean>>();
function assertSound(file: string, tests: readonly string[]): Promise<boolean> {
  const key = tests.join(" ");
  const known = sound.get(key) ?? doesFail({ file, line: 0, from: 0, old: "", mutated: "" }, tests);
  sound.set(key, known);
  return known;
}

/** Whether a test fails once the change is made: those of the formulas first, then all of the product's folder. */
async function isCaught(mutation: Mutation): Promise<boolean> {
  const folder = `./${dirname(mutation.file)}`;
  const formulas = [...new Glob(`${dirname(mutation.file)}/*compute*.test.ts`).scanSync(ROOT)].map(
    (file) => `./${file}`,
  );
  for (const tests of [formulas, [`${folder}/`]]) {
    if (tests.length === 0 || !(await doesFail(mutation, tests))) continue;
    if (await assertSound(mutation.file, tests)) throw new Error(`${tests.join(" ")} fail without any change`);
    return true;
  }
  return false;
}

async function doesFail({ file, from, old, mutated }: Mutation, tests: readonly string[]): Promise<boolean> {
  const env = { ...process.env, MUTATE: JSON.stringify({ file: join(ROOT, file), from, old, mutated }) };
  const command = [
    process.execPath,
    "test",
    "--preload",
    "./bench/mutate.ts",
    ...tests,
    "--timeout",
    "60000",
    "--bail",
  ];
  const child = Bun.spawn(command, { cwd: ROOT, env, stdio: ["ignore", "ignore", "pipe"] });
  const text = await new Response(child.stderr).text();
  if (!/\d+ (?:pass|fail)/.test(text)) throw new Error(`no test ran:\n${text.slice(-1_000)}`);
  return (await child.exited) !== 0;
}

if (import.meta.main) {
  const files = [...new Glob("src/plugins/**/compute.ts").scanSync(ROOT)].filter((file) => file.includes(PART)).sort();
  const all = files.flatMap((file) => listMutations(file, readFileSync(join(ROOT, file), "utf8")));
  const tried = spread(all, COUNT);
  const survivors: Mutation[] = [];
  for (const [index, one] of tried.entries()) {
    const caught = await isCaught(one);
    if (!caught) survivors.push(one);
    console.log(
      `${index + 1}/${tried.length} ${caught ? "caught  " : "SURVIVED"} ${one.file}:${one.line} ` +
        `${one.old} -> ${one.mutated}`,
    );
  }
  console.log(`${tried.length} of ${all.length} possible changes tried, ${tried.length - survivors.length} caught`);
  process.exit(survivors.length === 0 ? 0 : 1);
}
