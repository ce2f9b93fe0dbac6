import { type Static, Type } from "@sinclair/typebox";
import { closed, count, nullable, number, oneOf, share, text } from "intel-node";

export const ROWS = { max: 20, default: 3 } as const;
export const WalletParams = Type.Object(
  {
    address: Type.Optional(
      Type.String({
        minLength: 32,
        maxLength: 44,
        description: "EVM or Solana address; the wallet that pays for the call when left out.",
      }),
    ),
    rows: Type.Optional(
      Type.Integer({
        description: "Most holdings and most counterparties that are listed; totals are of all.",
        minimum: 1,
        maximum: ROWS.max,
        default: ROWS.default,
      }),
    ),
  },
  closed,
);

export const ScreenSchema = Type.Object(
  {
    id: text("S1 lists, S2 oracle, S3 GoPlus, S4 history, S5 counterparties, S6 issuer freeze, S7 code."),
    provider: text("Provider that was asked."),
    status: oneOf(["hit", "clear", "unknown", "not_applicable"] as const, "unknown is never clear."),
    detail: text("What was seen."),
  },
  closed,
);

const Token = Type.Object(
  {
    chain: text("Chain it is on."),
    address: nullable(Type.String(), "Contract or mint", "for the chain's own coin"),
    symbol: nullable(Type.String(), "Symbol of a token this node knows", "for others: names are anybody's"),
    amount: text("Whole units, exact."),
    price_usd: nullable(number("US dollars for one.", { digits: 8 }), "Null where no source prices it."),
    value_usd: nullable(number("US dollars.", { decimals: 2 }), "Null without a price."),
    spam: Type.Boolean({
      description: "Probably: an unknown token without a price, or with a holding that its pool could not pay.",
    }),
  },
  closed,
);

export const WalletScanSchema = Type.Object(
  {
    address: text("The wallet; EVM in lower case."),
    kind: oneOf(["evm", "solana"] as const, "Family of chains."),
    account_type: oneOf(["eoa", "contract", "eip7702", "wallet"] as const, "Kind of account at the address."),
    delegate: nullable(Type.String(), "Contract an EIP-7702 account delegates to", "for all others"),
    multisig: nullable(
      Type.Object({ threshold: count("Owners that have to sign."), owners: count("Owners.") }, closed),
      "Where its contract answers as a Safe does",
      "for all others",
    ),
    chains: Type.Array(text("Chain."), { description: "Chains that were read." }),
    holdings: Type.Array(Token, {
      description: "The `rows` largest by value, what has no price last; the totals are of all it holds.",
    }),
    total_usd: nullable(number("US dollars.", { decimals: 2 }), "Of what has a price; null when nothing has."),
    unpriced_count: count("Holdings without a price; they are not part of total_usd."),
    priced_share_of_holdings: share("Share of the holdings that have a price.", { decimals: 4 }),
    concentration: nullable(share("Largest share of total_usd.", { decimals: 4 }), "Null when nothing has a price."),
    first_seen: nullable(Type.String(), "First transaction, ISO 8601 UTC; null when not known."),
    age_days: nullable(number("Days since then.", { decimals: 1 }), "Null when not known."),
    age_is_lower_bound: Type.Boolean({ description: "Whether an earlier transaction is possible." }),
    last_active: nullable(Type.String(), "Newest transaction, ISO 8601 UTC; null when not known."),
    tx_count: nullable(count("EVM: sent, all chains; Solana: taken part in."), "Null when not known."),
    top_counterparties: nullable(
      Type.Array(
        Type.Object(
          { address: text("Other side."), count: count("Transactions with it among the newest 50 a chain.") },
          closed,
        ),
        { maxItems: 10 },
      ),
      "Most frequent other sides on Ethereum and Base, 10 at most; null when not known.",
    ),
    poisoning_suspects: nullable(
      Type.Array(text("Address.")),
      "Senders whose address looks like a real counterparty's; null when not known.",
    ),
    screens: Type.Array(ScreenSchema, { description: "Quick screens." }),
    risk_flags: Type.Array(text("Flag."), { description: "What a reader should see first." }),
    scope_note: text("What was not read."),
    not_advice: Type.Literal(true, { description: "No advice." }),
  },
  closed,
);

export type WalletParams = Static<typeof WalletParams>;
export type WalletScanData = Static<typeof WalletScanSchema>;
export type Screen = Static<typeof ScreenSchema>;
