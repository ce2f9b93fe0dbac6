import { expect, test } from "bun:test";
import { findTemplate } from "../../src/sandbox/recorded-answers.ts";
import { listUnseen } from "../../src/upstream/recorded-template.ts";
import { createWholeNode, PRODUCTS, produce, runJobs } from "../helpers/catalog-world.ts";
import type { BentCall } from "../helpers/simulated-node.ts";

/**
 * Simulated answers are recorded ones with another time, price or id (src/sandbox/recorded-answers.ts). What the
 * recordings do not show is named here, with the reason to believe in it.
 */
const UNSEEN: Readonly<Record<string, string>> = {
  "cdp_bazaar.items[].accepts[].maxAmountRequired": "terms of x402 version 1; the recorded ones are of version 2",
  "cryptocom.id": "documented; the recording is of a stream",
  "cryptocom.result.data[].t": "documented; the recording is of a stream",
  "dexscreener[].info": "documented; only tokens with a profile have it",
  "dexscreener[].labels": "documented; only pools of some venues have it",
  "dexscreener[].priceChange.h1": "documented; missing where nothing was traded, as in the recording",
  "exa.results[].publishedDate": "documented; the recorded pages have no date",
  "goplus.result.*.cannot_sell_all": "documented; the recorded token lacks it",
  "goplus.result.*.dex[].burn_percent": "documented; the recorded pool lacks it",
  "goplus.result.*.honeypot_with_same_creator": "documented; the recorded token lacks it",
  "goplus.result.*.trust_list": "documented; only listed tokens have it",
  "hn_algolia.hits[].points": "the recorder cut it",
  "hn_algolia.hits[].url": "the recorded story has no address",
  "honeypot_is.contractCode": "documented; the recorded answer is of an older version",
  "honeypot_is.summary": "documented; the recorded answer is of an older version",
  "raydium.msg": "the recorded answer is no refusal",
  "rugcheck.creatorTokens": "the recording ends before it",
  "rugcheck.graphInsidersDetected": "the recording ends before it",
  "rugcheck.insiderNetworks": "the recording ends before it",
  "rugcheck.knownAccounts": "the recording ends before it",
  "rugcheck.rugged": "the recording ends before it",
  "rugcheck.totalHolders": "the recording ends before it",
  "rugcheck.totalMarketLiquidity": "the recording ends before it",
  "sec.facts.us-gaap.*.units.shares": "the recorded concepts are counted in dollars",
  "solana_rpc.result.meta.postTokenBalances": "the recorder cut it",
  "solana_rpc.result.meta.preTokenBalances": "the recorder cut it",
};

function readCalls({ path, body }: BentCall) {
  const [bare = "", query = ""] = path.split("?", 2);
  const call = { method: body === "" ? "GET" : "POST", path: bare, query: new URLSearchParams(query) };
  const sent: unknown = body === "" ? undefined : JSON.parse(body);
  const is_batch = Array.isArray(sent);
  return { is_batch, calls: (is_batch ? sent : [sent]).map((one) => ({ ...call, body: one as unknown })) };
}

test("a simulator says nothing that its publisher was not seen to send", async () => {
  const unseen = new Set<string>();
  const look = async (answer: Response, call: BentCall): Promise<void> => {
    if (!answer.ok || answer.headers.get("content-type") !== "application/json") return;
    const json: unknown = await answer.clone().json();
    const { calls, is_batch } = readCalls(call);
    const answers = is_batch ? (json as readonly unknown[]) : [json];
    for (const [index, one] of calls.entries()) {
      const template = findTemplate(call.provider, one);
      if (!template) continue;
      for (const what of listUnseen(template, answers[index])) unseen.add(`${call.provider}${what}`);
    }
  };
  const node = createWholeNode({
    now_ms: Date.UTC(2026, 9, 1, 12, 24, 56),
    bend: async (answer, call) => {
      await look(answer, call);
      return answer;
    },
  });
  for (const product of PRODUCTS) await produce(node, product);
  await runJobs(node);
  node.close();
  expect([...unseen].sort()).toEqual(Object.keys(UNSEEN).sort());
});
