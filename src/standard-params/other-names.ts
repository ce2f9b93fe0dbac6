import { closest } from "../core/closest.ts";

/**
 * What buyers call one parameter, in English and Portuguese. Products chose one word each: who sends another of its
 * group learns which one is taken here.
 */
const SAME_THING: readonly (readonly string[])[] = [
  ["mint", "token", "address", "contract", "contrato", "ca", "query", "symbol", "q", "coin"],
  ["address", "wallet", "wallets", "account", "owner", "payer", "carteira", "endereco", "endereço", "conta", "from"],
  ["symbol", "ticker", "code", "stock", "share", "commodity", "asset", "coin", "moeda", "ativo", "acao", "ação"],
  ["symbol", "papel", "token", "mint", "query", "q", "pair", "symbols"],
  ["pair", "symbol", "from", "to", "base", "quote", "currency", "currencies", "par", "moeda", "de", "para"],
  ["question", "q", "query", "prompt", "text", "topic", "ask", "pergunta", "texto"],
  ["chain", "network", "blockchain", "rede", "chain_id", "market", "exchange"],
  ["days", "hours", "period", "window", "range", "dias", "horas", "periodo", "período"],
  ["limit", "rows", "records", "points", "filings", "reports", "count", "n", "top", "size", "max", "limite", "linhas"],
  ["url", "target", "link", "endpoint", "uri", "site", "endereco", "endereço"],
  ["positions", "portfolio", "holdings", "assets", "carteira", "posicoes", "posições"],
  ["symbols", "symbol", "tickers", "assets", "coins", "ativos"],
  ["name", "person", "company", "entity", "nome", "empresa", "pessoa", "query", "q"],
  ["amount", "quantity", "qty", "size", "value", "quantidade", "valor"],
  ["topic", "category", "subject", "tema", "assunto"],
  ["event", "release", "evento"],
  ["hash", "seal", "sha256", "id"],
];

/**
 * The parameter that an unknown name means: another word for it, or a slip of the finger; the only one there is
 * where the product takes no other. Undefined if no name is near.
 */
export function findMeantParam(name: string, params: readonly string[], reserved: readonly string[] = []) {
  const said = name.toLowerCase();
  const slip = closest(name, [...params, ...reserved]);
  // A word that differs in letters alone is a slip before it is another word.
  if (slip !== undefined && slip.toLowerCase().replaceAll(/[_-]/g, "") === said.replaceAll(/[_-]/g, "")) return slip;
  for (const group of SAME_THING) {
    if (!group.includes(said)) continue;
    const meant = group.find((word) => word !== said && params.includes(word));
    if (meant !== undefined) return meant;
  }
  return slip ?? (params.length === 1 ? params[0] : undefined);
}

const PAIRS: readonly (readonly [base: string, quote: string])[] = [
  ["from", "to"],
  ["base", "quote"],
  ["de", "para"],
  ["base_currency", "quote_currency"],
];
export const PAIR_PARTS: readonly string[] = PAIRS.flat();

/** A pair whose two halves were sent under names of their own; null where they were not. */
export function joinPair(sent: Readonly<Record<string, unknown>>): string | null {
  for (const [base, quote] of PAIRS) {
    const [one, other] = [sent[base], sent[quote]];
    if (typeof one === "string" && typeof other === "string") return `${one.trim()}/${other.trim()}`;
  }
  return null;
}
