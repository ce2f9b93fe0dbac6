import { renderUSD } from "../core/money.ts";
import { addSums, listFigures, type MoneySum, type MoneySummary, type PaymentSums } from "../ledger/money.ts";
import type { MoneyAnswer, SumAnswer, SumsAnswer } from "./answers.ts";

/** The figures of a period, or of all time, as every view gives them. */
export const renderMoney = (money: MoneySummary): MoneyAnswer =>
  Object.fromEntries(
    listFigures(money).map(({ name, count, amount }) => [
      name,
      { ...(count === null ? {} : { count }), amount_atomic: amount.toString(), amount_usd: renderUSD(amount) },
    ]),
  );

const renderSum = ({ count, amount }: MoneySum): SumAnswer => ({
  count,
  amount_atomic: amount.toString(),
  amount_usd: renderUSD(amount),
});
const renderOne = ({ name, settled, never_landed, received, given_back, called }: PaymentSums) => ({
  name,
  settled: renderSum(settled),
  never_landed: renderSum(never_landed),
  received: renderSum(received),
  given_back: renderSum(given_back),
  ...(called === null ? {} : { called: renderSum(called) }),
});

/** Payments in groups, with what all of them make. */
export const renderSums = (sums: readonly PaymentSums[]): Pick<SumsAnswer, "sums" | "total"> => ({
  sums: sums.map(renderOne),
  total: renderOne(addSums(sums)),
});
