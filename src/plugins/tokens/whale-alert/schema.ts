import { type Static, Type } from "@sinclair/typebox";
import { closed, count, nullable, number, oneOf, share, text } from "intel-node";
import { BLOCK_CHAINS, SCANNED_CHAINS, WHALE_CHAINS } from "../whales/chains.ts";
import { TRANSFER_CLASSES } from "../whales/labels.ts";

export const WhaleAlertParams = Type.Object(
  {
    min_usd: Type.Optional(
      Type.Integer({
        description: "Least value of a transfer, US dollars.",
        minimum: 100_000,
        maximum: 1_000_000_000,
        default: 1_000_000,
      }),
    ),
    hours: Type.Optional(Type.Integer({ description: "Window.", minimum: 1, maximum: 24, default: 6 })),
    chain: Type.Optional(oneOf(WHALE_CHAINS, "This chain only.")),
    limit: Type.Optional(Type.Integer({ description: "Rows at most.", minimum: 1, maximum: 100, default: 12 })),
  },
  closed,
);

const usd = (description: string) => number(description, { decimals: 2 });
const label = (description: string) =>
  nullable(Type.String(), `${description} Null for an unlabelled address: it is not guessed.`);

export const WhaleAlertSchema = Type.Object(
  {
    window: Type.Object({ from: text("Start."), to: text("End.") }, { ...closed, description: "Asked for." }),
    min_usd: number("As asked."),
    count: count("Transfers of that size that were seen."),
    alerts: Type.Array(
      Type.Object(
        {
          id: text("Chain, transaction and log or output."),
          chain: oneOf(WHALE_CHAINS, "Chain."),
          kind: oneOf(["transfer", "dex_trade"], "A transfer, or on Solana a trade in a watched pool."),
          class: oneOf([...TRANSFER_CLASSES, "trade"], "By its two ends; of a trade just that."),
          asset: text("Token; ETH is ether itself, WETH its wrapped form."),
          amount: nullable(
            Type.String(),
            "Whole units, exact; of Bitcoin the largest output that is not known to be change. Null for a token " +
              "that is no longer watched.",
          ),
          usd: usd("US dollars; stablecoins count at 1."),
          tx_total_usd: nullable(
            number("", { decimals: 2 }),
            "Bitcoin: all outputs of the transaction, change among them.",
            "on other chains",
          ),
          from: nullable(
            Type.String(),
            "Sender; the pool for a purchase. Null where a block of Bitcoin does not prove one address.",
          ),
          from_label: label("Known as."),
          to: nullable(Type.String(), "Receiver; the pool for a sale.", "for an output without an address"),
          to_label: label("Known as."),
          tx: text("Transaction; of several parts the first."),
          block: count("Block; on Solana the slot."),
          before: text(
            "It happened before: time of the newest block when it was read; of Bitcoin, Solana and ether its own time.",
          ),
          parts: count("Transfers between the two within ten blocks, shown as one."),
        },
        closed,
      ),
      { description: "Largest first." },
    ),
    exchange_netflow: Type.Array(
      Type.Object(
        {
          asset: text("Token."),
          net_usd: usd("Inflow less outflow."),
          inflow_usd: usd("Into labelled exchanges."),
          outflow_usd: usd("Out of labelled exchanges."),
          labelled_share: share("Part of the value seen that has a label.", { decimals: 4 }),
        },
        closed,
      ),
      { description: "Of all transfers of 100,000 US dollars and more that were seen, by token." },
    ),
    coverage: Type.Object(
      {
        chains: Type.Array(
          Type.Object(
            {
              chain: oneOf(BLOCK_CHAINS, "Chain."),
              blocks_scanned: count("Read whole."),
              blocks_expected: count("Of the window."),
              confirmations: count("Blocks nearer to the head are left for later."),
            },
            closed,
          ),
          { description: "Per chain that is read block by block." },
        ),
        native: Type.Array(
          Type.Object(
            {
              chain: oneOf(SCANNED_CHAINS, "Chain."),
              blocks_scanned: count("Read whole: all, or an even sample of them."),
              blocks_expected: count("Of the window."),
              internal: Type.Literal("not_seen", { description: "Payments by contracts are in no block." }),
            },
            closed,
          ),
          { description: "Of ether itself: what transactions that went through carry as their value." },
        ),
        pools: Type.Array(
          Type.Object(
            {
              chain: Type.Literal("solana", { description: "Chain." }),
              pool: text("Watched pool."),
              name: text("Its two tokens."),
              listed: count("Transactions that went through in the window, as far as they were listed."),
              read: count("Of them, read: an even sample."),
              commitment: Type.Literal("finalized", { description: "Two thirds of the stake voted for it." }),
            },
            closed,
          ),
          { description: "Solana is seen by a sample of a few deep pools' transactions, and nothing else of it." },
        ),
      },
      { ...closed, description: "What part of the market was seen." },
    ),
  },
  closed,
);
export type WhaleAlertData = Static<typeof WhaleAlertSchema>;
