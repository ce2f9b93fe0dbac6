import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createBasketPlugin } from "../catalog/basket.ts";
import { type CatalogProduct, createCatalog } from "../catalog/catalog.ts";
import { renderTime } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { escapeInvisible } from "../core/foreign-text.ts";
import { registry } from "../plugins/registry.gen.ts";
import { type Bundle, listBundleFaults, parseBundle } from "../recompute/bundle.ts";
import { codeOf } from "../recompute/code-digest.ts";
import { type MadeByPeer, readMadeByPeer } from "../recompute/made-by-peer.ts";
import { type Rechecked, recheck } from "../recompute/recheck.ts";
import { openInputsReader } from "../stores/inputs-db.ts";
import { recheckKept } from "../stores/self-check.ts";
import type { ProvenanceOutcome } from "../trust/peer-types.ts";
import { EXIT } from "./exit-codes.ts";
import { print, printError } from "./print.ts";

export interface RecomputeOptions {
  /** A bundle: file, "-" for standard input, or its address. Absent with `all_since`. */
  readonly source: string | undefined;
  readonly api_key: string | undefined;
  /** First day of the answers in a data folder to recompute. */
  readonly all_since: string | undefined;
  readonly data: string | undefined;
  readonly json: boolean;
}

/** The command line, or a file that it names, is faulty. */
class GivenError extends Error {
  override readonly name = "GivenError";
}

/** All products of this program, whether or not a configuration sells them. */
function createFinder(): (path: string) => CatalogProduct | undefined {
  const { products } = createCatalog({
    plugins: registry,
    prices: {},
    preview_delay_ms: 0,
    reserved_paths: [],
    whyNot: () => null,
    whyNoModel: () => null,
    // A basket's content depends only on its inputs, which include terms and prices.
    beside: (sold) => createBasketPlugin(sold, { discount_bps: 0n }),
  });
  const known = new Map<string, CatalogProduct>(products.map((product) => [product.default_path, product]));
  return (path) => known.get(path);
}

/**
 * Recomputes a sold answer from its bundle, without a network and without a node.
 * Exit code 0: the same bytes; 1: they differ; 3: other code made it; 4: the bundle contradicts itself.
 */
export async function recomputeCommand(options: RecomputeOptions): Promise<number> {
  try {
    const { source, all_since, data } = options;
    if ((source === undefined) === (all_since === undefined)) {
      throw new GivenError("name a bundle, or --all-since <day> with --data <folder>");
    }
    if (all_since !== undefined) return recomputeAll({ since: all_since, data, json: options.json });
    const text = await readText(source ?? "", options.api_key);
    const by_peer = readMadeByPeer(text);
    if (by_peer !== null) return tellByPeer(by_peer, options.json);
    return recomputeOne(readBundle(source ?? "", text), options.json);
  } catch (error) {
    if (!(error instanceof GivenError)) throw error;
    printError(escapeInvisible(error.message));
    return EXIT.config;
  }
}

/** This node has no inputs for a peer's answer; it can only check that the bundle holds the peer's own bytes. */
function tellByPeer({ node_id, url, seal_url, is_whole }: MadeByPeer, json: boolean): number {
  const verdict = is_whole ? "made_by_peer" : "contradicts";
  const lines = is_whole
    ? [`made by the peer ${node_id} at ${url}: see its seal, ${seal_url}; there is nothing here to make it of again`]
    : [`it says that ${node_id} at ${url} made it, and is not what that one sold; a part of an answer never is`];
  const code = is_whole ? EXIT.other_code : EXIT.unproven;
  return tell({ verdict, node_id, url, seal_url }, { json, lines, code });
}

function recomputeOne(bundle: Bundle, json: boolean): number {
  const faults = listBundleFaults(bundle);
  if (faults.length > 0) {
    return tell({ verdict: "contradicts", faults }, { json, lines: faults, code: EXIT.unproven });
  }
  const { recipe, inputs, answer: body, code_sha256, withheld } = bundle;
  if (inputs === null) {
    const from = withheld.map(({ provider, url, terms }) => `${provider} (${terms}): ${url}`);
    const why = ["its inputs may not be handed on; they came from:", ...from, `SHA-256 ${bundle.inputs_sha256}`];
    return tell({ verdict: "withheld", withheld }, { json, lines: why, code: EXIT.other_code });
  }
  const product = createFinder()(recipe.path);
  const own_code = product === undefined ? null : codeOf(product.file);
  const found = recheck({ recipe, inputs, body, code_sha256, product, own_code });
  const { verdict, same_code, differences } = found;
  const made = { verdict, same_code, differences, made_by: recipe.made_by, code_sha256, own_code };
  return tell(made, { json, lines: describe(bundle, found), code: CODES[verdict] });
}

const CODES: Readonly<Record<Rechecked["verdict"], number>> = {
  same: EXIT.ok,
  differs: EXIT.failed,
  other_code: EXIT.other_code,
  unknown: EXIT.other_code,
};

interface CommandReport {
  readonly json: boolean;
  readonly lines: readonly string[];
  readonly code: number;
}

