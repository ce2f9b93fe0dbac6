import type { TellGist } from "intel-node";
import type { AgentCallData } from "./schema.ts";

export const gist: TellGist<AgentCallData> = (data, { en, pt, fig, host, moment, opt, pick }) => {
  const { peer, peer_payment, relayed_at, target } = data;
  const took = fig(peer?.latency_ms, "number", { decimals: 0 });
  const paid = peer_payment?.required ? pick("it wants to be paid", "pede pagamento") : null;
  return {
    headline: { value: peer?.latency_ms ?? null, unit: "ms", sense: host(target) },
    text:
      en`${host(target)} answered with status ${fig(peer?.status, "number")} and ${fig(peer?.bytes, "count")} bytes on
        ${moment(relayed_at)}${opt(en`, in ${took} ms`)}${opt(en`; ${paid}`)}; what it says is not checked` ??
      pt`${host(target)} respondeu com status ${fig(peer?.status, "number")} e ${fig(peer?.bytes, "count")} bytes em
        ${moment(relayed_at)}${opt(pt`, em ${took} ms`)}${opt(pt`; ${paid}`)}; o que diz não foi verificado`,
  };
};
