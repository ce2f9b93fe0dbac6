import {
  isPayToValid,
  isTestNetwork,
  isUSDC,
  type PaymentTerm,
  type PaymentTerms,
} from "../../challenge-reader/payment-terms.ts";
import { termsOf } from "../../challenge-reader/read-challenge.ts";
import { findAsset, findUSDC } from "../../networks/find.ts";
import { CERTIFICATE_DAYS_MIN, countDaysLeft } from "../certificate-end.ts";
import type { CheckResult, Seen, SellerRule } from "../rule.ts";
import { domainKey, type Probe, type SellerFacts } from "./facts.ts";
import { addressOfHost, isSameHost } from "./hosts.ts";
import { findInManifest } from "./manifest.ts";
import { critical, each, major, minor, NO_TERMS, yes } from "./seen.ts";

const keyOf = ({ network, pay_to, amount_atomic, asset }: PaymentTerm): string =>
  [network, pay_to.toLowerCase(), amount_atomic, asset.toLowerCase()].join(" ");
const keysOf = (terms: PaymentTerms | null): readonly string[] => (terms?.accepts ?? []).map(keyOf).sort();
const areSame = (a: readonly string[], b: readonly string[]): boolean => a.join("\n") === b.join("\n");
const termsIn = (probe: Probe | null): PaymentTerms | null => probe && termsOf(probe.terms);
const lower = (text: string): string => (text.startsWith("0x") ? text.toLowerCase() : text);
const payeesOf = (of: PaymentTerms): string[] => of.accepts.map(({ network, pay_to }) => `${network} ${lower(pay_to)}`);
const pricesOf = (of: PaymentTerms | null): string[] =>
  (of?.accepts ?? []).map(({ network, asset, amount_atomic }) => `${network} ${lower(asset)} ${amount_atomic}`);
/** Whether a way to pay says that its asset is USDC, and nothing that is known of the asset bears it out. */
function isDoubtful(term: PaymentTerm): boolean {
  const { network, asset, domain } = term;
  if (isUSDC(term) || !/^usd ?c/i.test(domain?.name ?? "")) return false;
  return findAsset(network, asset)?.domain?.name !== domain?.name;
}

/** A token that takes the name of USDC where there is the real one is a trap; elsewhere nobody here can tell. */
function seeGenuine({ terms }: SellerFacts): Seen {
  if (!terms) return NO_TERMS;
  const doubtful = terms.accepts.filter(isDoubtful);
  const traps = doubtful.filter(({ network }) => findUSDC(network) !== undefined);
  const tell = (found: readonly PaymentTerm[]): string =>
    found
      .map(({ asset }) => asset)
      .join("; ")
      .slice(0, 300);
  if (traps.length > 0) return ["fail", `${tell(traps)} calls itself USDC`];
  if (doubtful.length > 0) return ["unknown", `${tell(doubtful)} calls itself USDC on a network without a known one`];
  return ["pass", "nothing else calls itself USDC"];
}

/** One asset that buyers know is enough: who has another one may pay in that. */
function seeAssets({ terms }: SellerFacts): Seen {
  if (!terms) return NO_TERMS;
  const symbols = terms.accepts.flatMap(({ network, asset }) => findAsset(network, asset)?.symbol ?? []);
  const other = terms.accepts.map(({ network, asset }) => `${asset} on ${network}`).join("; ");
  return yes(symbols.length > 0, [...new Set(symbols)].join(", "), other.slice(0, 400));
}

function seeNetworks({ terms }: SellerFacts): Seen {
  if (!terms) return NO_TERMS;
  const tests = terms.accepts.map(({ network }) => isTestNetwork(network));
  if (tests.includes(false)) return ["pass", "offered"];
  return tests.includes(null) ? ["unknown", "no network that is known here"] : ["fail", "test networks only"];
}

const SCHEMES = ["exact", "upto"];
/** One scheme that every buyer speaks is enough, whatever else is offered. */
function seeSchemes({ terms }: SellerFacts): Seen {
  if (!terms) return NO_TERMS;
  const schemes = [...new Set(terms.accepts.map(({ scheme }) => scheme))];
  const spoken = schemes.filter((scheme) => SCHEMES.includes(scheme));
  return yes(spoken.length > 0, spoken.join(", "), schemes.join("; ").slice(0, 400));
}

