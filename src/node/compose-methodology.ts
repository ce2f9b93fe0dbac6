import signals from "../../docs/signals.md" with { type: "text" };
import { sha256Hex } from "../core/hash.ts";
import { getOwn } from "../core/own.ts";
import type { MethodFamily } from "../pages/methodology.ts";
import correlation from "../plugins/crypto-market/correlation-matrix/README.md" with { type: "text" };
import consensus from "../plugins/crypto-market/oracle-consensus/README.md" with { type: "text" };
import stress from "../plugins/crypto-market/portfolio-stress/README.md" with { type: "text" };
import regime from "../plugins/crypto-market/regime/README.md" with { type: "text" };
import sentiment from "../plugins/crypto-market/sentiment/README.md" with { type: "text" };
import { MODEL_HASH, MODEL_ID } from "../plugins/crypto-market/shared/signals/model.ts";
import {
  MODEL_HASH as VOTE_MODEL_HASH,
  MODEL_ID as VOTE_MODEL_ID,
} from "../plugins/crypto-market/shared/votes/voters.ts";
import swarm from "../plugins/crypto-market/swarm-vote/README.md" with { type: "text" };
import launch from "../plugins/tokens/launch-risk/README.md" with { type: "text" };

/** Families of models and formulas: the page shows the document that the code's readers have, and no other text. */
const FAMILIES: readonly Omit<MethodFamily, "digests">[] = [
  { id: "signals", title: "Signals and their record", text: signals, products: ["alpha-signal", "sinais"] },
  { id: "regime", title: "Market regime", text: regime, products: ["regime"] },
  { id: "consensus", title: "Oracle consensus", text: consensus, products: ["oracle-consensus"] },
  { id: "sentiment", title: "Sentiment", text: sentiment, products: ["sentiment"] },
  { id: "swarm", title: "Swarm vote", text: swarm, products: ["swarm-vote"] },
  { id: "risk", title: "Portfolio risk", text: stress, products: ["portfolio-stress"] },
  { id: "correlation", title: "Correlation", text: correlation, products: ["correlation-matrix"] },
  { id: "launch-risk", title: "Launch risk", text: launch, products: ["launch-risk"] },
];

/** Parameters of models whose records are signed, by family. */
const MODELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  signals: { [`model ${MODEL_ID}`]: MODEL_HASH },
  swarm: { [`model ${VOTE_MODEL_ID}`]: VOTE_MODEL_HASH },
};

export const METHOD_FAMILIES: readonly MethodFamily[] = FAMILIES.map((family) => ({
  ...family,
  digests: { [family.id]: sha256Hex(family.text), ...getOwn(MODELS, family.id) },
}));

/** Digests by name: of each family's text, and of the parameters of the models whose records are signed. */
export const digestMethods = (): Readonly<Record<string, string>> =>
  Object.assign({}, ...METHOD_FAMILIES.map(({ digests }) => digests));
