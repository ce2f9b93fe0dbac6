import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadDemoConfig } from "./demo-config.ts";

test("a demo of a file with a named node has another identity and the prices of the file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "demo-config-"));
  const file = join(folder, "node.toml");
  const named = '[node]\nnode_id = "in1CKi94HmYtPUTzRDpqydBqm"\npublic_url = "https://node.example.com"\n';
  writeFileSync(file, `${named}[prices]\n"/fear-greed" = "0.03"\n`);
  const place = { port: 0, data: folder, facilitator_url: "http://127.0.0.1:1", plugins: undefined };
  const read = await loadDemoConfig({ ...place, config: file });
  if ("faults" in read) throw new Error(read.faults);
  const { node, prices } = read.config;
  expect([node.node_id, node.public_url, prices["/fear-greed"]]).toEqual([undefined, undefined, "0.03"]);
  rmSync(folder, { recursive: true });
});
