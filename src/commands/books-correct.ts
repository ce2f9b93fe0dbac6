import { type CorrectionInput, type ExplanationInput, runCorrection, runExplanation } from "../admin/corrections.ts";
import { messageOf } from "../core/errors.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { findNetwork } from "../networks/find.ts";
import { renderAnswer } from "./admin.ts";
import { askOperation } from "./ask-node.ts";
import { EXIT } from "./exit-codes.ts";
import { print, printError } from "./print.ts";
import { type BooksOptions, findBooksPlace, withBooks } from "./with-books.ts";

interface ByHandOptions extends BooksOptions {
  readonly transaction: string;
  readonly reason: string;
  readonly json: boolean;
}

export interface BooksCorrectOptions extends ByHandOptions {
  readonly reference: string;
  /** USD received for the sale. */
  readonly received: string;
}

export interface BooksExplainOptions extends ByHandOptions {
  readonly network: string;
  readonly reference: string | undefined;
}

/** A manual entry in the books, under the name of its operation. */
interface Entry<I> {
  readonly operation: "correct" | "explain";
  readonly input: I;
  readonly write: (ledger: Ledger, input: I) => Promise<Record<string, unknown>>;
}

async function writeEntry<I extends CorrectionInput | ExplanationInput>(
  options: ByHandOptions,
  { operation, input, write }: Entry<I>,
): Promise<number> {
  const place = await findBooksPlace(options);
  if ("faults" in place) {
    printError(place.faults);
    return EXIT.config;
  }
  try {
    const written = await withBooks(place, {
      here: (ledger) => write(ledger, input),
      there: (url, operator_token) => askOperation({ url, operator_token }, operation, input),
    });
    print(options.json ? JSON.stringify(written) : renderAnswer(written));
    return EXIT.ok;
  } catch (error) {
    printError(messageOf(error));
    return EXIT.failed;
  }
}

/** Records what was really received for a sale, if the books differ; works whether or not the node runs. */
export function booksCorrectCommand(options: BooksCorrectOptions): Promise<number> {
  const { transaction: sale, received: received_usd, reference, reason } = options;
  const input: CorrectionInput = { sale, received_usd, reference, reason };
  return writeEntry(options, { operation: "correct", input, write: runCorrection });
}

/** Records the reason of a transfer to a wallet that is not a sale; works whether or not the node runs. */
export async function booksExplainCommand(options: BooksExplainOptions): Promise<number> {
  const network = findNetwork(options.network);
  if (network === undefined) {
    printError(`"${options.network}" is no network, such as base or eip155:8453`);
    return EXIT.config;
  }
  const { transaction, reference, reason } = options;
  const named = reference === undefined ? {} : { reference };
  const input: ExplanationInput = { network: network.id, transaction, reason, ...named };
  return writeEntry(options, { operation: "explain", input, write: runExplanation });
}
