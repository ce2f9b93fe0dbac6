/**
 * What the node makes of each answer of a facilitator: the one table of it. The page docs/facilitator-answers.md shows
 * it, and test/payments/facilitator-answers.test.ts plays every cell.
 */

export const CALLS = ["supported", "verify", "settle"] as const;
export type Call = (typeof CALLS)[number];

/** The statuses every body is played with. */
export const STATUSES = [200, 307, 402, 429, 503] as const;
export type Status = (typeof STATUSES)[number];

export type Verdict = "listed" | "not listed" | "valid" | "refused" | "no word" | "settled" | "unknown";

interface Consequences {
  readonly to_blame: "nobody" | "the buyer" | "the facilitator";
  /** Whether it is certain that nothing was settled. */
  readonly certain: string;
  readonly next_asked: "yes" | "no";
  readonly buyer_hears: string;
  readonly wallet: string;
}

const NOTHING_YET = "yes: it is not asked to settle";

/** What follows from a verdict. */
export const CONSEQUENCES: Readonly<Record<Call, Readonly<Partial<Record<Verdict, Consequences>>>>> = {
  supported: {
    listed: {
      to_blame: "nobody",
      certain: NOTHING_YET,
      next_asked: "yes",
      buyer_hears: "a 402 that offers the network",
      wallet: "free",
    },
    "not listed": {
      to_blame: "the facilitator",
      certain: NOTHING_YET,
      next_asked: "yes",
      buyer_hears: "a 402 without the network, where no other facilitator settles it",
      wallet: "free",
    },
  },
  verify: {
    valid: {
      to_blame: "nobody",
      certain: NOTHING_YET,
      next_asked: "no",
      buyer_hears: "the answer, once it is settled",
      wallet: "free",
    },
    refused: {
      to_blame: "the buyer",
      certain: NOTHING_YET,
      next_asked: "no",
      buyer_hears: "402 `invalid_payment`, `insufficient_funds`, `payment_expired` or `amount_mismatch`",
      wallet: "free at once",
    },
    "no word": {
      to_blame: "the facilitator",
      certain: NOTHING_YET,
      next_asked: "yes",
      buyer_hears: "the answer, by another facilitator; 503 `facilitator_unavailable` where there is none",
      wallet: "free at once",
    },
  },
  settle: {
    settled: {
      to_blame: "nobody",
      certain: "no: it was settled",
      next_asked: "no",
      buyer_hears: "200 and the answer",
      wallet: "free",
    },
    refused: {
      to_blame: "the buyer",
      certain: "yes",
      next_asked: "no",
      buyer_hears: "402 `settlement_failed`",
      wallet: "free at once",
    },
    unknown: {
      to_blame: "the facilitator",
      certain: "no",
      next_asked: "no",
      buyer_hears: "503 `settlement_unknown`",
      wallet: "free when the outcome is known, or when the payment can land no more",
    },
  },
};

export interface AnswerRow {
  readonly call: Call;
  readonly what: string;
  /** As text: `$TX` stands for a transaction that no other cell names, `$NONCE` for the payment's own nonce. */
  readonly body: string;
  /** With a status of success. */
  readonly succeeding: Verdict;
  /** With 4xx and 5xx. */
  readonly failing: Verdict;
}

/** A redirect is never followed, whatever stands in it. */
const REDIRECTED: Readonly<Record<Call, Verdict>> = { supported: "not listed", verify: "no word", settle: "unknown" };

export function verdictOf({ call, succeeding, failing }: AnswerRow, status: Status): Verdict {
  if (status < 300) return succeeding;
  return status < 400 ? REDIRECTED[call] : failing;
}

export const ANSWERED_NETWORK = "eip155:84532";
const TX = "$TX";

type Entry = readonly [what: string, body: unknown];
/** Rows of one call with the same verdicts. A body that is a text is sent as it is. */
const rowsOf = (call: Call, [succeeding, failing]: readonly [Verdict, Verdict], entries: readonly Entry[]) =>
  entries.map(
    ([what, body]): AnswerRow => ({
      call,
      what,
      body: typeof body === "string" ? body : JSON.stringify(body),
      succeeding,
      failing,
    }),
  );

const NO_JSON: readonly Entry[] = [
  ["an empty body", ""],
  ["a page of HTML", "<html><body>502 Bad Gateway</body></html>"],
  ["JSON that breaks off", '{"success":false,"isValid":false,"kinds":[{"x402Version":2'],
  ["null", "null"],
  ["a number", "0"],
  ["a text", '"refused"'],
  ["a list", "[]"],
  ["an empty object", "{}"],
  ["an error of another kind", { error: "payment required", x402Version: 2, accepts: [] }],
];

