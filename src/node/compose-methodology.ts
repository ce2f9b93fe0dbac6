import signals from "../../docs/signals.md" with { type: "text" };
import { sha256Hex } from "../core/hash.ts";
import type { MethodFamily } from "../pages/methodology.ts";
import correlation from "../plugins/crypto-market/correlation-matrix/README.md" with { type: "text" };
import consensus from "../plugins/crypto-market/oracle-consensus/README.md" with { type: "text" };
import stress from "../plugins/crypto-market/portfolio-stress/README.md" with { type: "text" };
import regime from "../plugins/crypto-market/regime/README.md" with { type: "text" };
import sentiment from "../plugins/crypto-market/sentiment/README.md" with { type: "text" };
import { MODEL_HASH, MODEL_ID } from "../plugins/crypto-market/shared/signals/model.ts";
import swarm from "../plugins/crypto-market/swarm-vote/README.md" with { type: "text" };
import launch from "../plugins/tokens/launch-risk/README.md" with { type: "text" };

/** Digests by name: of each family's text, and of the parameters of the model whose record is signed. */
export const digestMethods = (): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(METHOD_FAMILIES.map(({ id, text }) => [id, sha256Hex(text)])),
  [`model ${MODEL_ID}`]: MODEL_HASH,
});

/** Families of models and formulas: the page shows the document that the code's readers have, and no other text. */
export const METHOD_FAMILIES: readonly MethodFamily[] = [
  { id: "signals", title: "Signals and their record", text: signals, products: ["alpha-signal", "sinais"] },
  { id: "regime", title: "Market regime", text: regime, products: ["regime"] },
  { id: "consensus", title: "Oracle consensus", text: consensus, products: ["oracle-consensus"] },
  { id: "sentiment", title: "Sentiment", text: sentiment, products: ["sentiment"] },
  { id: "swarm", title: "Swarm vote", text: swarm, products: ["swarm-vote"] },
  { id: "risk", title: "Portfolio risk", text: stress, products: ["portfolio-stress"] },
  { id: "correlation", title: "Correlation", text: correlation, products: ["correlation-matrix"] },
  { id: "launch-risk", title: "Launch risk", text: launch, products: ["launch-risk"] },
];