const BURNT = /^0x0{36,40}[0-9a-f]{0,4}$|^0x0*dead$|^1{32,44}$/i;
const PRICE_CAP_ATOMIC = 10_000_000n;
function seeDomain(facts: SellerFacts): Seen {
  const evm = (facts.terms?.accepts ?? []).filter(({ network }) => network.startsWith("eip155:"));
  if (!facts.terms) return NO_TERMS;
  if (evm.length === 0) return ["n/a", "no EVM network is offered"];
  const seen = evm.map((term): CheckResult => {
    if (term.is_permit2 && term.domain === null) return "pass";
    const told = facts.domains[domainKey(term)];
    // What the chain says comes first: a contract may be given another name.
    const real =
      told && told.name !== null && told.version !== null ? told : findAsset(term.network, term.asset)?.domain;
    if (!real) return "unknown";
    return term.domain?.name === real.name && term.domain.version === real.version ? "pass" : "fail";
  });
  if (seen.includes("fail")) return ["fail", "extra.name or extra.version is not what the token signs with"];
  return seen.includes("unknown") ? ["unknown", "a token's contract could not be read"] : ["pass", "as on the chain"];
}

function seeScreens({ screens, terms }: SellerFacts): Seen {
  if (!terms) return NO_TERMS;
  const hit = screens.filter(({ lists, oracle }) => lists === "hit" || oracle === "hit");
  if (hit.length > 0) return ["fail", `sanctioned: ${hit.map(({ address }) => address).join(", ")}`];
  const open = screens.some(({ lists, oracle }) => lists === "unknown" || oracle === "unknown");
  return open || screens.length === 0
    ? ["unknown", "a list or the oracle could not be asked"]
    : ["pass", `${screens.length} addresses in no list`];
}

function seePrice({ terms, second, manifest, probe }: SellerFacts): Seen {
  if (!terms) return NO_TERMS;
  if (second && !areSame(pricesOf(terms).sort(), pricesOf(termsIn(second)).sort())) return ["fail", "it changed"];
  const dear = terms.accepts.some((one) => isUSDC(one) && BigInt(one.amount_atomic ?? 0) > PRICE_CAP_ATOMIC);
  if (dear) return ["fail", "more than 10 USD a call"];
  if (!manifest) return ["unknown", "steady; the manifest gave no answer"];
  const published = findInManifest(manifest, probe.answer.url).terms;
  if (!published || published.accepts.length === 0) return ["pass", "steady; the manifest states none"];
  const known = pricesOf(published);
  const other = pricesOf(terms).filter((one) => !known.includes(one));
  return yes(
    other.length === 0,
    "steady, and as in the manifest",
    `not in the manifest: ${other.join(", ")}`.slice(0, 400),
  );
}

/** The certificate of the answer, which holds, by how long it still does. */
function seeCertificateEnd({ probe, read_at_ms }: SellerFacts): Seen {
  const { tls } = probe.answer;
  if (!tls) return ["n/a", "no TLS"];
  const days = countDaysLeft(Date.parse(tls.valid_to), read_at_ms);
  return yes(days >= CERTIFICATE_DAYS_MIN, `${days} days left`, `${days} days left`);
}

function seeWaysToPay(facts: SellerFacts): Seen {
  if (facts.terms?.accepts.length === 0) return ["fail", "no way to pay"];
  const isWhole = (term: PaymentTerm) =>
    term.scheme !== "" && term.network !== "" && term.asset !== "" && term.amount_atomic && isPayToValid(term);
  const judge = (term: PaymentTerm) =>
    isWhole(term) ? null : `${term.network || "a network"}: incomplete or malformed`;
  return each(facts, judge, "all complete");
}

function seeBothPlaces({ probe }: SellerFacts): Seen {
  const { header, body } = probe.terms;
  if (!header || !body) return ["n/a", "only one of them"];
  return yes(areSame(keysOf(header), keysOf(body)), "they agree", "they name other prices or payees");
}

function seePayees({ terms, second, manifest, probe }: SellerFacts): Seen {
  const again = termsIn(second);
  if (!terms || !again) return ["unknown", "the second probe's terms could not be read"];
  if (!areSame(payeesOf(terms).sort(), payeesOf(again).sort())) return ["fail", "it changed within seconds"];
  if (!manifest) return ["unknown", "same in both probes; the manifest gave no answer"];
  const published = findInManifest(manifest, probe.answer.url).terms;
  // A manifest that states no terms names no other payee.
  if (!published || published.accepts.length === 0) return ["pass", "same in both probes"];
  const known = payeesOf(published);
  const other = payeesOf(terms).filter((one) => !known.includes(one));
  return yes(other.length === 0, "same in both probes and the manifest", `not in the manifest: ${other.join(", ")}`);
}