const kind = { x402Version: 2, scheme: "exact", network: ANSWERED_NETWORK };
const supported = [
  ...rowsOf(
    "supported",
    ["listed", "not listed"],
    [
      ["a list", { kinds: [kind], extensions: [], signers: {} }],
      ["a list and nothing else", { kinds: [kind] }],
      ["null members", { kinds: [{ ...kind, extra: null }], extensions: null, signers: null }],
      ["blank members", { kinds: [{ ...kind, extra: "" }], extensions: "", signers: "" }],
      ["members of the wrong type", { kinds: [{ ...kind, extra: [1] }], extensions: 5, signers: [1] }],
      ["odd kinds beside a good one", { kinds: [null, 5, "", [], { ...kind, network: 7 }, kind] }],
      ["odd accounts", { kinds: [kind], signers: { "eip155:*": [5, null, "0x1"], "solana:*": "a" } }],
      ["members nobody knows", { kinds: [{ ...kind, more: 1 }], more: { of: "it" } }],
    ],
  ),
  ...rowsOf(
    "supported",
    ["not listed", "not listed"],
    [
      ["no kinds", { kinds: [] }],
      ["kinds of version 1 alone", { kinds: [{ ...kind, x402Version: 1, network: "base-sepolia" }] }],
      ["kinds that are null", { kinds: null }],
      ["kinds that are an object", { kinds: { "0": kind } }],
      ["another network", { kinds: [{ ...kind, network: "eip155:8453" }] }],
      ["another scheme", { kinds: [{ ...kind, scheme: "upto" }] }],
      ...NO_JSON,
    ],
  ),
];

const invalid = { isValid: false, invalidReason: "insufficient_funds" };
const verify = [
  ...rowsOf(
    "verify",
    ["valid", "no word"],
    [
      ["valid", { isValid: true, payer: "0x1" }],
      ["valid and nothing else", { isValid: true }],
      ["valid with blank members", { isValid: true, invalidReason: "", invalidMessage: null, payer: "" }],
      ["valid with members of the wrong type", { isValid: true, invalidReason: 0, payer: {}, more: [] }],
    ],
  ),
  ...rowsOf(
    "verify",
    ["refused", "refused"],
    [
      ["a refusal", { ...invalid, payer: "0x1" }],
      ["a refusal without a reason", { isValid: false }],
      ["a blank reason", { isValid: false, invalidReason: "", invalidMessage: "", payer: "" }],
      ["a reason of spaces", { isValid: false, invalidReason: "  " }],
      ["null as reason", { isValid: false, invalidReason: null, invalidMessage: null, payer: null }],
      ["a number as reason", { isValid: false, invalidReason: 7 }],
      ["an object as reason", { isValid: false, invalidReason: { code: "insufficient_funds" } }],
      ["a list as reason", { isValid: false, invalidReason: ["insufficient_funds"] }],
      ["an object as message", { ...invalid, invalidMessage: { text: "no" }, payer: 5 }],
      ["members nobody knows", { ...invalid, extra: 5, success: true, transaction: TX }],
    ],
  ),
  ...rowsOf(
    "verify",
    ["no word", "no word"],
    [
      ["it broke down", { isValid: false, invalidReason: "unexpected_verify_error" }],
      ["it does not settle what it lists", { isValid: false, invalidReason: "invalid_network" }],
      ['isValid as text, "true"', { isValid: "true" }],
      ['isValid as text, "false"', { isValid: "false", invalidReason: "insufficient_funds" }],
      ["isValid as a number", { isValid: 0 }],
      ["null as isValid", { isValid: null, invalidReason: "insufficient_funds" }],
      ["the answer to another call", { success: false, errorReason: "insufficient_funds" }],
      ...NO_JSON,
    ],
  ),
];

