import { expect, test } from "bun:test";
import { renderTarEnd, renderTarHead, renderTarPadding, TarError, unpackTar } from "./tar.ts";

type Files = Readonly<Record<string, string>>;

function pack(files: Files): Buffer {
  const parts = Object.entries(files).flatMap(([name, text]) => {
    const body = Buffer.from(text);
    return [renderTarHead({ name, bytes: body.length, mode: 0o600 }), body, renderTarPadding(body.length)];
  });
  return Buffer.concat([...parts, renderTarEnd()]);
}

function unpack(bytes: Buffer, part_bytes = bytes.length): Files {
  const files: Record<string, string> = {};
  const parts: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += part_bytes) parts.push(bytes.subarray(from, from + part_bytes));
  unpackTar(parts, (name, size) => {
    const taken: Buffer[] = [];
    return {
      write: (body) => void taken.push(Buffer.from(body)),
      end() {
        const body = Buffer.concat(taken);
        expect(body.length).toBe(size);
        files[name] = body.toString();
      },
    };
  });
  return files;
}

const FILES: Files = {
  "node.toml": "x".repeat(1_300),
  empty: "",
  exact: "y".repeat(512),
  [`plugins/${"d".repeat(90)}/${"e".repeat(60)}.ts`]: "export {};",
  "plugins/açaí.ts": "ç",
};

test("packed files can be unpacked, in parts of any size", () => {
  const bytes = pack(FILES);
  for (const part_bytes of [bytes.length, 1, 511, 512, 700]) expect(unpack(bytes, part_bytes)).toEqual(FILES);
  expect(unpack(pack({}))).toEqual({});
});

test("the system's tar can read an archive", async () => {
  const tar = Bun.which("tar");
  if (tar === null) return;
  const { stdout, exited } = Bun.spawn([tar, "-tvf", "-"], { stdin: pack(FILES) });
  const listed = await new Response(stdout).text();
  expect(await exited).toBe(0);
  expect(listed.trim().split("\n")).toHaveLength(Object.keys(FILES).length);
  expect(listed).toMatch(/^-rw------- 0\/0 +1300 .* node\.toml$/m);
});

test("a size above 8 GiB is kept", () => {
  const seen: number[] = [];
  const read = () =>
    unpackTar([renderTarHead({ name: "large", bytes: 10_000_000_000, mode: 0o600 })], (_, bytes) => {
      seen.push(bytes);
      return { write: () => undefined, end: () => undefined };
    });
  expect(read).toThrow("no end");
  expect(seen).toEqual([10_000_000_000]);
});

test("a truncated or damaged archive, a special file and a path that is too long are refused", () => {
  const bytes = pack(FILES);
  for (const length of [bytes.length - 1, bytes.length - 1_024, 512, 100, 0]) {
    expect(() => unpack(bytes.subarray(0, length))).toThrow(TarError);
  }
  const damaged = Buffer.from(bytes);
  damaged[3] = 0x41;
  expect(() => unpack(damaged)).toThrow("damaged");
  expect(() => unpack(Buffer.concat([bytes, pack({ more: "" })]))).toThrow("behind the end");
  const link = renderTarHead({ name: "a", bytes: 0, mode: 0o600 });
  link.write("2", 156);
  link.write("0000000\0", 148);
  expect(() => unpack(Buffer.concat([link, renderTarEnd()]))).toThrow(TarError);
  for (const name of ["a".repeat(101), `${"b".repeat(200)}/c`]) expect(() => pack({ [name]: "" })).toThrow("too long");
});
