import ts from "typescript";
import { isSQL, listSQLChanges } from "./sql-changes.ts";

/** One change of one place of a file. */
export interface Mutant {
  readonly id: number;
  readonly file: string;
  readonly line: number;
  /** Whether the place is evaluated once, while its module loads. */
  readonly is_load: boolean;
  /** The piece of the file that is another one, by its characters. */
  readonly from: number;
  readonly until: number;
  /** What that piece becomes; a statement that is removed becomes nothing. */
  readonly text: string;
  readonly is_statement: boolean;
  /** For people: what was there, and what is there now. */
  readonly change: string;
}

const FLIPS: ReadonlyMap<ts.SyntaxKind, readonly string[]> = new Map([
  [ts.SyntaxKind.PlusToken, ["-"]],
  [ts.SyntaxKind.MinusToken, ["+"]],
  [ts.SyntaxKind.AsteriskToken, ["/"]],
  [ts.SyntaxKind.SlashToken, ["*"]],
  [ts.SyntaxKind.LessThanToken, ["<=", ">="]],
  [ts.SyntaxKind.LessThanEqualsToken, ["<", ">"]],
  [ts.SyntaxKind.GreaterThanToken, [">=", "<="]],
  [ts.SyntaxKind.GreaterThanEqualsToken, [">", "<"]],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, ["!=="]],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, ["==="]],
  [ts.SyntaxKind.AmpersandAmpersandToken, ["||"]],
  [ts.SyntaxKind.BarBarToken, ["&&"]],
]);

/** Files in which numbers are a published formula's, not limits of ours. */
const FORMULAS = /\/compute\.ts$/;

/** One line of a piece of code, shortened, for a list of survivors. */
const SHOWN_CHARS = 70;
export function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS)}…` : line;
}

const isText = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateExpression(node) ||
  (ts.isBinaryExpression(node) && (isText(node.left) || isText(node.right)));

/** Whether an expression is a comparison: its flip is its negation. */
const isComparison = (node: ts.Node): boolean =>
  ts.isBinaryExpression(node) && FLIPS.has(node.operatorToken.kind) && !/&&|\|\|/.test(node.operatorToken.getText());

/** A call, a throw or an early return: what a statement does, without what others read of it. */
function isRemovable(node: ts.Node): boolean {
  if (ts.isThrowStatement(node)) return true;
  if (ts.isExpressionStatement(node)) {
    const { expression } = node;
    return ts.isCallExpression(ts.isAwaitExpression(expression) ? expression.expression : expression);
  }
  if (!ts.isReturnStatement(node)) return false;
  const holder = ts.isBlock(node.parent) ? node.parent.parent : node.parent;
  return ts.isIfStatement(holder);
}

/** The results a `decide…` function or a file of decisions names. */
function listResults(source: ts.SourceFile): readonly string[] {
  const results = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && node.name.getText(source) === "result") {
      for (const text of textsOf(node.initializer)) results.add(text.getText(source));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...results];
}

/** The texts an expression may come to. */
function textsOf(node: ts.Node): readonly ts.StringLiteral[] {
  if (ts.isStringLiteral(node)) return [node];
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
  return ts.isAsExpression(node) ? textsOf(node.expression) : [];
}

/** Every change of a file. */
export function listMutants(file: string, text: string): readonly Omit<Mutant, "id">[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Omit<Mutant, "id">[] = [];
  const results = listResults(source);
  let depth = 0;
  const add = (node: ts.Node, mutated: string, change = `${node.getText(source)} -> ${mutated}`): void => {
    const from = node.getStart(source);
    const line = source.getLineAndCharacterOfPosition(from).line + 1;
    const is_statement = ts.isStatement(node);
    const place = { file, line, from, until: node.getEnd(), is_load: depth === 0 };
    found.push({ ...place, text: mutated, is_statement, change: shorten(change) });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isInterfaceDeclaration(node)) return;
    addExpression(node, add, results);
    if (ts.isNumericLiteral(node) && FORMULAS.test(file)) add(node, `(${node.text} + 1)`);
    if (isRemovable(node)) add(node, "", `${node.getText(source)} -> removed`);
    if (isWholeText(node) && isSQL(node.getText(source))) {
      for (const { changed, change } of listSQLChanges(node.getText(source))) add(node, changed, change);
    }
    const is_function = ts.isFunctionLike(node);
    if (is_function) depth += 1;
    ts.forEachChild(node, visit);
    if (is_function) depth -= 1;
  };
  visit(source);
  return found;
}

/** A text that can be another one as a whole: no name of a property, and with its tag if it has one. */
function isWholeText(node: ts.Node): boolean {
  const is_text = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isTaggedTemplateExpression(node);
  if (!is_text || ts.isTaggedTemplateExpression(node.parent)) return false;
  return !(ts.isPropertyAssignment(node.parent) && node.parent.name === node);
}

type AddChange = (node: ts.Node, mutated: string, change?: string) => void;

/** Changes of operators, literals, conditions and results. */
function addExpression(node: ts.Node, add: AddChange, results: readonly string[]): void {
  if (ts.isBinaryExpression(node) && !isText(node)) {
    const [left, operator, right] = [node.left.getText(), node.operatorToken.getText(), node.right.getText()];
    for (const other of FLIPS.get(node.operatorToken.kind) ?? []) {
      add(node, `(${left}) ${other} (${right})`, `${shorten(left)} ${operator} ${right} -> ${other}`);
    }
  }
  if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, "false");
  if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, "true");
  if ((ts.isIfStatement(node) && !isComparison(node.expression)) || isCondition(node)) {
    const condition = ts.isIfStatement(node) ? node.expression : (node as ts.ConditionalExpression).condition;
    add(condition, `!(${condition.getText()})`, `${condition.getText()} -> negated`);
  }
  if (ts.isPropertyAssignment(node) && node.name.getText() === "result") {
    for (const text of textsOf(node.initializer)) {
      const other = results[(results.indexOf(text.getText()) + 1) % results.length];
      if (other !== undefined && other !== text.getText()) add(text, other);
    }
  }
}

const isCondition = (node: ts.Node): boolean => ts.isConditionalExpression(node) && !isComparison(node.condition);
