import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { sha256Hex } from "../core/hash.ts";
import { getOwn } from "../core/own.ts";

/** Digests by the product's file, filled in by build.sh; absent if the sources run without a build. */
declare const INTEL_NODE_CODE: Readonly<Record<string, string>> | undefined;

/** The names that products import, with their files in `src`, as in src/tsconfig.json. */
const NAMED: readonly (readonly [name: string, place: string])[] = [
  ["intel-node/providers/", "upstream/providers/"],
  ["intel-node/quant/", "quant/"],
  ["intel-node/series/", "upstream/series/"],
];
const WHOLE: Readonly<Record<string, string>> = {
  "intel-node": "catalog/plugin-api.ts",
  "intel-node/chains": "upstream/chains.ts",
};
/** Modules that turn a product's result into bytes. */
const RENDERING = ["catalog/make-answer.ts", "recompute/inputs-text.ts"] as const;

interface Scanned {
  readonly sha256: string;
  /** Files it imports, and packages as "name@version". */
  readonly files: readonly string[];
  readonly packages: readonly string[];
}

/**
 * The identity of the code behind an answer: one hash over every module that a product's definition loads, each with
 * its path and the SHA-256 of its bytes, and over the packages with name and version. It depends only on the sources,
 * so two clones of one commit agree, in any folder.
 * @param root folder of the repository, or of an operator's plugin.
 */
export function createCodeDigester(root: string): (file: string) => string {
  const source = join(root, "src");
  const scanned = new Map<string, Scanned>();
  const transpiler = new Bun.Transpiler({ loader: "ts" });
  const versions = readVersions(root);

  const resolve = (name: string, from: string): string | null => {
    if (name.startsWith(".")) return join(dirname(from), name);
    const whole = getOwn(WHOLE, name);
    if (whole !== undefined) return join(source, whole);
    const named = NAMED.find(([prefix]) => name.startsWith(prefix));
    return named ? join(source, `${named[1]}${name.slice(named[0].length)}.ts`) : null;
  };

  const scan = (file: string): Scanned => {
    const known = scanned.get(file);
    if (known) return known;
    const text = readFileSync(file, "utf8");
    const names = file.endsWith(".ts") ? transpiler.scanImports(text).map(({ path }) => path) : [];
    const files: string[] = [];
    const packages: string[] = [];
    for (const name of names) {
      const found = resolve(name, file);
      if (found !== null && existsSync(found)) files.push(found);
      else if (found === null && !name.startsWith("node:")) packages.push(describePackage(name, versions));
    }
    const made = { sha256: sha256Hex(text), files, packages };
    scanned.set(file, made);
    return made;
  };

  return (file) => {
    const entries = [file, ...RENDERING.map((one) => join(source, one)).filter((one) => existsSync(one))];
    const seen = new Set<string>(entries);
    const packages = new Set<string>();
    // The set grows during the loop, which visits every module once.
    for (const one of seen) {
      const { files, packages: named } = scan(one);
      for (const next of files) seen.add(next);
      for (const name of named) packages.add(name);
    }
    const lines = [...seen].map((one) => `${relative(root, one).split(sep).join("/")} ${scan(one).sha256}`);
    return sha256Hex([...lines.sort(), ...[...packages].sort()].join("\n"));
  };
}

function readVersions(root: string): Readonly<Record<string, string>> {
  const file = join(root, "package.json");
  if (!existsSync(file)) return {};
  const { dependencies = {} } = JSON.parse(readFileSync(file, "utf8")) as { dependencies?: Record<string, string> };
  return dependencies;
}

/** Turns "@scope/name/part" into "@scope/name@1.2.3". */
function describePackage(name: string, versions: Readonly<Record<string, string>>): string {
  const parts = name.split("/");
  const own = parts.slice(0, name.startsWith("@") ? 2 : 1).join("/");
  return `${own}@${versions[own] ?? "unknown"}`;
}

const REPOSITORY = join(import.meta.dir, "..", "..");
let digest: ((file: string) => string) | null = null;
const known = new Map<string, string | null>();

/**
 * The identity of the code behind a product's answers, by the file of its declaration; null if the sources are not
 * available.
 * @param file as named by the catalog: a path in the repository for built-in products, a full path for an operator's.
 */
export function codeOf(file: string): string | null {
  const built = typeof INTEL_NODE_CODE === "object" ? getOwn(INTEL_NODE_CODE, file) : undefined;
  if (built !== undefined) return built;
  const made = known.get(file) ?? readCode(file);
  known.set(file, made);
  return made;
}

function readCode(file: string): string | null {
  const is_own = file.startsWith(sep);
  const place = is_own ? file : join(REPOSITORY, file);
  if (!statSync(place, { throwIfNoEntry: false })?.isFile()) return null;
  if (is_own) return createCodeDigester(dirname(file))(place);
  digest ??= createCodeDigester(REPOSITORY);
  return digest(place);
}
