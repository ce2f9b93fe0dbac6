import type { TellGist } from "intel-node";
import type { computeTrust } from "./compute.ts";

type TrustData = ReturnType<typeof computeTrust>["data"];

export const gist: TellGist<TrustData> = (data, { en, pt, fig, moment, name, opt, pick }) => {
  const { receipts, last_settled_at, node_id } = data;
  const tests = fig(receipts?.operator_test?.count, "count");
  return {
    headline: {
      value: receipts?.organic?.count ?? null,
      unit: pick("payments settled", "pagamentos liquidados"),
      sense: pick("by buyers", "por compradores"),
    },
    text:
      en`The node ${name(node_id)} settled ${fig(receipts?.organic?.count, "count")} payments of buyers${opt(en` and
        ${tests} of its operator`)} by ${moment()}${opt(en`, lately on ${moment(last_settled_at)}`)}` ??
      pt`O nó ${name(node_id)} liquidou ${fig(receipts?.organic?.count, "count")} pagamentos de compradores${opt(pt` e
        ${tests} do operador`)} até ${moment()}${opt(pt`, por último em ${moment(last_settled_at)}`)}`,
  };
};