function seeTimeout(facts: SellerFacts): Seen {
  const fits = (timeout_s: number | null) => timeout_s !== null && timeout_s >= 10 && timeout_s <= 900;
  return each(facts, ({ timeout_s }) => (fits(timeout_s) ? null : `${timeout_s} s`), "10 to 900 s");
}

function seeResource({ terms, url, probe }: SellerFacts): Seen {
  if (!terms) return NO_TERMS;
  const named = terms.resource === null ? null : addressOfHost(terms.resource, url);
  const asked = [addressOfHost(url, url), addressOfHost(probe.answer.url, url)];
  return yes(named !== null && asked.includes(named), "it is this one", `it is ${terms.resource ?? "not named"}`);
}

function seeUsable(facts: SellerFacts): Seen {
  const judge = ({ pay_to, asset }: PaymentTerm) =>
    BURNT.test(pay_to) || pay_to.toLowerCase() === asset.toLowerCase() ? pay_to : null;
  return each(facts, judge, "no burn address, no precompile, not the asset itself");
}

/** What is judged of the answer and its terms, in the order of the README. */
export const TERM_RULES: readonly SellerRule[] = [
  critical("U2", "transport", {
    fix: "Sell over https only.",
    check: ({ probe }) =>
      yes(probe.answer.url.startsWith("https:"), "https", "http: anybody on the way can swap payTo"),
  }),
  minor("T2", "certificate's end", { fix: "Renew the certificate.", check: seeCertificateEnd }),
  minor("T3", "HSTS", {
    fix: "Send Strict-Transport-Security.",
    check: ({ probe }) => yes(probe.answer.headers.has("strict-transport-security"), "sent", "not sent"),
  }),
  critical("N1", "both probes reach a public address", {
    fix: "Publish public addresses only.",
    check: ({ second }) => (second ? ["pass", "both did"] : ["unknown", "the second probe got no answer"]),
  }),
  critical("R1", "redirects", {
    fix: "Answer at the address you publish.",
    check: ({ url, probe }) =>
      yes(isSameHost(url, probe.answer.url), `${probe.answer.hops.length - 1} on the same host`, "to another host"),
  }),
  critical("P1", "unpaid call", {
    fix: "Answer 402 to what is not paid.",
    check: ({ probe }) => yes(probe.answer.status === 402, "402", `${probe.answer.status} instead of 402`),
  }),
  major("P1b", "gating", {
    fix: "Give no data away unpaid.",
    check: ({ probe }) => yes(probe.answer.status !== 200, "no data unpaid", "200 without a payment"),
  }),
  critical("P2", "terms decodable", {
    fix: "Send PAYMENT-REQUIRED (base64 JSON) or a JSON body.",
    check: ({ probe, terms }) =>
      yes(terms !== null && !probe.terms.is_header_broken, "they are", "header or body cannot be read"),
  }),
  critical("P3", "accepts[]", { fix: "Give scheme, network, whole amount, asset and payTo.", check: seeWaysToPay }),
  critical("P4", "header equals body", { fix: "Make both of one source.", check: seeBothPlaces }),
  critical("P5", "payTo stable", { fix: "Name the same payee each time.", check: seePayees }),
  critical("P6", "asset genuine", { fix: "Use Circle's own USDC.", check: seeGenuine }),
  major("P6b", "asset known", { fix: "Offer an asset buyers know.", check: seeAssets }),
  major("P7", "version", {
    fix: "State x402Version 1 or 2.",
    check: ({ terms }) =>
      terms
        ? yes(terms.version === 1 || terms.version === 2, String(terms.version), `it is ${terms.version}`)
        : NO_TERMS,
  }),
  major("P8", "price below 10 USD, steady and as published", {
    fix: "Keep a price steady between calls, and the manifest's the same.",
    check: seePrice,
  }),
  minor("P9", "maxTimeoutSeconds", { fix: "Give buyers 10 to 900 s.", check: seeTimeout }),
  major("P10", "resource", { fix: "Name the resource that is sold.", check: seeResource }),
  minor("P11", "description and mimeType", {
    fix: "Say what is sold and in which form.",
    check: ({ terms }) =>
      terms ? yes(!!terms.description && !!terms.mime_type, "both", "not both are there") : NO_TERMS,
  }),
  major("P12", "a main network", { fix: "Offer a main network.", check: seeNetworks }),
  major("P13", "scheme", { fix: "Offer the scheme exact.", check: seeSchemes }),
  major("P14", "EIP-712 domain", { fix: "Copy the token's own name() and version().", check: seeDomain }),
  critical("A1", "payTo usable", { fix: "Name a wallet that can spend.", check: seeUsable }),
  critical("A2", "payTo screened", { fix: "Use another wallet.", check: seeScreens }),
];
