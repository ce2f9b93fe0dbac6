import ts from "typescript";
import { parseSource, visitAll } from "./source-files.ts";

const FUNCTION_LINES_MAX = 70;
const LINE_CHARS_MAX = 120;
const PARAMETERS_MAX = 3;

/** The only entries the root folder may hold besides dot files. */
const TOP_LEVEL: ReadonlySet<string> = new Set([
  ...["package.json", "package-lock.json", "bunfig.toml", "build.sh", "config.example.toml"],
  ...["README.md", "CHANGELOG.md", "LICENSE", "src", "test", "docs", "bench", "deploy"],
]);

/** Names other tools or long custom prescribe. */
const FIXED_NAMES: ReadonlySet<string> = new Set([
  "README.md",
  "CHANGELOG.md",
  "LICENSE",
  "CONTRIBUTING.md",
  "Dockerfile",
  // Helm asks for this name.
  "Chart.yaml",
  // YunoHost asks for these.
  ...["ADMIN.md", "DESCRIPTION.md", "DESCRIPTION_pt.md", "POST_INSTALL.md", "_common.sh", "change_url"],
]);

/** Folders whose numbers must come from a clock and a seed that were handed in. */
const DATA_PATHS = /^src\/(?:plugins|catalog|ledger|payments|surfaces|upstream\/providers)\//;

/** Files with timers of their own; all others take `Timers`, so that no test waits. Each with its reason. */
const OWN_TIMERS: ReadonlyMap<string, string> = new Map([
  ["src/core/clock.ts", "the timers themselves"],
  ["src/jobs/scheduler.ts", "the marks of the system's clock, which no stopping node waits for; others are handed in"],
  ["src/ledger/sqlite/writer.ts", "joins what comes within a millisecond into one commit"],
  ["src/ledger/sqlite/write-trouble.ts", "tries a disk again that refused a write"],
  ["src/telemetry/log.ts", "writes lines out that were gathered"],
  ["src/http/body.ts", "one for all bodies that are still coming in"],
  ["src/guarded-fetch/resolve.ts", "a limit of the resolver's own sockets"],
  ["src/guarded-fetch/connect.ts", "a limit of its own socket"],
  ["src/stores/table-store.ts", "gives way to others between two deletions"],
  ["src/node/start-node.ts", "says once a second what a stop waits for"],
  ["src/plugin-host/load-plugins.ts", "before there is a node: a plugin that never ends loading"],
  ["src/threads/build-in-worker.ts", "a worker that does not start"],
  ["src/commands/run.ts", "how long the operator waits for his screen"],
  ["src/commands/wait-for-stop.ts", "how long the operator lets calls end"],
  ["src/plugins/crypto-market/dex/venue.ts", "a limit on several calls of one chain, within one answer"],
  ["src/sandbox/facilitator.ts", "plays a slow stranger"],
  ["src/sandbox/serve-sockets.ts", "plays a publisher that sends by itself"],
  ["src/sandbox/wait-for-hang-up.ts", "plays a stranger who never answers"],
]);

const isTest = (path: string): boolean => path.endsWith(".test.ts");
const isGenerated = (path: string): boolean => /\.gen\.(?:ts|json)$/.test(path);
const isSource = (path: string): boolean => path.startsWith("src/") && !isTest(path);
const lineOf = (source: ts.SourceFile, at: number): number => source.getLineAndCharacterOfPosition(at).line + 1;

/** The functions directly inside another, not those inside these. */
function innerFunctions(node: ts.Node): readonly ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (child: ts.Node): void => {
    if (ts.isFunctionLike(child) && "body" in child && child.body) found.push(child);
    else child.forEachChild(visit);
  };
  node.forEachChild(visit);
  return found;
}

/** Lines of a function without those of the functions in it, which are measured on their own: a factory holds many. */
function ownLines(node: ts.Node, source: ts.SourceFile): number {
  const span = (one: ts.Node) => lineOf(source, one.end) - lineOf(source, one.getStart(source));
  return innerFunctions(node).reduce((lines, inner) => lines - span(inner), span(node) + 1);
}

function checkFunction(node: ts.SignatureDeclaration, source: ts.SourceFile): readonly string[] {
  const found: string[] = [];
  const start = node.getStart(source);
  const lines = ownLines(node, source);
  if (lines > FUNCTION_LINES_MAX) found.push(`function of ${lines} lines`);
  // A contract of a library may ask for more: then the function is an argument, not a declaration.
  const is_ours =
    isSource(source.fileName) && (ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node.parent));
  const parameters = node.parameters.filter(({ name }) => name.getText() !== "this");
  if (is_ours && parameters.length > PARAMETERS_MAX) found.push(`function with ${parameters.length} parameters`);
  return found.map((what) => `:${lineOf(source, start)} ${what}`);
}

const isCallOf = (node: ts.Node, object: string, property: string): boolean =>
  ts.isPropertyAccessExpression(node) && node.expression.getText() === object && node.name.text === property;

