import { type Computed, type Draft, keepShown, missing, NodeError } from "intel-node";
import { hasQuorum, reachVerdict } from "../seats/verdict.ts";
import type { DebateRound, ModelVote } from "./debate.ts";
import type { CouncilDeepInputs } from "./fetch.ts";
import type { CouncilDeepData } from "./schema.ts";
import { DEEP_SEAT_IDS, DEEP_SEATS, WEIGHT_OF_ALL, weigh } from "./seats.ts";

type RoundData = CouncilDeepData["rounds"][number];
type OpinionData = NonNullable<CouncilDeepData["seats"][number]["model"]>;

function describeRound(round: 1 | 2, { votes }: DebateRound): RoundData {
  const weighed = weigh(votes);
  const made = reachVerdict(weighed);
  if (!made) throw new NodeError("upstream_unavailable", "Nobody voted. Nothing was charged.");
  return {
    round,
    seats: DEEP_SEAT_IDS.flatMap((seat) => {
      const vote = votes[seat];
      return vote ? [{ seat, vote: vote.vote, confidence: vote.confidence }] : [];
    }),
    score: made.score,
    shares_pct: { ...made.shares_pct },
    dispersion: made.dispersion,
    quorum_met: hasQuorum(weighed, WEIGHT_OF_ALL),
  };
}

const toSentence = ({ text, facts, sources }: ModelVote["against"]) => ({
  text,
  facts: [...facts],
  sources: [...sources],
});

const describeOpinion = ({ vote, confidence, reasons, provider_id, model, ...rest }: ModelVote): OpinionData => ({
  kind: "model_opinion",
  vote,
  confidence,
  reasons: reasons.map(toSentence),
  against: toSentence(rest.against),
  change_mind: toSentence(rest.change_mind),
  provider_id,
  model,
});

const UNREAD = "what it reads is unknown";
const ONE_ROUND = "too few seats spoke in the second round; the first decides";

/** The debate by its published arithmetic. Pure. */
export function computeCouncilDeep(inputs: CouncilDeepInputs): Computed<Draft<CouncilDeepData>> {
  const { symbol, rules, first, second, writing, as_of_ms } = inputs;
  const rounds = [describeRound(1, first), ...(second ? [describeRound(2, second)] : [])];
  const decided = reachVerdict(weigh((second ?? first).votes));
  const by_rule = reachVerdict(weigh(rules));
  if (!decided) throw new NodeError("upstream_unavailable", "Nobody voted. Nothing was charged.");
  const last = (id: (typeof DEEP_SEAT_IDS)[number]) => second?.votes[id] ?? first.votes[id];
  const spoke = DEEP_SEAT_IDS.flatMap((id) => last(id) ?? []);
  const claims = spoke.flatMap(({ reasons, against, change_mind }) => [...reasons, against, change_mind]);
  const cited = claims.flatMap(({ facts, sources }) => [...facts, ...sources]);
  const [one, two] = rounds;
  return {
    as_of_ms,
    warnings: [...(second ? [] : [`rounds: ${ONE_ROUND}`]), ...writing.warnings],
    data: {
      symbol,
      verdict: decided.verdict,
      score: decided.score,
      basis: "model",
      decided_in: second ? 2 : 1,
      rounds,
      changed_votes: DEEP_SEAT_IDS.flatMap((seat) => {
        const [from, to] = [first.votes[seat], second?.votes[seat]];
        if (!from || !to || from.vote === to.vote) return [];
        return [{ seat, from: from.vote, to: to.vote, reason: to.reasons[0]?.text ?? "" }];
      }),
      convergence: one && two ? one.dispersion - two.dispersion : missing(ONE_ROUND),
      seats: DEEP_SEAT_IDS.map((seat) => {
        const [rule, model] = [rules[seat], last(seat)];
        return {
          seat,
          weight: DEEP_SEATS[seat],
          rule: rule ? { ...rule } : missing(UNREAD),
          model: model ? describeOpinion(model) : missing(rule ? "no vote that keeps to the facts" : UNREAD),
        };
      }),
      rule_verdict: by_rule ? { verdict: by_rule.verdict, score: by_rule.score } : missing("no rule voted"),
      diversity: new Set(spoke.map(({ provider_id, model }) => `${provider_id} ${model}`)).size,
      ...keepShown(writing.written, cited),
    },
  };
}
