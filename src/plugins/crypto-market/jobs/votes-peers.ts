import { Type } from "@sinclair/typebox";
import { compileSchema, defineJob, type SignedStatement } from "intel-node";
import { type PeerVotes, readStatement, writeRound } from "../votes/peer-votes.ts";
import { SIGNED_VOTES } from "../votes/vote-records.ts";

const TEXT_CHARS_MAX = 20_000;

const Answer = compileSchema(
  Type.Object({
    data: Type.Object({
      signed: Type.Object({
        text: Type.String({ maxLength: TEXT_CHARS_MAX }),
        signature: Type.String({ maxLength: 200 }),
        public_key: Type.String({ maxLength: 100 }),
      }),
    }),
  }),
);

function pickSigned(body: unknown): SignedStatement | null {
  if (!Answer.Check(body)) return null;
  const { text, signature, public_key } = body.data.signed;
  return { text, signature, public_key };
}

/** Asks the operator's peers for the votes in their free previews; no request ever waits for a peer. */
export const job = defineJob({
  id: "votes-peers",
  schedule: "40 * * * *",
  providers: [],
  at_start: true,
  deadline_ms: 60_000,
  runs_kept: 1,
  async run({ peers, history, now_ms }) {
    if (peers.count === 0) return;
    const said = await peers.ask({ path: "/swarm-vote?preview=1", kind: SIGNED_VOTES, pick: pickSigned });
    const counted: PeerVotes[] = [];
    const refused: { url: string; why: string }[] = [];
    for (const one of said) {
      const votes = "refused" in one ? one.refused : readStatement(one, now_ms);
      if (typeof votes === "string") refused.push({ url: one.url, why: votes });
      else counted.push(votes);
    }
    await writeRound(history, { asked: peers.count, counted, refused }, now_ms);
  },
});
