import { afterAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY, cleanUp, newFolder, payingFetch, startDemo } from "../helpers/demo-node.ts";

/** An operator tries his own file on sandbox money, before anybody pays him. */
const PLUGINS = join(import.meta.dir, "..", "..", "docs", "examples", "plugins");

const TOML = `
[node]
name = "Mine"
public_url = "https://node.example"
[server]
port = 8402
[data]
dir = "./real-data"
[wallets.base]
pay_to = "0x0000000000000000000000000000000000000001"
[[facilitators]]
kind = "remote"
url = "https://facilitator.example"
networks = ["eip155:8453"]
[prices]
"/mempool" = "0.123"
[plugins]
dir = ${JSON.stringify(PLUGINS)}
[backup]
dir = "/nowhere"
`;

function newConfig(text: string): string {
  const folder = newFolder();
  writeFileSync(join(folder, "node.toml"), text);
  return join(folder, "node.toml");
}

afterAll(cleanUp);

describe("demo --config", () => {
  test("sells the file's products at its prices, on sandbox money alone", async () => {
    const node = await startDemo({ args: ["--config", newConfig(TOML)] });
    const pricing = (await (await node.get("/get-pricing")).json()) as { products: { path: string }[] };
    const priceOf = (path: string) => JSON.stringify(pricing.products.find((product) => product.path === path));
    expect([priceOf("/mempool"), priceOf("/bitcoin-tip")]).toEqual([
      expect.stringContaining("0.123"),
      expect.stringContaining("0.001"),
    ]);
    const bought = await payingFetch()(`${node.url}/bitcoin-tip`);
    expect(bought.status).toBe(200);
    expect(await bought.json()).toMatchObject({ sandbox: true, data: { height: expect.any(Number) } });
    const challenge = (await (await node.get("/mempool")).json()) as { accepts: { network: string; payTo: string }[] };
    expect(challenge.accepts.map(({ network }) => network)).not.toContain("eip155:8453");
    expect(JSON.stringify(challenge)).not.toContain("0x0000000000000000000000000000000000000001");
    expect(node.url).not.toContain("8402");
  });

  test("says what is wrong with the file, as run does", async () => {
    const file = newConfig(`${TOML}\n[prices2]\nx = 1\n`);
    const child = Bun.spawn([BINARY, "demo", "--serve", "--config", file], { stdio: ["ignore", "pipe", "pipe"] });
    expect(await child.exited).toBe(2);
    expect(await new Response(child.stderr).text()).toContain("prices2");
  });
});
