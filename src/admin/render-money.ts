import { renderUSD } from "../core/money.ts";
import { listFigures, type MoneySummary } from "../ledger/money.ts";
import type { MoneyAnswer } from "./answers.ts";

/** The figures of a period, or of all time, as every view gives them. */
export const renderMoney = (money: MoneySummary): MoneyAnswer =>
  Object.fromEntries(
    listFigures(money).map(({ name, count, amount }) => [
      name,
      { ...(count === null ? {} : { count }), amount_atomic: amount.toString(), amount_usd: renderUSD(amount) },
    ]),
  );
