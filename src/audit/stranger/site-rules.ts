import { isTestNetwork } from "../../challenge-reader/payment-terms.ts";
import { valueAt } from "../../core/json-values.ts";
import type { Seen, SellerRule } from "../rule.ts";
import type { SellerFacts } from "./facts.ts";
import { findInManifest } from "./manifest.ts";
import { major, minor, NO_TERMS, yes } from "./seen.ts";

const BODY_BYTES_MAX = 65_536;
const LATENCY_MS_MAX = 5_000;

/** Text that talks to a reading agent instead of describing what is sold. */
const INSTRUCTION = new RegExp(
  [
    ...["ignore (all |any )?(previous|prior|above)", "disregard .{0,20}instructions", "system prompt", "mnemonic"],
    ...["seed phrase", "private key", "send .{0,40}\\bto 0x", "you must (now )?(call|send|pay)"],
  ].join("|"),
  "i",
);

/** Who would be paid was paid before, on any main network; a wallet nobody ever paid is a bad sign, not a proof. */
function seeHistory({ history, terms }: SellerFacts): Seen {
  if (!terms) return NO_TERMS;
  if (terms.accepts.every(({ network }) => isTestNetwork(network) === true)) {
    return ["n/a", "test networks only: what is paid there proves nothing"];
  }
  const paid = history.filter(({ payments }) => (payments ?? 0) > 0);
  if (paid.length > 0) {
    const told = paid.map((one) => `${one.is_capped ? "at least " : ""}${one.payments} on ${one.network}`);
    return ["pass", `paid in USDC before: ${told.join(", ")}`];
  }
  const is_read = history.length > 0 && history.every(({ payments }) => payments !== null);
  return is_read ? ["fail", "no earlier USDC payment to it"] : ["unknown", "what it was paid could not be read"];
}

/** One resource at one price, wherever a buyer reads of it. */
function seeRegisters({ registers, terms }: SellerFacts): Seen {
  if (!terms) return NO_TERMS;
  if (registers.length === 0) return ["n/a", "this node reads no register"];
  const listed = registers.filter((one) => one !== null).filter(({ listing }) => listing !== null);
  const other = listed.filter(({ listing }) =>
    terms.accepts.every(
      ({ network, amount_atomic }) => network !== listing?.network || amount_atomic !== String(listing.price_atomic),
    ),
  );
  if (other.length > 0) return ["fail", `another price in ${other.map(({ register }) => register).join(", ")}`];
  if (registers.includes(null)) return ["unknown", "a register gave no answer"];
  if (listed.length > 0) return ["pass", `listed in ${listed.map(({ register }) => register).join(", ")}`];
  return registers.some((one) => one?.is_whole === false)
    ? ["unknown", "not among the first 1,000 of a register"]
    : ["fail", "in no register"];
}

/** A free preview has to say that it is one, or of which time it is: else old data passes for what is sold. */
function seePreview({ preview, probe }: SellerFacts): Seen {
  if (probe.answer.status === 200) return ["n/a", "everything is given away"];
  if (!preview) return ["unknown", "preview=1 gave no answer"];
  if (preview.status !== 200) return ["n/a", `no free preview: ${preview.status}`];
  const said = ["delayed", "preview", "sample"].some((name) => valueAt(preview.value, name) === true);
  const dated = ["as_of", "generated_at"].some((name) => typeof valueAt(preview.value, name) === "string");
  return yes(said && dated, "it says that it is one, and of when", "it does not say that it is one, or of when");
}

function seeDocs({ openapi, probe }: SellerFacts): Seen {
  if (!openapi) return ["unknown", "/openapi.json gave no answer"];
  const paths = valueAt(openapi.value, "paths");
  if (openapi.status !== 200 || typeof paths !== "object" || paths === null) return ["fail", "no /openapi.json"];
  const { pathname } = new URL(probe.answer.url);
  return yes(Object.hasOwn(paths, pathname), "/openapi.json has it", "/openapi.json does not have it");
}

