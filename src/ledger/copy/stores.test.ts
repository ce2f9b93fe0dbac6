import { afterEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failureOf } from "../../../test/helpers/open-books.ts";
import { type S3Server, startS3Server } from "../../../test/helpers/s3-server.ts";
import type { CopyPlace } from "./copy-state.ts";
import { openCopyStore } from "./open-store.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "copy-store-"));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
const startServer = (): S3Server => {
  const server = startS3Server();
  ends.push(() => server.stop());
  return server;
};
const placeOf = ({ endpoint }: Pick<S3Server, "endpoint">, access_key_id = "AKID"): CopyPlace => ({
  kind: "s3",
  bucket: "bucket",
  prefix: "node/a",
  endpoint,
  region: "eu",
  access_key_id,
  secret_access_key: "the-secret",
});
const bytes = (text: string) => new TextEncoder().encode(text);

describe.each(["folder", "s3"] as const)("a store that is %s", (kind) => {
  const open = () => openCopyStore(kind === "folder" ? { kind, folder: newFolder() } : placeOf(startServer()));

  test("gives back what it was given, lists all of it and forgets what is removed", async () => {
    const store = open();
    expect(await store.list()).toEqual([]);
    const keys = ["g1/segment-1", "g1/segment-2", "g1/snapshot-0/part-0", "g2/segment-1", "g2/segment-2"];
    for (const key of keys) await store.put(key, bytes(`body of ${key}`));
    expect([...(await store.list())].sort()).toEqual(keys);
    for (const key of keys) expect(Buffer.from(await store.get(key)).toString()).toBe(`body of ${key}`);
    await store.put("g1/segment-1", bytes("sent again"));
    expect(Buffer.from(await store.get("g1/segment-1")).toString()).toBe("sent again");
    await store.remove("g1/segment-2");
    await store.remove("g1/snapshot-0/part-0");
    expect([...(await store.list())].sort()).toEqual(["g1/segment-1", "g2/segment-1", "g2/segment-2"]);
    await failureOf(store.get("g1/segment-2"));
  });
});

describe("a folder", () => {
  test("that is missing is reported and not created: its disk may not be mounted", async () => {
    const folder = join(newFolder(), "not-mounted");
    const store = openCopyStore({ kind: "folder", folder });
    expect((await failureOf(store.put("g/segment", bytes("x")))).message).toContain("is its disk mounted?");
    expect((await failureOf(store.list())).message).toContain("is its disk mounted?");
  });

  test("gets files that their owner alone can read, and a name only for what is whole", async () => {
    const folder = newFolder();
    const store = openCopyStore({ kind: "folder", folder });
    await store.put("g/segment", bytes("x"));
    expect(statSync(join(folder, "g/segment")).mode & 0o777).toBe(0o600);
    writeFileSync(join(folder, "g/cut-off.partial"), "half");
    expect(await store.list()).toEqual(["g/segment"]);
    await store.remove("g/segment");
    expect(readdirSync(folder)).toEqual(["g"]);
  });

  test.skipIf(process.getuid?.() === 0)("that takes no writes says so", async () => {
    const folder = newFolder();
    chmodSync(folder, 0o500);
    expect((await failureOf(openCopyStore({ kind: "folder", folder }).put("g/segment", bytes("x")))).message).toContain(
      "EACCES",
    );
  });
});

describe("an S3 store", () => {
  test("is called under its prefix alone, and each call is signed", async () => {
    const server = startServer();
    server.objects.set("node/ab/not-ours", bytes("x"));
    const store = openCopyStore(placeOf(server));
    await store.put("g/segment", bytes("x"));
    expect([...server.objects.keys()]).toEqual(["node/ab/not-ours", "node/a/g/segment"]);
    expect(await store.list()).toEqual(["g/segment"]);
    expect(server.unsigned).toEqual([]);
  });

  test("that answers 500, another key's, never, or not at all is described without the key", async () => {
    const server = startServer();
    const store = openCopyStore(placeOf(server), 50);
    server.fault = "error";
    expect((await failureOf(store.put("g/s", bytes("x")))).message).toContain(
      `writing to bucket at ${server.endpoint}: InternalError`,
    );
    server.fault = "hang";
    expect((await failureOf(store.list())).message).toContain("was not done within");
    server.fault = "none";
    const other = openCopyStore(placeOf(server, "OTHER"));
    expect((await failureOf(other.put("g/s", bytes("x")))).message).toContain("AccessDenied");
    expect(server.unsigned).toEqual(["PUT /bucket/node/a/g/s"]);
    await server.stop();
    const failure = await store.get("g/s").catch((error: unknown) => String(error));
    expect(failure).toContain("reading from bucket");
    expect(failure).not.toContain("the-secret");
  });
});