const success = { success: true, transaction: TX, network: ANSWERED_NETWORK };
const failure = { success: false, errorReason: "insufficient_funds" };
const refusals: readonly Entry[] = [
  ["a refusal", { ...failure, transaction: "", network: ANSWERED_NETWORK, payer: "0x1" }],
  ["a refusal with blank members", { ...failure, transaction: "", network: "", payer: "" }],
  ["a refusal with null members", { ...failure, transaction: null, network: null, payer: null, errorMessage: null }],
  ["a refusal and nothing else", { success: false }],
  ["members of spaces", { ...failure, transaction: "  ", network: " ", payer: " " }],
  ["zeros as transaction", { ...failure, transaction: `0x${"0".repeat(64)}`, network: ANSWERED_NETWORK }],
  ["a transaction of nothing, 0x", { ...failure, transaction: "0x" }],
  ["0 as transaction", { ...failure, transaction: 0 }],
  ["false as transaction", { ...failure, transaction: false }],
  ["an empty object as transaction", { ...failure, transaction: {} }],
  ["an empty list as transaction", { ...failure, transaction: [] }],
  ["the network by its version 1 name", { ...failure, transaction: "", network: "base-sepolia" }],
  ["the network by its number", { ...failure, transaction: "", network: 84_532 }],
  ["an object as network", { ...failure, transaction: "", network: {} }],
  ["a blank reason", { success: false, errorReason: "", transaction: "", network: "" }],
  ["null as reason", { success: false, errorReason: null, transaction: "" }],
  ["a number as reason", { success: false, errorReason: 7, transaction: "" }],
  ["an object as reason", { success: false, errorReason: { code: "no" }, transaction: "" }],
  ["a list as reason", { success: false, errorReason: ["no"], transaction: "" }],
  ["an object as message", { ...failure, errorMessage: { text: "no" }, payer: 5, transaction: "" }],
  ["the payment's own nonce", { ...failure, errorMessage: "authorization $NONCE of the buyer", transaction: "" }],
  ["members nobody knows", { ...failure, isValid: true, amount: 5, extra: [], more: { of: "it" } }],
];
const settle = [
  ...rowsOf(
    "settle",
    ["settled", "unknown"],
    [
      ["a success", { ...success, payer: "0x1" }],
      ["a success with blank members", { ...success, errorReason: "", errorMessage: null, payer: "" }],
      ["a success with members of the wrong type", { ...success, errorReason: 0, payer: {}, amount: 5 }],
      ["a success with the version 1 name", { ...success, network: "base-sepolia" }],
    ],
  ),
  ...rowsOf("settle", ["refused", "refused"], refusals),
  ...rowsOf(
    "settle",
    ["unknown", "unknown"],
    [
      ["a success without a network", { success: true, transaction: TX }],
      ["a success on a blank network", { ...success, network: "" }],
      ["a success on a network that is null", { ...success, network: null }],
      ["a success on a network by its number", { ...success, network: 84_532 }],
      ["a success on another network", { ...success, network: "eip155:8453" }],
      ["a success without a transaction", { success: true, network: ANSWERED_NETWORK }],
      ["a success with a blank transaction", { ...success, transaction: "" }],
      ["a success with zeros as transaction", { ...success, transaction: `0x${"0".repeat(64)}` }],
      ["a success with a malformed transaction", { ...success, transaction: `${TX}0` }],
      ["a success with a number as transaction", { ...success, transaction: 5 }],
      ["a refusal that names a transaction", { ...failure, transaction: TX, network: ANSWERED_NETWORK }],
      ["a transaction that cannot be read", { ...failure, transaction: { hash: TX } }],
      ["a number as transaction", { ...failure, transaction: 5 }],
      ["a transaction of another chain", { ...failure, transaction: "K".repeat(52) }],
      ["a transaction under another name", { ...failure, transaction: "", txHash: TX }],
      ["a transaction in the message", { ...failure, transaction: "", errorMessage: `sent\n${TX}, and lost` }],
      ["a refusal on another network", { ...failure, transaction: "", network: "eip155:8453" }],
      ["a refusal on another network by its number", { ...failure, transaction: "", network: 8_453 }],
      ["it is pending", { success: false, errorReason: "settlement_pending", transaction: "" }],
      ["it broke down", { success: false, errorReason: "unexpected_settle_error", transaction: "" }],
      ["the nonce is already used", { success: false, errorReason: "nonce_already_used", transaction: "" }],
      ['success as text, "true"', { ...success, success: "true" }],
      ['success as text, "false"', { ...failure, success: "false", transaction: "", network: "" }],
      ["success as a number", { ...failure, success: 0, transaction: "" }],
      ["null as success", { ...failure, success: null, transaction: "" }],
      ["no success at all", { errorReason: "insufficient_funds", transaction: "" }],
      ["the answer to another call", { isValid: false, invalidReason: "insufficient_funds" }],
      ...NO_JSON,
    ],
  ),
];

export const ANSWERS: readonly AnswerRow[] = [...supported, ...verify, ...settle];

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
const shown = (body: string): string => (body === "" ? "" : `\`${cell(body).replace(/0{60,}|K{50,}/, "…")}\``);

/** The table as the documentation has it. */
export function renderAnswers(): string {
  return CALLS.flatMap((call) => [
    `## \`/${call}\``,
    "",
    "| verdict | to blame | is it certain that nothing was settled | is the next one asked | the buyer gets " +
      "| his wallet is |",
    "| --- | --- | --- | --- | --- | --- |",
    ...Object.entries(CONSEQUENCES[call]).map(
      ([verdict, { to_blame, certain, next_asked, buyer_hears, wallet }]) =>
        `| ${verdict} | ${to_blame} | ${certain} | ${next_asked} | ${buyer_hears} | ${wallet} |`,
    ),
    "",
    `| answer | such as | with 2xx | with 3xx | with 4xx, 5xx |`,
    "| --- | --- | --- | --- | --- |",
    ...ANSWERS.filter((row) => row.call === call).map(
      (row) => `| ${row.what} | ${shown(row.body)} | ${row.succeeding} | ${REDIRECTED[call]} | ${row.failing} |`,
    ),
    "",
  ]).join("\n");
}
