import { type Static, Type } from "@sinclair/typebox";
import { compileSchema, type FetchContext, type Unusable, unusable, Whole } from "intel-node";
import { sec } from "./provider.ts";
import type { Filing } from "./submissions.ts";
import { loadXML } from "./xml-parser.ts";

/** One line of a form 3, 4 or 5 about the shares themselves; options and other derivatives are left out. */
export interface InsiderTrade {
  readonly date: string;
  /** The SEC's code of the transaction: P bought and S sold on the market, A granted, M exercised, F kept for tax. */
  readonly code: string;
  readonly shares: number;
  /** US dollars; null where a footnote replaces the price. */
  readonly price: number | null;
  readonly acquired: boolean;
  readonly owned_after: number | null;
}

/** A form 3, 4 or 5: who holds how much, and what that person bought or sold. A form 3 has no trades. */
export interface OwnershipReport {
  readonly form: "3" | "4" | "5";
  readonly owner: string;
  readonly roles: readonly ("director" | "officer" | "ten_percent_owner")[];
  readonly trades: readonly InsiderTrade[];
}

const Value = Type.Object({ value: Type.Optional(Type.String({ maxLength: 40 })) });
const Transaction = Type.Object({
  transactionDate: Value,
  transactionCoding: Type.Object({ transactionCode: Type.String({ pattern: "^[A-Z]$" }) }),
  transactionAmounts: Type.Object({
    transactionShares: Value,
    transactionPricePerShare: Type.Optional(Value),
    transactionAcquiredDisposedCode: Type.Object({ value: Type.Union([Type.Literal("A"), Type.Literal("D")]) }),
  }),
  postTransactionAmounts: Type.Optional(Type.Object({ sharesOwnedFollowingTransaction: Type.Optional(Value) })),
});
const Flag = Type.Optional(Type.String());
const Document = Type.Object({
  ownershipDocument: Type.Object({
    documentType: Type.String({ pattern: "^[345](/A)?$" }),
    issuer: Type.Object({ issuerCik: Type.String({ pattern: "^[0-9]{1,10}$" }) }),
    reportingOwner: Whole(
      "parts",
      Type.Object({
        reportingOwnerId: Type.Object({ rptOwnerName: Type.String({ minLength: 1, maxLength: 150 }) }),
        reportingOwnerRelationship: Type.Optional(
          Type.Object({ isDirector: Flag, isOfficer: Flag, isTenPercentOwner: Flag }),
        ),
      }),
      { minItems: 1, maxItems: 50 },
    ),
    // An empty table is read as an empty text.
    nonDerivativeTable: Type.Optional(
      Type.Union([
        Type.Literal(""),
        Type.Object({ nonDerivativeTransaction: Type.Optional(Whole("sum", Transaction, { maxItems: 500 })) }),
      ]),
    ),
  }),
});
const documents = compileSchema(Document);
const LISTS = new Set(["reportingOwner", "nonDerivativeTransaction"]);
const makeParser = () =>
  new (loadXML().XMLParser)({ ignoreAttributes: true, parseTagValue: false, isArray: (name) => LISTS.has(name) });
const DAY = /^\d{4}-\d{2}-\d{2}/;

/** A plain decimal; null for any other text, or without one. */
const readNumber = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,15}(\.\d{1,10})?$/.test(text) ? Number(text) : null;

function readTrade({ transactionDate, transactionCoding, ...rest }: Static<typeof Transaction>): InsiderTrade | null {
  const { transactionShares, transactionPricePerShare, transactionAcquiredDisposedCode } = rest.transactionAmounts;
  const [date] = DAY.exec(transactionDate.value ?? "") ?? [];
  const shares = readNumber(transactionShares.value);
  if (date === undefined || shares === null) return null;
  return {
    date,
    code: transactionCoding.transactionCode,
    shares,
    // Grants and gifts cost 0, which is not a price of a share.
    price: readNumber(transactionPricePerShare?.value) || null,
    acquired: transactionAcquiredDisposedCode.value === "A",
    owned_after: readNumber(rest.postTransactionAmounts?.sharesOwnedFollowingTransaction?.value),
  };
}

/** @returns the report, or why it is refused: another company's, cut off, or with a line that cannot be read. */
export function readOwnership(xml: string, cik: number): OwnershipReport | Unusable {
  if (/<!(doctype|entity)/i.test(xml)) return unusable("a web page, or its own entities");
  if (loadXML().XMLValidator.validate(xml) !== true) return unusable("no well-formed XML");
  const parsed: unknown = makeParser().parse(xml);
  if (!documents.Check(parsed)) return unusable("no form 3, 4 or 5");
  const { documentType, issuer, reportingOwner, nonDerivativeTable: table } = parsed.ownershipDocument;
  if (Number(issuer.issuerCik) !== cik) return unusable("a form about another company");
  const lines = table ? (table.nonDerivativeTransaction ?? []) : [];
  const trades = lines.map(readTrade);
  if (trades.includes(null)) return unusable("a line without a day or a number of shares");
  const relations = reportingOwner.map(({ reportingOwnerRelationship: relation = {} }) => relation);
  const isAny = (flag: keyof (typeof relations)[number]): boolean =>
    relations.some((relation) => relation[flag] === "1" || relation[flag] === "true");
  return {
    form: documentType.slice(0, 1) as "3" | "4" | "5",
    owner: reportingOwner
      .map(({ reportingOwnerId }) => reportingOwnerId.rptOwnerName)
      .join("; ")
      .slice(0, 150),
    roles: [
      ...(isAny("isDirector") ? (["director"] as const) : []),
      ...(isAny("isOfficer") ? (["officer"] as const) : []),
      ...(isAny("isTenPercentOwner") ? (["ten_percent_owner"] as const) : []),
    ],
    trades: trades.filter((trade) => trade !== null),
  };
}

/** A filing does not change. */
const TTL_MS = 7 * 86_400_000;

/** The form itself, not the page that EDGAR makes of it. @throws UpstreamError */
export function fetchOwnership(
  context: Pick<FetchContext, "get">,
  { cik, filing }: { readonly cik: number; readonly filing: Filing },
): Promise<OwnershipReport> {
  return context.get(sec, {
    path: new URL(filing.url).pathname.replace(/\/xslF345X\d\d\//, "/"),
    format: "text",
    schema: Type.String({ minLength: 40 }),
    body_bytes_max: 1_000_000,
    ttl_ms: TTL_MS,
    read: (xml) => readOwnership(xml, cik),
  });
}
