import type { TellGist } from "intel-node";
import type { MevFlowData } from "./schema.ts";

export const gist: TellGist<MevFlowData> = (data, { en, pt, fig, share, moment, name, opt, pick }) => {
  const { ethereum, solana } = data;
  const [first] = ethereum?.builders ?? [];
  const tip = fig(solana?.tip_lamports?.p50, "number");
  const part = fig(first?.share_pct, "pct", { decimals: 1 });
  const boost = share(ethereum?.mev_boost_share, { decimals: 0 });
  const blocks = fig(ethereum?.blocks, "count");
  return {
    headline: {
      value: first?.share_pct ?? null,
      unit: "pct",
      sense: pick("of blocks by one builder", "dos blocos por um construtor"),
    },
    text:
      en`In ${name("Ethereum")} the builder ${name(first?.pubkey?.slice(0, 10))} made ${part} of ${blocks} blocks to
        ${moment(ethereum?.window?.to ?? null)}${opt(
          en`, ${boost} of all went by relays`,
        )}${opt(en`; the median tip in ${name("Solana")} is ${tip} lamports`)}` ??
      pt`Na ${name("Ethereum")} o construtor ${name(first?.pubkey?.slice(0, 10))} fez ${part} de ${blocks} blocos até
        ${moment(ethereum?.window?.to ?? null)}${opt(
          pt`, ${boost} de todos por relays`,
        )}${opt(pt`; a gorjeta mediana na ${name("Solana")} é ${tip} lamports`)}`,
  };
};
