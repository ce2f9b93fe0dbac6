import type { TellGist } from "intel-node";
import type { TrustHashData } from "./schema.ts";

export const gist: TellGist<TrustHashData> = (data, { en, pt, fig, moment, name, pick }) => {
  const { seq, leaf_count, sealed_at, root } = data;
  const short = root ? `${root.slice(0, 6)}…${root.slice(-4)}` : null;
  return {
    headline: { value: seq, unit: pick("number of the seal", "número do selo"), sense: short },
    text:
      en`Seal ${fig(seq, "number")} of ${name("this node")} of ${moment(sealed_at)} binds ${fig(leaf_count, "count")}
        answers by a signed hash` ??
      pt`O selo ${fig(seq, "number")} de ${name("um nó")} de ${moment(sealed_at)} prende ${fig(leaf_count, "count")}
        respostas por um hash assinado`,
  };
};