/** Every later call of the window is answered as the first one was. */
function seeUptime({ window, second, probe }: SellerFacts): Seen {
  const statuses = [probe.answer.status, second?.answer.status ?? null, ...window];
  const same = statuses.filter((status) => status === probe.answer.status).length;
  const told = `${same} of ${statuses.length} calls within 3 s answered alike`;
  return yes(same === statuses.length, told, `${told}: ${statuses.map((status) => status ?? "none").join(", ")}`);
}

function seeManifest({ manifest, probe }: SellerFacts): Seen {
  if (!manifest) return ["unknown", "/.well-known/x402.json gave no answer"];
  if (manifest.status !== 200 || manifest.value === undefined) return ["fail", "/.well-known/x402.json is no JSON"];
  const { pathname } = new URL(probe.answer.url);
  return yes(manifest.text.includes(pathname), "it lists the resource", "it does not list the resource");
}

function seeOwnership({ manifest }: SellerFacts): Seen {
  if (!manifest) return ["unknown", "no manifest"];
  return yes(/ownershipProofs|verify-manifest/.test(manifest.text), "published", "none");
}

function seeCaching({ probe }: SellerFacts): Seen {
  const sent = probe.answer.headers.get("cache-control") ?? "";
  return yes(!/public|s-maxage|max-age=[1-9]/.test(sent), "not publicly cacheable", `cache-control: ${sent}`);
}

function seeSize({ probe }: SellerFacts): Seen {
  const told = `${probe.answer.body.length} bytes`;
  return yes(probe.answer.body.length <= BODY_BYTES_MAX, told, told);
}

function seeTexts({ terms, manifest, probe }: SellerFacts): Seen {
  if (!terms) return NO_TERMS;
  const { texts } = findInManifest(manifest, probe.answer.url);
  const said = [terms.description, ...terms.accepts.map(({ description }) => description), texts].join(" ");
  if (INSTRUCTION.test(said)) return ["fail", "the description gives orders to its reader"];
  return manifest ? ["pass", "it describes"] : ["unknown", "the manifest gave no answer"];
}

/** What is judged of the seller beside his terms, in the order of the README. */
export const SITE_RULES: readonly SellerRule[] = [
  minor("A3", "payTo's history", { fix: "Be paid once, by yourself if need be.", check: seeHistory }),
  minor("D1", "manifest", { fix: "Publish /.well-known/x402.json.", check: seeManifest }),
  minor("D2", "registers", { fix: "List the resource in a public register, at its price.", check: seeRegisters }),
  minor("D3", "ownership proof", { fix: "Publish ownershipProofs in the manifest.", check: seeOwnership }),
  minor("D4", "documentation", { fix: "Describe the resource in /openapi.json.", check: seeDocs }),
  minor("D5", "preview", { fix: "Mark a free preview as one, and date it.", check: seePreview }),
  minor("H1", "caching", { fix: "Send cache-control: no-store with the 402.", check: seeCaching }),
  minor("H2", "content type", {
    fix: "Send JSON as JSON.",
    check: ({ probe }) => yes(/json/.test(probe.answer.headers.get("content-type") ?? ""), "JSON", "not JSON"),
  }),
  minor("H3", "CORS", {
    fix: "Allow other origins to read the terms.",
    check: ({ probe }) => yes(probe.answer.headers.has("access-control-allow-origin"), "allowed", "not allowed"),
  }),
  major("B1", "latency", {
    fix: "Answer 402 before any work.",
    check: ({ probe }) => yes(probe.took_ms <= LATENCY_MS_MAX, `${probe.took_ms} ms`, `${probe.took_ms} ms`),
  }),
  major("B3", "uptime over 3 s", { fix: "Answer every call the same way.", check: seeUptime }),
  minor("B2", "size", { fix: "Keep the 402 below 64 KiB.", check: seeSize }),
  major("C1", "text hygiene", { fix: "Describe, and instruct nobody.", check: seeTexts }),
];
