import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { cleanUp, payingFetch, startDemo } from "../helpers/demo-node.ts";
import { until } from "../helpers/hang-limit.ts";

afterAll(cleanUp);

const EXAMPLES = join(import.meta.dir, "..", "..", "docs", "examples", "plugins");

test("an operator's dataset is parsed in a worker of the compiled binary, and sold from", async () => {
  const node = await startDemo({ args: ["--plugins", EXAMPLES], history: true });
  const buy = payingFetch();
  let paid = await buy(`${node.url}/bank-code?code=0007`);
  // The worker may still be at it: a call without data is not charged.
  const isRead = async (): Promise<boolean> => {
    if (paid.status !== 503) return true;
    paid = await buy(`${node.url}/bank-code?code=0007`);
    return false;
  };
  await until(isRead, "the dataset", 100);
  expect(paid.status).toBe(200);
  const { data, sources } = (await paid.json()) as {
    data: Record<string, unknown>;
    sources: { provider: string; url: string; simulated: boolean }[];
  };
  expect(data).toMatchObject({ code: "0007", name: "Banco São 7", closed_on: null, banks: 1_000 });
  expect(sources.map(({ provider, simulated }) => [provider, simulated])).toEqual([
    ["bank_codes", true],
    ["bank_codes", true],
  ]);
  expect(sources.some(({ url }) => url.endsWith(`/${data.version}.csv`))).toBe(true);
});
