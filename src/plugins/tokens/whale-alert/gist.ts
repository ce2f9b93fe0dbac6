import type { TellGist } from "intel-node";
import { TRANSFER_WORDS } from "../written/words.ts";
import type { WhaleAlertData } from "./schema.ts";

export const gist: TellGist<WhaleAlertData> = (data, { en, pt, say, fig, share, moment, name, word, opt, pick }) => {
  const [first] = data.alerts ?? [];
  const [flow] = data.exchange_netflow ?? [];
  const size = fig(first?.usd, "usd", { large: true, label: "largest" });
  const kind = word(TRANSFER_WORDS, first?.class);
  const net = fig(flow?.net_usd, "usd", { large: true });
  const labelled = share(flow?.labelled_share, { decimals: 0 });
  return {
    headline: {
      value: first?.usd ?? null,
      unit: "usd",
      sense: first ? say`${first.asset}, ${first.chain}` : pick("no large transfer", "nenhuma transferência grande"),
    },
    text:
      en`${name(first?.asset)} for ${size} moved on ${name(first?.chain)} by ${moment(first?.before)}${opt(en`,
        ${kind}`)}${opt(
        en`; the net flow of ${name(flow?.asset)} into exchanges is ${net}`,
      )}${opt(en`, with ${labelled} of it labelled`)}` ??
      pt`${name(first?.asset)} por ${size} se moveu na ${name(first?.chain)} até ${moment(first?.before)}${opt(pt`,
        ${kind}`)}${opt(
        pt`; o fluxo líquido de ${name(flow?.asset)} para exchanges é ${net}`,
      )}${opt(pt`, com ${labelled} identificado`)}`,
  };
};
