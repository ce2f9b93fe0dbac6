import agent from "../../../docs/agent.md" with { type: "text" };
import baskets from "../../../docs/baskets.md" with { type: "text" };
import channels from "../../../docs/channels.md" with { type: "text" };
import market_states from "../../../docs/market-states.md" with { type: "text" };
import metering from "../../../docs/metering.md" with { type: "text" };
import mpp from "../../../docs/mpp.md" with { type: "text" };
import point_in_time from "../../../docs/point-in-time.md" with { type: "text" };
import proof from "../../../docs/proof.md" with { type: "text" };
import recompute from "../../../docs/recompute.md" with { type: "text" };
import signals from "../../../docs/signals.md" with { type: "text" };
import stand_ins from "../../../docs/stand-ins.md" with { type: "text" };
import wallets from "../../../docs/wallets.md" with { type: "text" };
import watches from "../../../docs/watches.md" with { type: "text" };

import { readForBuyers } from "../for-buyers.ts";

/** The guide for agents, of which each section is one task. */
export const AGENT_FILE = "agent.md";

/** The documents for buyers by their file in docs/. Documents for operators alone are in the repository. */
const WHOLE: Readonly<Record<string, string>> = {
  [AGENT_FILE]: agent,
  "baskets.md": baskets,
  "channels.md": channels,
  "market-states.md": market_states,
  "metering.md": metering,
  "mpp.md": mpp,
  "point-in-time.md": point_in_time,
  "proof.md": proof,
  "recompute.md": recompute,
  "signals.md": signals,
  "stand-ins.md": stand_ins,
  "wallets.md": wallets,
  "watches.md": watches,
};
export const GUIDE_SOURCES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(WHOLE).map(([file, text]) => [file, readForBuyers(text)]),
);

/** What a page is made of: a section of the guide for agents ("" is its beginning), or a document. */
type Entry = { readonly section: string; readonly title: string } | { readonly file: string };

export interface GuideGroup {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** The pages in the order in which somebody new reads them; the quick starts follow. */
export const GUIDE_GROUPS: readonly GuideGroup[] = [
  {
    title: "Buying",
    entries: [
      { section: "", title: "The first call" },
      { section: "Look before you buy", title: "Look before you buy" },
      { section: "What an answer holds", title: "What an answer holds" },
      { section: "What you can rely on", title: "What you can rely on" },
      { section: "What became of a payment", title: "What became of a payment" },
      { section: "Names and secrets", title: "Names and secrets" },
    ],
  },
  {
    title: "Ways to pay",
    entries: [
      { section: "Prepaid keys", title: "Prepaid keys" },
      { file: "wallets.md" },
      { file: "mpp.md" },
      { file: "channels.md" },
      { file: "metering.md" },
    ],
  },
  {
    title: "Doors for agents",
    entries: [
      { section: "MCP", title: "MCP" },
      { section: "The chat door", title: "The chat door" },
      { section: "A2A", title: "A2A" },
      { section: "Documents", title: "Documents for software" },
    ],
  },
  {
    title: "More than one answer",
    entries: [
      { file: "baskets.md" },
      { file: "watches.md" },
      { file: "point-in-time.md" },
      { file: "stand-ins.md" },
      { file: "market-states.md" },
    ],
  },
  {
    title: "Proof",
    entries: [
      { section: "Proving a call", title: "Proving a call" },
      { section: "Checking a node", title: "Checking a node" },
      { file: "proof.md" },
      { file: "recompute.md" },
      { file: "signals.md" },
    ],
  },
];
