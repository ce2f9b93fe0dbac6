import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { createRedactor, cutAddresses } from "../../src/commands/redact.ts";
import { createIdentity } from "../../src/core/identity.ts";
import { READ_CHAINS, renderChain, renderProviderTables } from "../helpers/provider-tables.ts";

const folder = mkdtempSync(join(tmpdir(), "doctor-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Says to everybody what it was told: an upstream that repeats a key must not bring it into the bundle. */
const parrot = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const said = `${request.url} ${JSON.stringify([...request.headers])} ${await request.text()}`;
    return Response.json({ error: { code: -32000, message: said }, message: said }, { status: 400 });
  },
});
afterAll(() => parrot.stop(true));

const WEBHOOK_SECRET = `whsec_${Buffer.from("canary-webhook-0123456789abcdef").toString("base64")}`;
const CANARIES = [
  ...["canary-provider-key", "canary-client-secret", "canary-facilitator-header", "canary-chain-header"],
  ...["canary-rpc-path-0123456789", "canary-rpc-query-0123456789", "canary-ntfy-topic", "canary-smtp-password"],
  ...[
    "canary-smtp-user",
    "canary-mail",
    "canary-environment",
    "canary-operator-token-0123456789abcdef",
    WEBHOOK_SECRET,
  ],
];

test("a bundle holds none of the secrets that stand anywhere around a node", async () => {
  const data = join(folder, "data");
  mkdirSync(data);
  const { key_file } = createIdentity();
  writeFileSync(join(data, "node-key.pem"), key_file, { mode: 0o600 });
  writeFileSync(join(data, "operator.token"), "canary-operator-token-0123456789abcdef\n");
  const url = `http://127.0.0.1:${parrot.port}`;
  const config = join(folder, "node.toml");
  writeFileSync(
    config,
    `[data]\ndir = "data"\n[server]\nport = ${parrot.port}\n[payments]\ntestnet = true\n` +
      '[wallets.base]\npay_to = "0x90F79bf6EB2c4f870365E785982E1f101E93b906"\n' +
      `[[facilitators]]\nkind = "remote"\nurl = "${url}"\nheaders = { "x-auth" = "canary-facilitator-header" }\n` +
      `[chains.base_sepolia]\nrpc = ["${url}/v2/canary-rpc-path-0123456789?k=canary-rpc-query-0123456789"]\n` +
      'headers = { "X-Algo-API-Token" = "canary-chain-header" }\n' +
      READ_CHAINS.map((name) => renderChain(name, url)).join("") +
      renderProviderTables(() => url, {
        fred: 'api_key = "canary-provider-key"\n',
        kraken: 'client_secret = "canary-client-secret"\n',
      }) +
      '[[alerts]]\nkind = "ntfy"\nurl = "https://ntfy.example.com/canary-ntfy-topic"\n' +
      `[[alerts]]\nkind = "webhook"\nurl = "https://hooks.example.com"\nsecret = "${WEBHOOK_SECRET}"\n` +
      '[[alerts]]\nkind = "smtp"\nhost = "127.0.0.1"\nuser = "canary-smtp-user"\npassword = "canary-smtp-password"\n' +
      'from = "canary-mail@example.com"\nto = "canary-mail@example.com"\n',
  );
  const bundle = join(folder, "bundle.zip");
  const child = Bun.spawn([process.execPath, "src/node.ts", "doctor", "--config", config, "--bundle", bundle], {
    cwd: join(import.meta.dir, "../.."),
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, INTEL_NODE_PROVIDERS_BEA_API_KEY: "canary-environment" },
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  expect({ code, says: err.includes("without secrets") }).toEqual({ code: 1, says: true });
  expect(statSync(bundle).mode & 0o077).toBe(0);
  const files = unzipSync(readFileSync(bundle));
  expect(Object.keys(files).sort()).toEqual([
    ...["README.txt", "check.json", "config.json", "folder.json", "live.json", "status.json", "version.json"],
  ]);
  const whole = Object.values(files)
    .map((bytes) => strFromU8(bytes))
    .join("\n");
  // The parrot was asked, and what it said of an RPC's address is told, without the address.
  expect(whole).toContain("eth_chainId: error -32000");
  const key_lines = key_file.split("\n").filter((line) => line.length > 20 && !line.startsWith("-----"));
  expect(key_lines.length).toBeGreaterThan(0);
  const looked_for = [...CANARIES, ...key_lines].flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString("base64").replace(/=+$/, ""),
  ]);
  expect(looked_for.filter((secret) => `${whole}${out}${err}`.includes(secret))).toEqual([]);
});

test("a secret is taken out in whatever form it stands, the longest first", () => {
  const redact = createRedactor(["secret/one", "secret/one-and-two", "ab"]);
  const base64 = Buffer.from("secret/one").toString("base64").replace(/=+$/, "");
  expect(redact(`secret/one-and-two secret%2Fone ${base64} ab`)).toBe("*** *** *** ab");
  expect(cutAddresses("see https://u:p@host.example.com:8443/a/b?c=d now")).toBe(
    "see https://host.example.com:8443 now",
  );
});
