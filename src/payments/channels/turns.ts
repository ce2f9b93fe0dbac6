import type { Served } from "../../calls/access.ts";
import { refuseChannel } from "./refusals.ts";

interface Turn {
  /** SHA-256 of the voucher's signature. */
  readonly voucher: string;
  readonly fingerprint: string;
  readonly answer: Promise<Served>;
}

export const busy = () =>
  refuseChannel(
    "channel_busy",
    "Another call of this channel is being worked on: send the same payment again shortly.",
  );

/** One call of a channel at a time, in this process; copies of it wait for its answer. */
export function createTurns() {
  const under_way = new Map<string, Turn>();
  return async (
    channel: string,
    own: Pick<Turn, "voucher" | "fingerprint">,
    work: () => Promise<Served>,
  ): Promise<Served> => {
    const turn = under_way.get(channel);
    if (turn) {
      if (turn.voucher !== own.voucher || turn.fingerprint !== own.fingerprint) throw busy();
      const served = await turn.answer;
      return { ...served, headers: { ...served.headers, "X-Idempotent-Replay": "true" } };
    }
    const answer = work();
    under_way.set(channel, { ...own, answer });
    try {
      return await answer;
    } finally {
      under_way.delete(channel);
    }
  };
}
