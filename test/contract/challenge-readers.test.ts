import { expect, test } from "bun:test";
import { type EndpointFacts, NOTHING } from "../../src/audit/facts.ts";
import { readAskedPrices } from "../../src/audit/prices.ts";
import { readPeerTerms } from "../../src/buyer/stand-in/read-terms.ts";
import { checkPayees } from "../../src/trust/peer-payees.ts";
import { createSteps } from "../../src/trust/peer-types.ts";
import { honest, PAY_TO } from "../helpers/audited-sellers.ts";

/** An unpaid answer as anybody may send it. */
interface Sent {
  readonly header?: string;
  readonly body?: string;
}

const ORIGIN = "https://peer.example";
const OTHER = `0x${"7".repeat(40)}`;
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64");
const termOf = (change: object = {}) => ({ ...honest("eip155:8453"), scheme: "exact", amount: "10000", ...change });
const challengeOf = (...accepts: readonly unknown[]) => ({ x402Version: 2, accepts });
const both = (value: unknown): Sent => ({ header: encode(value), body: JSON.stringify(value) });
const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;

/** Who would be paid, as the command verify reads a node's answers: network and address. */
async function readPayees({ header, body = "" }: Sent): Promise<readonly string[]> {
  const headers = new Headers(header === undefined ? {} : { "payment-required": header });
  const ask = async () => ({ status: 402, headers, text: body });
  const manifest = { node: { url: ORIGIN }, resources: [{ url: `${ORIGIN}/a` }] };
  const context = { ask, isSignedByWallet: async () => false, networkOf: () => null, now_ms: 0 };
  const payees = await checkPayees(manifest, [], { ...context, origin: ORIGIN, steps: createSteps() });
  return payees.map(({ network, pay_to }) => `${network} ${pay_to}`);
}

/** What a stand-in would pay: amount and address. */
function readPaid({ header }: Sent): string | null {
  const terms = readPeerTerms(new Headers(header === undefined ? {} : { "payment-required": header }), false);
  return terms && `${terms.amount} ${terms.challenge.payTo}`;
}

/** Which amounts `audit self` compares with a node's documents. */
function readAmounts({ header, body = "" }: Sent): readonly string[] {
  const headers = header === undefined ? {} : { "payment-required": header };
  const answers = new Map([["GET /a", { ...NOTHING, status: 402, headers, text: body }]]);
  return readAskedPrices({ answers } as unknown as EndpointFacts, "/a");
}

const BASE = `eip155:8453 ${PAY_TO}`;
const PAID = `10000 ${PAY_TO}`;

test.each<
  readonly [what: string, sent: Sent, payees: readonly string[], paid: string | null, amounts: readonly string[]]
>([
  ["nothing", {}, [], null, []],
  ["the same in header and body", both(challengeOf(termOf())), [BASE], PAID, ["10000", "10000"]],
  ["a header alone", { header: encode(challengeOf(termOf())) }, [BASE], PAID, ["10000"]],
  ["a body alone", { body: JSON.stringify(challengeOf(termOf())) }, [BASE], null, ["10000"]],
  ["an empty header", { header: "", body: JSON.stringify(challengeOf(termOf())) }, [BASE], null, ["10000"]],
  ["a header nobody can read", { header: "%%%", body: JSON.stringify(challengeOf(termOf())) }, [BASE], null, ["10000"]],
  [
    "another payee in the body",
    { header: encode(challengeOf(termOf())), body: JSON.stringify(challengeOf(termOf({ payTo: OTHER, amount: "2" }))) },
    [BASE],
    PAID,
    ["10000", "2"],
  ],
  [
    "a way to pay without a payee beside a whole one",
    both(challengeOf({ network: "eip155:8453" }, termOf())),
    [],
    PAID,
    ["none", "10000", "none", "10000"],
  ],
  ["ways to pay that are no objects", both(challengeOf(null, 1, "exact")), [], null, Array(6).fill("none")],
  ["ways to pay that are no list", both({ x402Version: 2, accepts: { 0: termOf() } }), [], null, []],
  ["null", both(null), [], null, []],
  ["a list", both([termOf()]), [], null, []],
  ["an amount of version 1", both(challengeOf(termOf({ amount: undefined }))), [BASE], null, ["none", "none"]],
  ["a part of a cent", both(challengeOf(termOf({ amount: "0.5" }))), [BASE], null, ["0.5", "0.5"]],
  ["a token that is no USDC", both(challengeOf(termOf({ asset: OTHER }))), [BASE], null, ["10000", "10000"]],
  ["a scheme nobody speaks", both(challengeOf(termOf({ scheme: "barter" }))), [BASE], null, ["10000", "10000"]],
  [
    "more ways to pay than anybody reads",
    both(challengeOf(...Array(51).fill(termOf()))),
    [],
    null,
    Array(102).fill("10000"),
  ],
  ["names of every object", { body: '{"accepts":[{"__proto__":{"network":"a","payTo":"b"}}]}' }, [], null, ["none"]],
  ["brackets without end", { header: Buffer.from(deep).toString("base64"), body: deep }, [], null, []],
])("of %s everybody reads what he always read", async (_, sent, payees, paid, amounts) => {
  const read = { payees: await readPayees(sent), paid: readPaid(sent), amounts: readAmounts(sent) };
  expect(read).toEqual({ payees, paid, amounts });
});