/** The line above gives the linter a reason. */
function isExcused(node: ts.Node): boolean {
  const source = node.getSourceFile();
  const lines = source.text.split("\n", lineOf(source, node.getStart(source)));
  return /biome-ignore lint\/suspicious\/noExplicitAny: \S/.test(lines.at(-2) ?? "");
}

/** A limit for tests or hooks. What is slow is no failure, and files that share a process would share such a limit. */
function isLimitOfTests(node: ts.Node): boolean {
  if (!ts.isCallExpression(node)) return false;
  const name = node.expression.getText();
  const last = node.arguments.at(-1);
  const is_last_number = last !== undefined && ts.isNumericLiteral(last);
  return name === "setDefaultTimeout" || (/^(?:test|(?:before|after)(?:All|Each))\b/.test(name) && is_last_number);
}

/** What a node of the syntax tree does wrong, if anything. */
function checkNode(node: ts.Node, path: string): string | undefined {
  if (node.kind === ts.SyntaxKind.AnyKeyword) return isExcused(node) ? undefined : "any";
  if (ts.isCatchClause(node) && node.block.statements.length === 0) return "empty catch";
  if (ts.isExportAssignment(node)) return mayExportDefault(path) ? undefined : "default export";
  if (node.kind === ts.SyntaxKind.DefaultKeyword && node.parent && ts.canHaveModifiers(node.parent)) {
    return mayExportDefault(path) ? undefined : "default export";
  }
  if (ts.isExportDeclaration(node) && node.exportClause === undefined) return "export *";
  if (ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression)) return "a spread of a literal";
  // Beside a thread, Bun's matcher may wait for ever.
  if (/^(?:src|test)\/ledger\/.*\.test\.ts$/.test(path) && ts.isPropertyAccessExpression(node)) {
    return node.name.text === "rejects" ? "rejects where failureOf belongs" : undefined;
  }
  if (isTest(path) && isLimitOfTests(node)) return "a time limit of its own where test/preload.ts sets the one";
  if (!isSource(path)) return undefined;
  if (ts.isPropertyAccessExpression(node) && node.expression.getText() === "console") {
    return /^src\/(?:commands|tools)\//.test(path) ? undefined : "console outside src/commands and src/tools";
  }
  const timer = /^(?:setTimeout|setInterval|Bun\.sleep)$/;
  if (ts.isCallExpression(node) && timer.test(node.expression.getText()) && !OWN_TIMERS.has(path)) {
    return `${node.expression.getText()} where core/clock's timers belong`;
  }
  // A node knows hundreds of schemas: what each module compiles at its start, every start waits for.
  if (isCallOf(node, "TypeCompiler", "Compile") && path !== "src/core/compile-schema.ts") {
    return "TypeCompiler.Compile where compileSchema belongs";
  }
  const local = SOLD_PATHS.test(path) ? findLocal(node) : undefined;
  if (local !== undefined) return local;
  if (!DATA_PATHS.test(path)) return undefined;
  if (isCallOf(node, "Math", "random")) return "Math.random in a data path";
  if (isCallOf(node, "Date", "now")) return "Date.now in a data path";
  if (ts.isNewExpression(node) && node.expression.getText() === "Date" && !node.arguments?.length) {
    return "new Date() in a data path";
  }
  return undefined;
}

/** What answers are computed with: the same on every machine, or they could not be made again. */
const SOLD_PATHS = /^src\/(?:plugins|quant|grounding|text|names|calendars)\//;
const LOCAL_TIME = /^(?:get(?:Hours|Minutes|Date|Day|Month|FullYear|TimezoneOffset)|toLocale(?:Upper|Lower)Case)$/;

/** Calls whose result depends on the locale, the time zone or the build of the machine. */
function findLocal(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const name = node.expression.name.text;
  if (name === "localeCompare") return "localeCompare where compareText belongs";
  if (LOCAL_TIME.test(name)) return `${name} depends on where it runs`;
  const [locale] = node.arguments;
  const is_fixed = locale !== undefined && ts.isStringLiteral(locale);
  return /^toLocale(?:Date|Time)?String$/.test(name) && !is_fixed ? `${name} without a fixed locale` : undefined;
}

const mayExportDefault = (path: string): boolean =>
  /^(?:docs\/examples|bench)\/plugins\//.test(path) ||
  path.endsWith(".d.ts") ||
  /(?:^|\/)[a-z-]+\.config\.ts$/.test(path);

/** Faults of one TypeScript file, as "path:line what". */
export function checkSource(path: string, text: string): readonly string[] {
  const source = parseSource(path, text);
  const found: string[] = [];
  if (!isGenerated(path)) {
    text.split("\n").forEach((line, index) => {
      if (line.length > LINE_CHARS_MAX) found.push(`${path}:${index + 1} line of ${line.length} characters`);
    });
  }
  visitAll(source, (node) => {
    const wrong = checkNode(node, path);
    if (wrong) found.push(`${path}:${lineOf(source, node.getStart(source))} ${wrong}`);
    if (ts.isFunctionLike(node) && "body" in node && node.body && !isGenerated(path)) {
      found.push(...checkFunction(node, source).map((what) => path + what));
    }
  });
  return found;
}

