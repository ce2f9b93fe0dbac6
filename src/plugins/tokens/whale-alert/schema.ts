import { type Static, Type } from "@sinclair/typebox";
import { closed, count, nullable, number, oneOf, share, text } from "intel-node";
import { TRANSFER_CLASSES } from "../shared/whales/labels.ts";
import { SCANNED_CHAINS } from "../shared/whales/scan.ts";

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
    chain: Type.Optional(oneOf(SCANNED_CHAINS, "This chain only.")),
    limit: Type.Optional(Type.Integer({ description: "Rows at most.", minimum: 1, maximum: 100, default: 15 })),
  },
  closed,
);

const usd = (description: string) => number(description, { decimals: 2 });
const label = (description: string) =>
  nullable(Type.String(), `${description} Null for an address nobody labelled: it is not guessed.`);

export const WhaleAlertSchema = Type.Object(
  {
    window: Type.Object({ from: text("Start."), to: text("End.") }, { ...closed, description: "Asked for." }),
    min_usd: number("As asked."),
    count: count("Transfers of that size that were seen."),
    alerts: Type.Array(
      Type.Object(
        {
          id: text("Chain, transaction and log."),
          chain: oneOf(SCANNED_CHAINS, "Chain."),
          kind: Type.Literal("transfer", { description: "A transfer of a token." }),
          class: oneOf(TRANSFER_CLASSES, "By its two ends."),
          asset: text("Token."),
          amount: text("In the token's smallest unit."),
          usd: usd("US dollars; stablecoins count at 1."),
          from: text("Sender."),
          from_label: label("Known as."),
          to: text("Receiver."),
          to_label: label("Known as."),
          tx: text("Transaction; of several parts the first."),
          block: count("Block."),
          before: text("Time of the newest block when it was read: it happened before."),
          parts: count("Transfers between the two within ten blocks that are told as one."),
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
              chain: oneOf(SCANNED_CHAINS, "Chain."),
              blocks_scanned: count("Read whole."),
              blocks_expected: count("Of the window."),
              confirmations: count("Blocks nearer to the head are left for later."),
            },
            closed,
          ),
          { description: "Per chain." },
        ),
      },
      { ...closed, description: "What part of the market was seen." },
    ),
  },
  closed,
);
export type WhaleAlertData = Static<typeof WhaleAlertSchema>;
