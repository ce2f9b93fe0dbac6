import { posix } from "node:path";
import { ALLOWED_IMPORTS, WIRING_FOLDERS } from "../../src/tools/import-rules.ts";
import { type FileMap, type Import, scanImports } from "./source-files.ts";

/** The sandbox is a world of its own: production code may know its types, only the demo and examples.ts may run it. */
const SANDBOX_USERS = ["src/commands/demo.ts", "src/commands/demo-month.ts", "src/node.ts", "src/tools/examples.ts"];

/** Packages that may be imported in a few places only, because they are heavy or because they are a border. */
const FENCED: readonly { readonly name: string; readonly users: readonly string[] }[] = [
  // A buyer of our own, in the demo and for the first payment of a node, signs like a real one.
  {
    name: "viem",
    users: [
      ...[
        "src/payments/networks/evm/",
        "src/payments/facilitators/embedded/",
        "src/sandbox/",
        "src/buyer/buyer.ts",
        "src/buyer/channel-buyer.ts",
        "src/buyer/sign-upto.ts",
        // Prints calls that another wallet of the operator sends.
        "src/commands/withdraw-channel.ts",
      ],
      "src/upstream/abi.ts",
      // Reads what viem knows of chains into a table, so that the node starts without it.
      "src/tools/gen-networks.ts",
    ],
  },
  { name: "@solana/kit", users: ["src/payments/facilitators/", "src/sandbox/"] },
  { name: "@solana/web3.js", users: ["src/sandbox/"] },
  { name: "@x402/svm", users: ["src/payments/facilitators/", "src/sandbox/"] },
  { name: "algosdk", users: ["src/payments/facilitators/", "src/sandbox/"] },
  { name: "@x402/avm", users: ["src/payments/facilitators/", "src/sandbox/"] },
  { name: "croner", users: ["src/jobs/", "src/watches/"] },
  { name: "bun:sqlite", users: ["src/ledger/", "src/stores/"] },
  { name: "elysia", users: ["src/http/"] },
  { name: "commander", users: ["src/node.ts", "src/commands/"] },
  { name: "pino", users: ["src/telemetry/"] },
  { name: "@opentelemetry", users: ["src/telemetry/otlp-tracer.ts"] },
  { name: "d3-scale", users: ["src/pages/charts/"] },
  { name: "d3-shape", users: ["src/pages/charts/"] },
  { name: "@x402/core", users: ["src/payments/", "src/sandbox/"] },
];

/** What nodes serve of the repository: the documents of the guide. */
const SERVED_DOCUMENTS = [
  "package.json",
  "docs/agent.md",
  "docs/baskets.md",
  "docs/channels.md",
  "docs/market-states.md",
  "docs/metering.md",
  "docs/mpp.md",
  "docs/point-in-time.md",
  "docs/proof.md",
  "docs/recompute.md",
  "docs/signals.md",
  "docs/stand-ins.md",
  "docs/wallets.md",
  "docs/watches.md",
];
/** Files of packages that those let nobody import by name. */
const PACKAGE_FILES = ["node_modules/tiny-secp256k1/lib/secp256k1.wasm"];

const isTest = (path: string): boolean => path.endsWith(".test.ts");
const folderOf = (path: string): string => path.split("/")[1] ?? "";
const domainOf = (path: string): string => path.split("/")[2] ?? "";

/** The part of the rules that is about our own folders. */
function checkOwn(path: string, target: string, is_type: boolean): string | undefined {
  if (!target.startsWith("src/")) {
    // The guide for agents and the rules of the track record are documents that the node serves.
    if (SERVED_DOCUMENTS.includes(target) || PACKAGE_FILES.includes(target) || is_type) return undefined;
    return "may not import from outside src";
  }
  const [from, to] = [folderOf(path), folderOf(target)];
  if (from === "plugins" && to === "plugins" && domainOf(path) !== domainOf(target)) {
    const is_generated = path.startsWith("src/plugins/") && path.endsWith(".gen.ts");
    return is_generated ? undefined : "may not import another domain's files";
  }
  if (from === "plugins" && to !== "plugins") {
    if (path.endsWith(".gen.ts") && is_type) return undefined;
    return 'may import of the node only "intel-node" and its modules (`bun run gen` rewrites it, where they have it)';
  }
  if (from === to) return undefined;
  if (to === "sandbox") {
    if (SANDBOX_USERS.includes(path) || (is_type && WIRING_FOLDERS.includes(from))) return undefined;
    return "may not import the sandbox";
  }
  if (WIRING_FOLDERS.includes(from)) return undefined;
  const allowed = ALLOWED_IMPORTS[from];
  if (!allowed) return "is in a folder without import rules";
  if (allowed.includes(to) || (is_type && allowed.includes(`type:${to}`))) return undefined;
  return `may not import ${allowed.includes(`type:${to}`) ? "more than types of " : ""}${to}`;
}

function checkPackage(path: string, { from }: Import): string | undefined {
  const fence = FENCED.find(({ name }) => from === name || from.startsWith(`${name}/`));
  return fence && !fence.users.some((user) => path.startsWith(user)) ? "may not import this package" : undefined;
}

/** Every import of a src file that breaks a rule, as "file: reason: import". Tests may import what they like. */
export function findBoundaryViolations(files: FileMap): readonly string[] {
  return [...files].flatMap(([path, text]) => {
    if (!path.startsWith("src/") || !path.endsWith(".ts") || path.endsWith(".d.ts") || isTest(path)) return [];
    return scanImports(path, text).flatMap((one) => {
      const reason = one.from.startsWith(".")
        ? checkOwn(path, posix.join(posix.dirname(path), one.from), one.is_type)
        : checkPackage(path, one);
      return reason ? [`${path}: ${reason}: ${one.from}`] : [];
    });
  });
}
