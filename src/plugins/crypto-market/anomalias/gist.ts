import type { TellGist } from "intel-node";
import type { AnomaliasData } from "./schema.ts";

export const gist: TellGist<AnomaliasData> = (data, { en, pt, say, fig, moment, name, opt, pick }) => {
  const { anomalies, scanned, bars_until } = data;
  const [first] = anomalies ?? [];
  const [tests, coins] = [fig(scanned?.tests, "count"), fig(scanned?.symbols, "count")];
  if (!first) {
    return {
      headline: {
        value: scanned?.tests ?? null,
        unit: pick("tests", "testes"),
        sense: pick("nothing unusual", "nada incomum"),
      },
      text:
        en`${name("Crypto")} shows nothing unusual to ${moment(bars_until)}: ${tests} tests on ${coins} coins found no
        anomaly` ??
        pt`${name("Cripto")} não mostra nada incomum até ${moment(bars_until)}: ${tests} testes em ${coins} moedas,
        nenhuma anomalia`,
    };
  }
  const kind = name(first.type?.replaceAll("_", " "));
  const off = fig(first.rz, "number", { decimals: 1 });
  return {
    headline: { value: first.value, unit: first.unit, sense: say`${first.symbol}: ${kind}` },
    text:
      en`${name(first.symbol)} is odd by ${kind} to ${moment(bars_until)}, at ${fig(first.value, "number")}${opt(
        en`, ${off} robust deviations off`,
      )}, in ${tests} tests on ${coins} coins` ??
      pt`${name(first.symbol)} foge do normal em ${kind} até ${moment(bars_until)}, em ${fig(first.value, "number")}
        ${opt(pt`, a ${off} desvios robustos`)}, em ${tests} testes de ${coins} moedas`,
  };
};
