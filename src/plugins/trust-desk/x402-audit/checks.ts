import {
  isPayToValid,
  isUSDC,
  type PaymentTerm,
  type PaymentTerms,
  USDC_BY_NETWORK,
} from "../shared/x402/payment-terms.ts";
import { type AuditInputs, domainKey, isProbe, type Probe } from "./fetch.ts";
import { addressOfHost, isSameHost } from "./hosts.ts";
import type { CheckResult, Severity } from "./schema.ts";

/** What a check saw: its result and the evidence for it. */
export type Seen = readonly [result: CheckResult, detail: string];

export interface Facts extends AuditInputs {
  readonly probe: Probe;
  /** The terms that count: the header's where there is one. */
  readonly terms: PaymentTerms | null;
}

export interface CheckRule {
  readonly id: string;
  readonly severity: Severity;
  readonly what: string;
  readonly fix: string;
  readonly see: (facts: Facts) => Seen;
}

const yes = (is_true: boolean, pass: string, fail: string): Seen => (is_true ? ["pass", pass] : ["fail", fail]);
const NO_TERMS: Seen = ["unknown", "the terms could not be read"];
const each = (facts: Facts, judge: (term: PaymentTerm) => string | null, pass: string): Seen => {
  if (!facts.terms) return NO_TERMS;
  const faults = facts.terms.accepts.flatMap((term) => judge(term) ?? []);
  return yes(faults.length === 0, pass, faults.join("; ").slice(0, 400));
};
const keyOf = ({ network, pay_to, amount_atomic, asset }: PaymentTerm): string =>
  [network, pay_to.toLowerCase(), amount_atomic, asset.toLowerCase()].join(" ");
const keysOf = (terms: PaymentTerms | null): readonly string[] => (terms?.accepts ?? []).map(keyOf).sort();
const areSame = (a: readonly string[], b: readonly string[]): boolean => a.join("\n") === b.join("\n");
const termsOf = (probe: Probe | null): PaymentTerms | null => probe && (probe.terms.header ?? probe.terms.body);
const BURNT = /^0x0{36,40}[0-9a-f]{0,4}$|^0x0*dead$|^1{32,44}$/i;
const PRICE_CAP_ATOMIC = 10_000_000n;
/** Text that talks to a reading agent instead of describing what is sold. */
const INSTRUCTION = new RegExp(
  [
    ...["ignore (all |any )?(previous|prior|above)", "disregard .{0,20}instructions", "system prompt", "mnemonic"],
    ...["seed phrase", "private key", "send .{0,40}\bto 0x", "you must (now )?(call|send|pay)"],
  ].join("|"),
  "i",
);

function seeDomain(facts: Facts): Seen {
  const evm = (facts.terms?.accepts ?? []).filter(({ network }) => network.startsWith("eip155:"));
  if (!facts.terms) return NO_TERMS;
  if (evm.length === 0) return ["n/a", "no EVM network is offered"];
  const seen = evm.map((term): CheckResult => {
    const real = facts.domains[domainKey(term)];
    if (!real || real.name === null || real.version === null) return "unknown";
    return term.domain?.name === real.name && term.domain.version === real.version ? "pass" : "fail";
  });
  if (seen.includes("fail")) return ["fail", "extra.name or extra.version is not what the token signs with"];
  return seen.includes("unknown") ? ["unknown", "a token's contract could not be read"] : ["pass", "as on the chain"];
}

function seeScreens({ screens, terms }: Facts): Seen {
  if (!terms) return NO_TERMS;
  const hit = screens.filter(({ lists, oracle }) => lists === "hit" || oracle === "hit");
  if (hit.length > 0) return ["fail", `sanctioned: ${hit.map(({ address }) => address).join(", ")}`];
  const open = screens.some(({ lists, oracle }) => lists === "unknown" || oracle === "unknown");
  return open || screens.length === 0
    ? ["unknown", "a list or the oracle could not be asked"]
    : ["pass", `${screens.length} addresses in no list`];
}

function seeManifest({ manifest, probe }: Facts): Seen {
  if (!manifest) return ["unknown", "/.well-known/x402.json gave no answer"];
  if (manifest.status !== 200 || manifest.value === undefined) return ["fail", "/.well-known/x402.json is no JSON"];
  const { pathname } = new URL(probe.answer.url);
  return yes(manifest.text.includes(pathname), "it lists the resource", "it does not list the resource");
}

const seeStatus = ({ probe }: Facts): Seen =>
  yes(probe.answer.status === 402, "402", `${probe.answer.status} instead of 402`);

