import { Type } from "@sinclair/typebox";
import type { FetchContext } from "intel-node";
import type { CurrencyPair } from "../currencies/codes.ts";

/** The closing rate of the Banco Central do Brasil, which Brazil's contracts settle on: BRL for one US dollar. */
export interface PTAX {
  readonly buy: number;
  readonly sell: number;
  readonly date: string;
}

/** What is read of /br-macro. */
const Answer = Type.Object({
  fx: Type.Object({ ptax_buy: Type.Number(), ptax_sell: Type.Number(), date: Type.String() }),
});

/** Whether a pair is the dollar and the real, either way round. */
export const hasPTAX = (pair: CurrencyPair): boolean => pair === "USD/BRL" || pair === "BRL/USD";

/** The newest closing PTAX, as the domain of Brazil sells it. @throws NodeError */
export async function fetchPTAX(context: FetchContext): Promise<PTAX> {
  const { ptax_buy: buy, ptax_sell: sell, date } = (await context.ask("/br-macro", {}, Answer)).data.fx;
  return { buy, sell, date };
}
