import type { TellGist } from "intel-node";
import type { AuditData } from "./schema.ts";

const VERDICTS: Readonly<Record<string, readonly [en: string, pt: string]>> = {
  sound: ["sound", "sólido"],
  acceptable: ["acceptable", "aceitável"],
  caution: ["a case for caution", "um caso para cautela"],
  unsafe: ["unsafe", "inseguro"],
};

export const gist: TellGist<AuditData> = (data, { en, pt, fig, host, moment, name, word, opt, pick }) => {
  const { url, score, verdict, payment, requests_made } = data;
  const sense = word(VERDICTS, verdict);
  const price = fig(payment?.accepts?.[0]?.amount_usd, "usd", { decimals: 4 });
  const asked = fig(requests_made, "count");
  return {
    headline: { value: score, unit: pick("of 100", "de 100"), sense },
    text:
      en`The seller ${host(url)} is ${sense} on ${moment()}, ${fig(score, "index")} of ${name("100")}${opt(en`, at a
        price of ${price}`)}${opt(en`, by ${asked} requests and without a payment`)}` ??
      pt`O vendedor ${host(url)} é ${sense} em ${moment()}, ${fig(score, "index")} de ${name("100")}${opt(pt`, ao
        preço de ${price}`)}${opt(pt`, por ${asked} pedidos e sem pagamento`)}`,
  };
};