function describe({ recipe, code_sha256, answer }: Bundle, { verdict, same_code, differences }: Rechecked) {
  const made_by =
    `it was made by intel-node ${recipe.made_by}, code ${code_sha256 ?? "not told"}: take that release from ` +
    "where the node's operator publishes it, or check out its commit, and run this again with it";
  const by_other = same_code === false ? ` (made by ${recipe.made_by}; this program's code of it is another)` : "";
  switch (verdict) {
    case "same":
      return [`the same ${Buffer.byteLength(answer)} bytes: ${recipe.path} at ${renderTime(recipe.now_ms)}${by_other}`];
    case "unknown":
      return [`this program has no product ${recipe.path}; ${made_by}`];
    case "other_code":
      return [`another version of ${recipe.path}: ${made_by}`, ...differences.slice(0, 5).map(renderDifference)];
    case "differs":
      return ["IT DIFFERS:", ...differences.map(renderDifference)];
  }
}

const renderDifference = ({ path, expected, got }: Rechecked["differences"][number]): string =>
  `  ${path}: sold ${expected ?? "nothing"}, recomputed ${got ?? "nothing"}`;

/**
 * Each verdict in the terms of x402's proposed extension `response-provenance`. "verified" means that the same answer
 * came out again, never that it is right.
 */
const OUTCOMES = {
  same: "verified",
  differs: "contradicted",
  contradicts: "contradicted",
  other_code: "unverifiable",
  unknown: "unverifiable",
  withheld: "unverifiable",
  made_by_peer: "no_claim",
} as const satisfies Readonly<Record<string, ProvenanceOutcome>>;

interface Found extends Readonly<Record<string, unknown>> {
  /** Absent for a whole ledger. */
  readonly verdict?: keyof typeof OUTCOMES;
}

function tell(found: Found, { json, lines, code }: CommandReport): number {
  const outcome = found.verdict && { outcome: OUTCOMES[found.verdict] };
  if (json) print(JSON.stringify({ ...found, ...outcome, exit_code: code }));
  else for (const line of lines) (code === EXIT.ok ? print : printError)(escapeInvisible(line));
  return code;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const PAGE = 200;

/** Recomputes every answer that a data folder keeps from a day on; works while the node runs. */
function recomputeAll({ since, data, json }: { since: string; data: string | undefined; json: boolean }): number {
  const since_ms = DAY.test(since) ? Date.parse(since) : Number.NaN;
  if (Number.isNaN(since_ms)) throw new GivenError("--all-since is a day: 2026-11-01");
  const files = ["inputs.db", "inputs-sandbox.db"].map((name) => join(data ?? "./data", name)).filter(existsSync);
  if (files.length === 0) throw new GivenError(`${data ?? "./data"} keeps nothing of sold answers: no inputs.db`);
  const counts = { same: 0, differs: 0, other_code: 0, unknown: 0 };
  const find = createFinder();
  for (const file of files) {
    const reader = openInputsReader(file);
    for (let after = "", more = true; more; ) {
      const page = reader.list({ since_ms, after, limit: PAGE });
      for (const sha256 of page) {
        const kept = reader.get(sha256);
        if (kept === null) continue;
        const { verdict, differences } = recheckKept(kept, find);
        counts[verdict] += 1;
        const [first] = differences;
        if (verdict === "differs" && first && !json) printError(escapeInvisible(`${sha256}${renderDifference(first)}`));
      }
      after = page.at(-1) ?? after;
      more = page.length === PAGE;
    }
    reader.close();
  }
  const { same: recomputed, differs: differing, other_code, unknown } = counts;
  const figures = { recomputed, differing, unknown: other_code + unknown };
  const code = differing > 0 ? EXIT.failed : EXIT.ok;
  const lines = [`${recomputed} the same, ${differing} differ, ${figures.unknown} by other code`];
  return tell(figures, { json, lines, code });
}

/** The largest bundle: several times the inputs of the largest product. */
const BYTES_MAX = 64_000_000;

function readBundle(source: string, text: string): Bundle {
  try {
    return parseBundle(text);
  } catch (error) {
    throw new GivenError(`${source.slice(0, 200)}: ${messageOf(error)}`);
  }
}

async function readText(source: string, api_key: string | undefined): Promise<string> {
  if (source === "-") return Bun.stdin.text();
  if (/^https?:\/\//.test(source)) {
    const headers = api_key === undefined ? {} : { "x-api-key": api_key };
    const response = await fetch(source, { headers, redirect: "error" }).catch((error: unknown) => {
      throw new GivenError(`${source.slice(0, 200)} does not answer: ${messageOf(error)}`);
    });
    const text = await response.text();
    if (!response.ok) throw new GivenError(`${source.slice(0, 200)} answers ${response.status}: ${text.slice(0, 400)}`);
    return text;
  }
  if (!existsSync(source)) throw new GivenError(`${source.slice(0, 200)} is neither a file nor an address`);
  if (!statSync(source).isFile()) throw new GivenError(`${source.slice(0, 200)} is no file: name the bundle in it`);
  if (statSync(source).size > BYTES_MAX) throw new GivenError(`${source.slice(0, 200)} is too large to be a bundle`);
  return readFileSync(source, "utf8");
}
