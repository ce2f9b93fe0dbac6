import { type Static, Type } from "@sinclair/typebox";
import { closed, count, nullable, number, oneOf, share, text } from "intel-node";
import { RELAY_NAMES } from "../providers/mev-relays/provider.ts";

export const MevFlowParams = Type.Object(
  { hours: Type.Optional(Type.Integer({ description: "Window.", minimum: 1, maximum: 24, default: 6 })) },
  closed,
);

const eth = (description: string) => number(description, { decimals: 6 });
const lamports = count("Lamports.");

export const MevFlowSchema = Type.Object(
  {
    ethereum: nullable(
      Type.Object(
        {
          window: Type.Object(
            {
              from: text("First slot reported."),
              to: text("Last slot reported."),
              slots: count("Slots in between, both included."),
              gap_slots: count("Slots without any report for 15 minutes and more."),
            },
            { ...closed, description: "What was seen." },
          ),
          blocks: count("Different blocks that relays delivered."),
          mev_boost_share: nullable(
            share("Of the slots.", { decimals: 4 }),
            "Blocks over slots; null when the window has gaps.",
          ),
          value_eth: Type.Object(
            {
              total: eth("Sum."),
              mean: eth("Mean."),
              p50: eth("Median."),
              p90: eth("90th percentile."),
              max: eth("Largest."),
            },
            { ...closed, description: "Paid to proposers." },
          ),
          builders: Type.Array(
            Type.Object(
              {
                pubkey: text("Builder's key."),
                blocks: count("Blocks."),
                share_pct: number("Of all blocks.", { decimals: 4 }),
                value_eth: eth("Paid to proposers."),
              },
              closed,
            ),
            { description: "Most blocks first, at most 8." },
          ),
          builder_hhi: number("Herfindahl index of the builders' shares, 0 to 10,000.", { decimals: 2 }),
          relays: Type.Array(
            Type.Object(
              {
                id: oneOf(RELAY_NAMES, "Relay."),
                payloads: count("Blocks of the window it reported."),
                ok: Type.Boolean({ description: "Whether it answers now." }),
              },
              closed,
            ),
            { description: "A block counts at each relay that delivered it." },
          ),
          top_blocks: Type.Array(
            Type.Object(
              {
                block_number: count("Block."),
                slot: count("Slot."),
                value_eth: eth("Paid."),
                builder: text("Builder's key."),
              },
              closed,
            ),
            { description: "The five that paid most." },
          ),
        },
        closed,
      ),
      "Null when fewer than two relays answer.",
    ),
    solana: Type.Object(
      {
        tip_lamports: nullable(
          Type.Object(
            { p25: lamports, p50: lamports, p75: lamports, p95: lamports, p99: lamports, ema50: lamports },
            closed,
          ),
          "Tips of bundles that landed, as Jito says; null without it.",
        ),
        priority_fee_microlamports: nullable(
          Type.Object(
            {
              p50: number("Median."),
              p90: number("90th percentile.", { decimals: 2 }),
              max: number("Largest."),
              slots: count("Slots."),
            },
            closed,
          ),
          "Least fee per compute unit that got into each of the last slots; null without a node.",
        ),
      },
      { ...closed, description: "Solana." },
    ),
  },
  closed,
);
export type MevFlowData = Static<typeof MevFlowSchema>;
