import { type RefundInput, runRefund } from "../admin/refunds.ts";
import { messageOf } from "../core/errors.ts";
import { renderAnswer } from "./admin.ts";
import { askOperation } from "./ask-node.ts";
import { EXIT } from "./exit-codes.ts";
import { print, printError } from "./print.ts";
import { type BooksOptions, findBooksPlace, withBooks } from "./with-books.ts";

export interface BooksRefundOptions extends BooksOptions {
  /** The sale's transaction, receipt or payment. */
  readonly transaction: string;
  readonly reference: string;
  readonly reason: string;
  /** USD; default: all that is left of the payment. */
  readonly amount: string | undefined;
  readonly json: boolean;
}

/** Records that money was sent back to a buyer by hand; works whether or not the node runs. */
export async function booksRefundCommand(options: BooksRefundOptions): Promise<number> {
  const place = await findBooksPlace(options);
  if ("faults" in place) {
    printError(place.faults);
    return EXIT.config;
  }
  const { transaction: sale, reference, reason, amount } = options;
  const input: RefundInput = { sale, reference, reason, ...(amount === undefined ? {} : { amount_usd: amount }) };
  try {
    const written = await withBooks(place, {
      here: (ledger) => runRefund(ledger, input),
      there: (url, operator_token) => askOperation({ url, operator_token }, "refund", input),
    });
    print(options.json ? JSON.stringify(written) : renderAnswer(written));
    return EXIT.ok;
  } catch (error) {
    printError(messageOf(error));
    return EXIT.failed;
  }
}
