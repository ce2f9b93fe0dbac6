import { type Static, Type } from "@sinclair/typebox";
import { closed, count, nullable, number, oneOf, share, text } from "intel-node";
import { ScreenSchema } from "../wallet-scan/schema.ts";

export const WALLET_VERDICTS = ["BLOCK", "CAUTION", "CLEAR"] as const;
export type WalletVerdict = (typeof WALLET_VERDICTS)[number];

export const WalletAuditSchema = Type.Object(
  {
    address: text("The wallet; EVM in lower case."),
    kind: oneOf(["evm", "solana"] as const, "Family of chains."),
    verdict: oneOf(WALLET_VERDICTS, "CLEAR: every required screen ran and nothing adverse was found."),
    basis: text("Why, in a sentence."),
    risk: number("0 to 100, higher is worse.", { decimals: 1 }),
    confidence: oneOf(["full", "limited"] as const, "limited on Solana, where three screens do not exist."),
    screens: Type.Array(ScreenSchema, { description: "Every screen; the README says which are required." }),
    flags: Type.Array(
      Type.Object(
        {
          id: text("Name of the finding."),
          points: number("What it adds to the risk.", { decimals: 1 }),
          evidence: text("What was seen."),
        },
        closed,
      ),
      { description: "What adds to the risk." },
    ),
    profile: Type.Object(
      {
        age_days: nullable(number("Days since the first transaction.", { decimals: 1 }), "Null when not known."),
        tx_count: nullable(count("Transactions."), "Null when not known."),
        account_type: oneOf(["eoa", "contract", "eip7702", "wallet"] as const, "Kind of account at the address."),
        balance_usd: nullable(number("US dollars.", { decimals: 2 }), "Of what has a price; null when nothing has."),
      },
      { ...closed, description: "The wallet in short." },
    ),
    counterparties: Type.Object(
      {
        checked: nullable(count("Other sides looked up."), "Null when not known."),
        sanctioned_share: nullable(
          share("Part of the chain's coin that moved with listed ones.", { decimals: 6 }),
          "Null where no counterparty is listed, or no coin moved.",
        ),
        sanctioned: Type.Array(Type.Object({ address: text("Other side."), list: text("Its list.") }, closed), {
          description: "Counterparties on a list.",
        }),
      },
      { ...closed, description: "Whom it dealt with." },
    ),
    scope_note: text("What CLEAR means."),
    not_advice: Type.Literal(true, { description: "No advice." }),
  },
  closed,
);

export type WalletAuditData = Static<typeof WalletAuditSchema>;
