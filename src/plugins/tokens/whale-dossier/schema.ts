import { type Static, Type } from "@sinclair/typebox";
import { closed, count, nullable, number, oneOf, scopeFields, share, text } from "../parameters/token-schema.ts";
import { SCANNED_CHAINS } from "../whales/chains.ts";
import { TRANSFER_CLASSES } from "../whales/labels.ts";

export const WhaleDossierParams = Type.Object(
  {
    address: Type.Optional(
      Type.String({
        minLength: 32,
        maxLength: 44,
        description: "Address on Ethereum or Base; the three that moved most within a day when left out.",
      }),
    ),
  },
  closed,
);

const usd = (description: string) => number(description, { decimals: 2 });
const flowFields = { in_usd: usd("Into it."), out_usd: usd("Out of it.") } as const;

const ProfileSchema = Type.Object(
  {
    account_type: text("eoa, eip7702, contract."),
    total_usd: nullable(usd("Of what has a price."), "Null when nothing has."),
    age_days: nullable(number("Days since its first transaction.", { decimals: 1 }), "Null when not known."),
    tx_count: nullable(count("Transactions sent."), "Null when not known."),
    last_active: nullable(Type.String(), "Newest transaction, ISO 8601 UTC; null when not known."),
  },
  closed,
);

const AuditSchema = Type.Object(
  {
    verdict: oneOf(["BLOCK", "CAUTION", "CLEAR"] as const, "As /job/wallet-audit says."),
    basis: text("Why."),
    risk: number("0 to 100.", { decimals: 1 }),
    screens: Type.Array(
      Type.Object({ id: text("Screen."), status: text("hit, clear, unknown, not_applicable.") }, closed),
      { description: "What was looked at." },
    ),
  },
  closed,
);

const Subject = Type.Object(
  {
    address: text("Lower case."),
    chain: oneOf(SCANNED_CHAINS, "Chain it moved most on."),
    why_selected: Type.Object(
      {
        gross_usd_24h: usd("Moved in and out within 24 hours."),
        net_usd_24h: usd("In less out."),
        rank: nullable(
          count("By gross, contracts and labelled addresses left out."),
          "",
          "for an address that was named",
        ),
      },
      { ...closed, description: "Why it is here." },
    ),
    profile: nullable(ProfileSchema, "Of /wallet-scan; null where it gave no answer."),
    flows: Type.Object(
      {
        by_asset: Type.Array(Type.Object({ id: text("Token."), ...flowFields }, closed), {
          description: "By token, most first.",
        }),
        by_counterparty_class: Type.Array(
          Type.Object({ id: oneOf(TRANSFER_CLASSES, "Class of the transfer."), ...flowFields }, closed),
          { description: "By what the other end is." },
        ),
        in_usd_7d: usd("Into it."),
        out_usd_7d: usd("Out of it."),
        transfers_7d: count("Transfers of 100,000 US dollars and more that were seen."),
        hours_active: count("Different hours in which it moved something."),
      },
      { ...closed, description: "Within seven days, as far as it was read." },
    ),
    largest: Type.Array(
      Type.Object(
        {
          asset: text("Token."),
          usd: usd("US dollars."),
          direction: oneOf(["in", "out"] as const, "From its side."),
          other: text("Other end."),
          other_label: nullable(Type.String(), "", "for an unlabelled address"),
          tx: text("Transaction."),
          before: text("It happened before."),
        },
        closed,
      ),
      { description: "Its largest transfers, three at most." },
    ),
    related: Type.Array(
      Type.Object(
        { address: text("Other end."), transfers: count("With it."), share: share("Of its flow.", { decimals: 4 }) },
        closed,
      ),
      { description: "Other ends of three transfers and a fifth of its flow or more." },
    ),
    audit: nullable(AuditSchema, "Screens of /job/wallet-audit; null where it gave no answer."),
    open_questions: Type.Array(text("Question."), { description: "Questions this does not answer." }),
  },
  closed,
);

export const WhaleDossierSchema = Type.Object(
  {
    subjects: Type.Array(Subject, { description: "Most moved first." }),
    left_out: Type.Object(
      {
        labelled: count("Addresses of exchanges and bridges among the largest movers."),
        contracts: count("Contracts among those that were looked at, such as pools and routers."),
      },
      { ...closed, description: "Wallets that moved as much and are not here." },
    ),
    coverage: Type.Array(
      Type.Object(
        {
          chain: oneOf(SCANNED_CHAINS, "Chain."),
          blocks_scanned: count("Read whole, of seven days."),
          blocks_expected: count("Of seven days."),
        },
        closed,
      ),
      { description: "What part of the chains was read." },
    ),
    ...scopeFields,
  },
  closed,
);
export type WhaleDossierData = Static<typeof WhaleDossierSchema>;
export type DossierSubject = WhaleDossierData["subjects"][number];