/** Every check but the two that need no answer (U1, T1), in the order of the README. */
export const CHECKS: readonly CheckRule[] = [
  {
    ...{ id: "U2", severity: "critical", what: "transport", fix: "Sell over https only." },
    see: ({ probe }) => yes(probe.answer.url.startsWith("https:"), "https", "http: anybody on the way can swap payTo"),
  },
  {
    ...{ id: "T2", severity: "minor", what: "certificate's end", fix: "Renew the certificate." },
    see({ probe, read_at_ms }) {
      const { tls } = probe.answer;
      if (!tls) return ["n/a", "no TLS"];
      const days = Math.floor((Date.parse(tls.valid_to) - read_at_ms) / 86_400_000);
      return yes(days >= 14, `${days} days left`, `${days} days left`);
    },
  },
  {
    ...{ id: "T3", severity: "minor", what: "HSTS", fix: "Send Strict-Transport-Security." },
    see: ({ probe }) => yes(probe.answer.headers.has("strict-transport-security"), "sent", "not sent"),
  },
  {
    ...{
      id: "N1",
      severity: "critical",
      what: "both probes reach a public address",
      fix: "Publish public addresses only.",
    },
    see: ({ second }) => (second ? ["pass", "both did"] : ["unknown", "the second probe got no answer"]),
  },
  {
    ...{ id: "R1", severity: "critical", what: "redirects", fix: "Answer at the address you publish." },
    see: ({ url, probe }) =>
      yes(isSameHost(url, probe.answer.url), `${probe.answer.hops.length - 1} on the same host`, "to another host"),
  },
  {
    ...{ id: "P1", severity: "critical", what: "unpaid call", fix: "Answer 402 to what is not paid." },
    see: seeStatus,
  },
  {
    ...{ id: "P1b", severity: "major", what: "gating", fix: "Give no data away unpaid." },
    see: ({ probe }) => yes(probe.answer.status !== 200, "no data unpaid", "200 without a payment"),
  },
  {
    ...{
      id: "P2",
      severity: "critical",
      what: "terms decodable",
      fix: "Send PAYMENT-REQUIRED (base64 JSON) or a JSON body.",
    },
    see: ({ probe, terms }) =>
      yes(terms !== null && !probe.terms.is_header_broken, "they are", "header or body cannot be read"),
  },
  {
    ...{
      id: "P3",
      severity: "critical",
      what: "accepts[]",
      fix: "Give scheme, network, whole amount, asset and payTo.",
    },
    see: (facts) =>
      facts.terms?.accepts.length === 0
        ? ["fail", "no way to pay"]
        : each(
            facts,
            (term) =>
              term.scheme !== "" && term.network !== "" && term.asset !== "" && term.amount_atomic && isPayToValid(term)
                ? null
                : `${term.network || "a network"}: incomplete or malformed`,
            "all complete",
          ),
  },
  {
    ...{ id: "P4", severity: "critical", what: "header equals body", fix: "Make both of one source." },
    see({ probe }) {
      const { header, body } = probe.terms;
      if (!header || !body) return ["n/a", "only one of them"];
      return yes(areSame(keysOf(header), keysOf(body)), "they agree", "they name other prices or payees");
    },
  },
  {
    ...{ id: "P5", severity: "critical", what: "payTo stable", fix: "Name the same payee each time." },
    see({ terms, second }) {
      const again = termsOf(second);
      if (!terms || !again) return ["unknown", "the second probe's terms could not be read"];
      const payees = (of: PaymentTerms) => of.accepts.map(({ network, pay_to }) => `${network} ${pay_to}`).sort();
      return yes(areSame(payees(terms), payees(again)), "same in both probes", "it changed within seconds");
    },
  },
  {
    ...{ id: "P6", severity: "critical", what: "asset genuine", fix: "Use Circle's own USDC." },
    see: (facts) =>
      each(
        facts,
        (term) =>
          !isUSDC(term) && /^usd ?c/i.test(term.domain?.name ?? "") ? `${term.asset} calls itself USDC` : null,
        "nothing else calls itself USDC",
      ),
  },
  {
    ...{ id: "P6b", severity: "major", what: "asset known", fix: "Offer an asset buyers know." },
    see: (facts) => each(facts, (term) => (isUSDC(term) ? null : `${term.asset} on ${term.network}`), "USDC"),
  },
  {
    ...{ id: "P7", severity: "major", what: "version", fix: "State x402Version 1 or 2." },
    see: ({ terms }) =>
      terms
        ? yes(terms.version === 1 || terms.version === 2, String(terms.version), `it is ${terms.version}`)
        : NO_TERMS,
  },
  {
    ...{
      id: "P8",
      severity: "major",
      what: "price below 10 USD and steady",
      fix: "Keep a price steady between calls.",
    },
    see({ terms, second }) {
      if (!terms) return NO_TERMS;
      const prices = (of: PaymentTerms | null) =>
        (of?.accepts ?? []).map((one) => `${one.network} ${one.amount_atomic}`);
      if (second && !areSame([...prices(terms)].sort(), [...prices(termsOf(second))].sort()))
        return ["fail", "it changed"];
      const dear = terms.accepts.some((one) => isUSDC(one) && BigInt(one.amount_atomic ?? 0) > PRICE_CAP_ATOMIC);
      return yes(!dear, "it is", "more than 10 USD a call");
    },
  },
  {
    ...{ id: "P9", severity: "minor", what: "maxTimeoutSeconds", fix: "Give buyers 10 to 900 s." },
    see: (facts) =>
      each(
        facts,
        ({ timeout_s }) => (timeout_s !== null && timeout_s >= 10 && timeout_s <= 900 ? null : `${timeout_s} s`),
        "10 to 900 s",
      ),
  },
  {
    ...{ id: "P10", severity: "major", what: "resource", fix: "Name the resource that is sold." },
    see({ terms, url, probe }) {
      if (!terms) return NO_TERMS;
      const named = terms.resource === null ? null : addressOfHost(terms.resource, url);
      const asked = [addressOfHost(url, url), addressOfHost(probe.answer.url, url)];
      return yes(named !== null && asked.includes(named), "it is this one", `it is ${terms.resource ?? "not named"}`);
    },
  },
  {
    ...{ id: "P11", severity: "minor", what: "description and mimeType", fix: "Say what is sold and in which form." },
    see: ({ terms }) =>
      terms ? yes(!!terms.description && !!terms.mime_type, "both", "not both are there") : NO_TERMS,
  },
  {
    ...{ id: "P12", severity: "major", what: "a main network", fix: "Offer a main network." },
    see: ({ terms }) =>
      terms
        ? yes(
            terms.accepts.some(({ network }) => USDC_BY_NETWORK[network]?.is_test === false),
            "offered",
            "test networks only",
          )
        : NO_TERMS,
  },
  {
    ...{ id: "P13", severity: "major", what: "scheme", fix: "Offer the scheme exact." },
    see: (facts) => each(facts, ({ scheme }) => (["exact", "upto"].includes(scheme) ? null : scheme), "exact"),
  },
  {
    ...{ id: "P14", severity: "major", what: "EIP-712 domain", fix: "Copy the token's own name() and version()." },
    see: seeDomain,
  },
  {
    ...{ id: "A1", severity: "critical", what: "payTo usable", fix: "Name a wallet that can spend." },
    see: (facts) =>
      each(
        facts,
        ({ pay_to, asset }) => (BURNT.test(pay_to) || pay_to.toLowerCase() === asset.toLowerCase() ? pay_to : null),
        "no burn address, no precompile, not the asset itself",
      ),
  },
  { ...{ id: "A2", severity: "critical", what: "payTo screened", fix: "Use another wallet." }, see: seeScreens },
  { ...{ id: "D1", severity: "minor", what: "manifest", fix: "Publish /.well-known/x402.json." }, see: seeManifest },
  {
    ...{ id: "D3", severity: "minor", what: "ownership proof", fix: "Publish ownershipProofs in the manifest." },
    see: ({ manifest }) =>
      manifest ? yes(/ownershipProofs/.test(manifest.text), "published", "none") : ["unknown", "no manifest"],
  },
  {
    ...{ id: "H1", severity: "minor", what: "caching", fix: "Send cache-control: no-store with the 402." },
    see({ probe }) {
      const sent = probe.answer.headers.get("cache-control") ?? "";
      return yes(!/public|s-maxage|max-age=[1-9]/.test(sent), "not publicly cacheable", `cache-control: ${sent}`);
    },
  },
  {
    ...{ id: "H2", severity: "minor", what: "content type", fix: "Send JSON as JSON." },
    see: ({ probe }) => yes(/json/.test(probe.answer.headers.get("content-type") ?? ""), "JSON", "not JSON"),
  },
  {
    ...{ id: "H3", severity: "minor", what: "CORS", fix: "Allow other origins to read the terms." },
    see: ({ probe }) => yes(probe.answer.headers.has("access-control-allow-origin"), "allowed", "not allowed"),
  },
  {
    ...{ id: "B1", severity: "major", what: "latency", fix: "Answer 402 before any work." },
    see: ({ probe }) => yes(probe.took_ms <= 5_000, `${probe.took_ms} ms`, `${probe.took_ms} ms`),
  },
  {
    ...{ id: "B2", severity: "minor", what: "size", fix: "Keep the 402 below 64 KiB." },
    see: ({ probe }) =>
      yes(probe.answer.body.length <= 65_536, `${probe.answer.body.length} bytes`, `${probe.answer.body.length} bytes`),
  },
  {
    ...{ id: "C1", severity: "major", what: "text hygiene", fix: "Describe, and instruct nobody." },
    see({ terms }) {
      if (!terms) return NO_TERMS;
      const texts = [terms.description, ...terms.accepts.map(({ description }) => description)].join(" ");
      return yes(!INSTRUCTION.test(texts), "it describes", "the description gives orders to its reader");
    },
  },
];

export const factsOf = (inputs: AuditInputs): Facts | null =>
  isProbe(inputs.first)
    ? { ...inputs, probe: inputs.first, terms: inputs.first.terms.header ?? inputs.first.terms.body }
    : null;