const EXPORTED_TYPE = /^export (?:declare )?(?:interface|type|class|enum) (\w+)\b(?=[\s<=])/gm;

/** Exported types of one name: one word has one meaning. */
export function findRepeatedTypes(sources: ReadonlyMap<string, string>): readonly string[] {
  const places = new Map<string, string[]>();
  for (const [path, text] of sources) {
    if (!path.startsWith("src/") || path.endsWith(".test.ts") || isGenerated(path)) continue;
    for (const [, name = ""] of text.matchAll(EXPORTED_TYPE)) places.set(name, [...(places.get(name) ?? []), path]);
  }
  return [...places].filter(([, paths]) => paths.length > 1).map(([name, paths]) => `${name}: ${paths.join(", ")}`);
}

/** "TO" + "DO": this file would find itself. */
const OPEN_WORK = new RegExp(
  `\\b(?:${["TO", "FIX"].map((one, index) => one + ["DO", "ME"][index]).join("|")})\\b(?!\\(#\\d)`,
);
/** Folders of somebody's machine, and the host names of package registries. */
const MACHINE = new RegExp(
  [
    ...["work", "root", "home"].map((folder) => `(?<![\\w.~:-])/${folder}/`),
    ...["npmjs", "yarnpkg"].map((host) => `registry\\.${host}\\.`),
    '"resolved": *"http',
  ].join("|"),
);

/** Open work without an issue, and traces of a machine, in any kind of text file. */
export function checkText(path: string, text: string): readonly string[] {
  return text
    .split("\n")
    .flatMap((line, index) => [
      ...(OPEN_WORK.test(line) ? [`${path}:${index + 1} open work without an issue id`] : []),
      ...(MACHINE.test(line) ? [`${path}:${index + 1} path or registry of one machine`] : []),
    ]);
}

/** Turns of phrase that a reader has to read twice. "Stand in for" is the verb of stand-ins, and is allowed. */
const CONTORTED = new RegExp(
  [
    String.raw`\bhears\b|\bsuch a one\b|\bis nobody\b(?!')`,
    String.raw`\bwhoever (?:asks|buys|calls|comes|gets|has|holds|is|knows|needs|pays|reads|sends|signs|takes|wants)\b`,
    String.raw`\b(?:that|when|where|which|while) (?:there )?(?:are|is) none\b(?! \w)`,
    String.raw`\bstands? in (?:a|an|each|every|it|no|the|this)\b`,
    String.raw`\bstands? for (?:a|all|an|another|every|it|no|the)\b`,
  ].join("|"),
  "i",
);
const COMMENT = /^\s*(?:\/\/|\/\*|\*)|\s\/\/ /;

/** Folders whose comments have been gone over. Others join them, one by one. */
const PLAIN_FOLDERS: ReadonlySet<string> = new Set(
  (
    "admin alerts audit buyer calendars calls catalog challenge-reader commands config core doors files grounding " +
    "guarded-fetch http jobs ledger models names networks node pages payments plugin-host quant recompute records " +
    "releases sandbox sell standard-params stores surfaces telemetry text threads tools trust upstream watches"
  ).split(" "),
);

/** Comments that are not plain English. */
export function checkWords(path: string, text: string): readonly string[] {
  const [top, folder = ""] = path.split("/");
  if (top !== "src" || !PLAIN_FOLDERS.has(folder) || isGenerated(path)) return [];
  return text.split("\n").flatMap((line, index) => {
    const found = COMMENT.test(line) ? CONTORTED.exec(line)?.[0] : undefined;
    return found === undefined ? [] : [`${path}:${index + 1} says "${found}"`];
  });
}

/** Names that are not kebab-case, and root entries nobody agreed on. */
export function checkNames(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    const parts = path.split("/");
    const top = parts[0] ?? "";
    const odd = parts.filter((part) => !FIXED_NAMES.has(part) && !/^\.?[a-z0-9]+(?:[-.][a-z0-9]+)*$/.test(part));
    return [
      ...(top.startsWith(".") || TOP_LEVEL.has(top) ? [] : [`${path} may not be in the root folder`]),
      ...odd.map((part) => `${path}: ${part} is not kebab-case`),
    ];
  });
}

/** Product folders without their tests and README, provider folders without a simulator. */
export function findIncompleteFolders(paths: readonly string[]): readonly string[] {
  const all = new Set(paths);
  const needs = (folder: string, names: readonly string[]) =>
    names.filter((name) => !all.has(`${folder}/${name}`)).map((name) => `${folder} has no ${name}`);
  return paths.flatMap((path) => {
    const product = /^(src\/plugins\/[^/]+\/[^/]+)\/product\.ts$/.exec(path)?.[1];
    if (product) return needs(product, ["compute.ts", "compute.test.ts", "product.test.ts", "README.md"]);
    const provider = /^(src\/(?:upstream|plugins\/[^/]+)\/providers\/[^/]+)\/provider\.ts$/.exec(path)?.[1];
    return provider ? needs(provider, ["simulator.ts"]) : [];
  });
}
