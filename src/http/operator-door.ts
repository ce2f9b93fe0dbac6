import { assertOperator } from "../admin/status.ts";
import type { Handler } from "./http-call.ts";

/**
 * The one way to make a door that the operator's token opens. The route table marks it as such, from which a test
 * takes the doors that it knocks at.
 */
export const forOperator = (operator_token: string, work: Handler): Handler =>
  Object.assign(
    (http_call: Parameters<Handler>[0]) => {
      assertOperator(http_call.request.headers, operator_token);
      return work(http_call);
    },
    { operator: true as const },
  );
