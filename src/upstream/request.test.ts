import { afterEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { gzipSync, strToU8, zipSync } from "fflate";
import {
  createRequest,
  createRun,
  createTestProvider,
  createTestUpstream,
  type FakeServer,
  getFailure,
  startFakeServer,
} from "../../test/helpers/fake-upstream.ts";
import type { ErrorMeaning, Unpacking, UpstreamRequest } from "../catalog/request.ts";
import { unusable } from "../catalog/unusable.ts";
import { encodeText } from "../sandbox/simulated-answer.ts";

const servers: FakeServer[] = [];
const serve = (respond: Parameters<typeof startFakeServer>[0]): FakeServer => {
  const server = startFakeServer(respond);
  servers.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

const TEXT = Type.String();
type TextRequest = UpstreamRequest<typeof TEXT, { readonly text: string }>;

/** Requests once a text that the server sends as these bytes. */
function askText(bytes: Uint8Array, change: Partial<TextRequest> = {}): Promise<{ readonly text: string }> {
  const server = serve(() => new Response(bytes));
  const run = createRun(createTestUpstream());
  const request: TextRequest = {
    path: "/",
    format: "text",
    schema: TEXT,
    ttl_ms: 0,
    read: (text) => ({ text }),
    ...change,
  };
  return run.get(createTestProvider({ base_urls: [server.url] }), request);
}

/** The text, or the reason for a refusal. */
const readText = (bytes: Uint8Array, change: Partial<TextRequest> = {}): Promise<string> =>
  askText(bytes, change).then(
    ({ text }) => text,
    (error: Error) => `refused: ${error.message}`,
  );

describe("one reading", () => {
  test("schema and reader run once per answer, and the caller gets the reader's result", async () => {
    const server = serve((_request, n) => Response.json({ value: n }));
    const run = createRun(createTestUpstream());
    const seen: number[] = [];
    const read = ({ value }: { value: number }) => {
      seen.push(value);
      return { doubled: value * 2 };
    };
    const request = { path: "/", schema: Type.Object({ value: Type.Number() }), ttl_ms: 60_000, read };
    const provider = createTestProvider({ base_urls: [server.url] });
    expect(await run.get(provider, request)).toEqual({ doubled: 2 });
    expect(seen).toEqual([1]);
    // The answer is kept for the next caller, who reads it separately.
    expect(await run.get(provider, request)).toEqual({ doubled: 2 });
    expect(seen).toEqual([1, 1]);
    expect(server.requests.length).toBe(1);
  });

  test("a reader may return a number, and gets the facts about the answer", async () => {
    const server = serve(() =>
      Response.json({ value: 1 }, { headers: { "last-modified": "Sun, 01 Mar 2026 11:00:00 GMT" } }),
    );
    const schema = Type.Object({ value: Type.Number() });
    const made = await createRun(createTestUpstream()).get(createTestProvider({ base_urls: [server.url] }), {
      path: "/",
      schema,
      ttl_ms: 0,
      read: ({ value }, { last_modified, bytes }) => value + bytes + Date.parse(last_modified ?? ""),
    });
    expect(made).toBe(1 + 11 + Date.UTC(2026, 2, 1, 11));
  });
});

describe("the result of a reader", () => {
  const Word = Type.Object({ word: Type.String() });
  type WordRequest<T> = UpstreamRequest<typeof Word, T>;

  /** The caller's result for the answer {"word":"up"}. */
  function ask<T>(change: Pick<WordRequest<T>, "read" | "gives_text">): Promise<T> {
    const server = serve(() => Response.json({ word: "up" }));
    const request: WordRequest<T> = { path: "/", schema: Word, ttl_ms: 0, ...change };
    return createRun(createTestUpstream()).get(createTestProvider({ base_urls: [server.url] }), request);
  }
  const refusal = (asked: Promise<unknown>) => getFailure(asked).then(({ message }) => message);

  test("may be a text as the value, if the request says so", async () => {
    expect(await ask({ read: ({ word }) => word, gives_text: true })).toBe("up");
  });

  test("may be unusable(why), a refusal with its reason", async () => {
    const read = ({ word }: { word: string }) => unusable(`nobody trades ${word}`);
    expect(await refusal(ask({ read }))).toContain("test_api: nobody trades up");
    expect(await refusal(ask({ read, gives_text: true }))).toContain("test_api: nobody trades up");
  });

  test("is refused if it is an unannounced text, because that may be an older plugin's refusal", async () => {
    expect(await refusal(ask({ read: () => "no rows" }))).toContain("it refuses by unusable(why)");
  });

  test("does not compile as a text if the value is not a text", async () => {
    // @ts-expect-error: a refusal is unusable(why)
    const request: WordRequest<number> = { path: "/", schema: Word, ttl_ms: 0, read: () => "no rows" };
    expect(await refusal(ask(request))).toContain("it refuses by unusable(why)");
  });
});

describe("charsets", () => {
  const SAO = "São Paulo;1.234,56\n";
  test.each(["utf-8", "latin1", "utf-16"] as const)("%s is decoded when it is stated", async (charset) => {
    expect(await readText(encodeText(SAO, charset), { charset })).toBe(SAO);
  });

  test("UTF-16 may be big-endian if its byte order mark says so", async () => {
    const bytes = Uint8Array.from([0xfe, 0xff, 0x00, 0x41, 0x00, 0xe3]);
    expect(await readText(bytes, { charset: "utf-16" })).toBe("Aã");
  });

  test.each([
    ["latin1 where UTF-8 is due", encodeText(SAO, "latin1"), "utf-8", "body is not UTF-8 text"],
    ["UTF-8 where latin1 is due", encodeText(SAO, "utf-8"), "latin1", "body is UTF-8 where latin1 is due"],
    ["half a character of UTF-16", Uint8Array.from([0x41, 0x00, 0x42]), "utf-16", "body is not UTF-16 text"],
  ] as const)("a body in another charset is refused: %s", async (_name, bytes, charset, why) => {
    expect(await readText(bytes, { charset })).toContain(`refused: test_api: ${why}`);
  });

  test("plain ASCII is the same in both", async () => {
    expect(await readText(encodeText("a;b\n"), { charset: "latin1" })).toBe("a;b\n");
  });
});

describe("compressed bodies", () => {
  const CSV = "day;rate\n2026-02-27;0,0551\n".repeat(200);
  const archive = zipSync({ "a.csv": strToU8(CSV), "read.me": strToU8("x") });
  const zip = (change: object = {}): readonly Unpacking[] => [
    { kind: "zip", member: "a.csv", bytes_max: 100_000, ...change },
  ];

  test("a member of a ZIP is found by name, by pattern, or as the only one", async () => {
    expect(await readText(archive, { unpack: zip() })).toBe(CSV);
    expect(await readText(archive, { unpack: zip({ member: /\.csv$/ }) })).toBe(CSV);
    const only = zipSync({ "some/name.txt": [strToU8(CSV), { level: 0 }] });
    expect(await readText(only, { unpack: [{ kind: "zip", bytes_max: 100_000 }] })).toBe(CSV);
  });

  test("compressions are removed in turn, the charset last; bytes before an archive are skipped", async () => {
    const inner = zipSync({ "in.txt": encodeText("preço", "latin1") });
    const outer = gzipSync(Buffer.concat([Buffer.from("MZ a program"), inner]));
    const unpack: Unpacking[] = [
      { kind: "gzip", bytes_max: 10_000 },
      { kind: "zip", bytes_max: 10_000 },
    ];
    expect(await readText(outer, { unpack, charset: "latin1" })).toBe("preço");
  });

  test("an archive without a file is refused, unless the request gives it a meaning", async () => {
    const empty = zipSync({});
    const unpack = (change: object): readonly Unpacking[] => [{ kind: "zip", bytes_max: 100, ...change }];
    expect(await readText(empty, { unpack: unpack({}) })).toContain("0 of the ZIP's 0 members");
    const known = { unpack: unpack({ empty_means: "not_found" }) };
    await expect(askText(empty, known)).rejects.toMatchObject({
      kind: "upstream_not_found",
      message: "test_api: the archive holds no file",
    });
    expect(await readText(zipSync({ a: strToU8("x") }), known)).toBe("x");
  });

  test("a ZIP truncated anywhere is refused", async () => {
    for (let length = 0; length < archive.length; length += 7) {
      expect(await readText(archive.slice(0, length), { unpack: zip() })).toMatch(
        /^refused: .*(no whole ZIP|truncated)/,
      );
    }
  });

  test("a changed byte is found by the checksum", async () => {
    const stored = zipSync({ "a.csv": [strToU8(CSV), { level: 0 }] });
    stored[100] = (stored[100] ?? 0) ^ 1;
    expect(await readText(stored, { unpack: zip() })).toContain("refused: test_api: the member of the ZIP is damaged");
  });

  test("data that unpacks beyond the limit is refused, whatever size the archive states", async () => {
    const bomb = zipSync({ "a.csv": new Uint8Array(30_000_000) });
    expect(bomb.length).toBeLessThan(100_000);
    const provider_max = { body_bytes_max: 200_000 };
    expect(await readText(bomb, { unpack: zip(), ...provider_max })).toContain("unpacks to more than 100000 bytes");
    const lying = bomb.slice();
    const view = new DataView(lying.buffer);
    for (let at = 0; at < lying.length - 46; at += 1) {
      if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 10, true);
    }
    expect(await readText(lying, { unpack: zip(), ...provider_max })).toContain("unpacks to more than 100000 bytes");
    const packed = gzipSync(new Uint8Array(30_000_000));
    const gzip: Unpacking[] = [{ kind: "gzip", bytes_max: 100_000 }];
    expect(await readText(packed, { unpack: gzip, ...provider_max })).toContain("unpacks to more than 100000 bytes");
  });

  test("a gzip body that ends early, and a web page instead of it, are refused", async () => {
    const unpack: Unpacking[] = [{ kind: "gzip", bytes_max: 100_000 }];
    expect(await readText(gzipSync(strToU8(CSV)).slice(0, -9), { unpack })).toContain("the gzip body is truncated");
    expect(await readText(strToU8("<html>"), { unpack })).toContain("the gzip body is damaged");
    expect(await readText(strToU8("<html>"), { unpack: zip() })).toContain("no whole ZIP archive");
  });

  test("bytes are passed on unchanged", async () => {
    const server = serve(() => new Response(Uint8Array.from([1, 2, 255])));
    const run = createRun(createTestUpstream());
    const bytes = await run.get(createTestProvider({ base_urls: [server.url] }), {
      path: "/",
      format: "bytes",
      schema: Type.Uint8Array({ minByteLength: 1 }),
      ttl_ms: 0,
    });
    expect([...bytes]).toEqual([1, 2, 255]);
  });
});

describe("error bodies", () => {
  const schema = Type.Object({ code: Type.Literal(-1121) });
  const cases: [string, number, object, ErrorMeaning, string][] = [
    ["an unknown symbol behind a 400", 400, { code: -1121, msg: "Invalid symbol." }, "not_found", "upstream_not_found"],
    ["an unknown symbol behind a 200", 200, { code: -1121 }, "not_found", "upstream_not_found"],
    ["a rate limit behind a 403", 403, { code: -1121 }, "rate_limited", "upstream_rate_limited"],
    ["maintenance behind a 400", 400, { code: -1121 }, "unavailable", "upstream_unavailable"],
  ];
  test.each(cases)("%s means what it says", async (_name, status, body, means, kind) => {
    const server = serve(() => Response.json(body, { status }));
    const errors = [{ status, schema, means }];
    const run = createRun(createTestUpstream());
    const failure = await getFailure(
      run.get(createTestProvider({ base_urls: [server.url] }), createRequest({ errors })),
    );
    expect<string>(failure.kind).toBe(kind);
  });

  test("an unknown one keeps the meaning of its status, and the log has its text", async () => {
    const server = serve(() => Response.json({ error: "bad interval" }, { status: 400 }));
    const errors = [{ schema, means: "not_found" as const }];
    const run = createRun(createTestUpstream());
    const failure = await getFailure(
      run.get(createTestProvider({ base_urls: [server.url] }), createRequest({ errors })),
    );
    expect(failure.kind).toBe("upstream_bad_response");
    expect(failure.message).toBe('test_api: status 400: {"error":"bad interval"}');
  });

  test("an accepted status is read like any other", async () => {
    const server = serve(() => Response.json({ value: 7 }, { status: 400 }));
    const run = createRun(createTestUpstream());
    const provider = createTestProvider({ base_urls: [server.url] });
    expect((await run.get(provider, createRequest({ statuses: [400] }))).value).toBe(7);
  });
});

describe("a request", () => {
  test("sends a form and its headers, and the operator's contact only if required", async () => {
    const server = serve(() => Response.json({ value: 1 }));
    const node = createTestUpstream({ contact: "ops@example.com" });
    const provider = createTestProvider({ base_urls: [server.url], contact: true });
    await createRun(node).get(
      provider,
      createRequest({ form: { date: "01/02/2026", kind: "csv" }, headers: { "x-a": "1" } }),
    );
    await createRun(node).get(createTestProvider({ base_urls: [server.url] }), createRequest());
    const [form, plain] = server.requests;
    expect(form?.method).toBe("POST");
    expect(form?.body).toBe("date=01%2F02%2F2026&kind=csv");
    expect(form?.headers.get("content-type")).toBe("application/x-www-form-urlencoded");
    expect(form?.headers.get("x-a")).toBe("1");
    expect(form?.headers.get("user-agent")).toBe("intel-node/0.0.0-test (ops@example.com)");
    expect(plain?.headers.get("user-agent")).toBe("intel-node/0.0.0-test");
  });

  test("is not sent to a provider that requires a missing contact", () => {
    const { upstream } = createTestUpstream();
    expect(upstream.whyNot(createTestProvider({ contact: true }))?.why).toContain("[node] contact_email");
  });

  test("to several hosts of one provider shares its limiter, and each host has its address", async () => {
    const [main, data] = [serve(() => Response.json({ value: 1 })), serve(() => Response.json({ value: 2 }))];
    const limits = { rate_per_s: 1, burst: 1, timeout_ms: 60_000, attempts: 1, body_bytes_max: 10_000 };
    const provider = createTestProvider({ base_urls: [main.url], hosts: { data: `${data.url}/v2` }, limits });
    const node = createTestUpstream();
    const run = createRun(node);
    expect((await run.get(provider, createRequest())).value).toBe(1);
    expect((await run.get(provider, createRequest({ host: "data" }))).value).toBe(2);
    expect(node.slept_ms).toEqual([1_000]);
    expect(data.requests.map(({ path }) => path)).toEqual(["/v2/v1/thing"]);
    const failure = await getFailure(run.get(provider, createRequest({ host: "else" })));
    expect(failure.message).toContain('"else" is none of its hosts');
  });

  test("may have its own limit of the body", async () => {
    const server = serve(() => Response.json({ value: 1, filler: "x".repeat(500) }));
    const run = createRun(createTestUpstream());
    const failure = await getFailure(
      run.get(createTestProvider({ base_urls: [server.url] }), createRequest({ body_bytes_max: 100 })),
    );
    expect(failure.message).toContain("body over 100 bytes");
  });
});

describe("redirects", () => {
  const led = (redirects: readonly string[] | undefined, location: (server: string) => string, path = "/v1/thing") => {
    const server: FakeServer = serve((request, n) =>
      n === 1 ? new Response(null, { status: 302, headers: { location: location(server.url) } }) : answerOf(request),
    );
    const answerOf = (request: Request) => Response.json({ value: request.headers.has("x-key") ? 1 : 0 });
    const provider = createTestProvider({
      base_urls: [server.url],
      key: { required: false, in: "header", name: "x-key" },
      ...(redirects ? { redirects } : {}),
    });
    const run = createRun(createTestUpstream({ settings: { api_key: "secret-key-1" } }));
    return { server, call: run.get(provider, createRequest({ path })) };
  };

  test("within the same origin one is followed with the key, if the provider names any", async () => {
    expect((await led([], () => "/elsewhere").call).value).toBe(1);
  });

  test.each([
    ["without a name", undefined, "/elsewhere", "redirects are not followed"],
    ["to another host", [], "https://example.com/x", "which the provider does not name"],
    ["away from https", ["example.com"], "http://example.com/x", "away from https"],
    ["to another port", ["example.com"], "https://example.com:8443/x", "another port"],
    ["with credentials", ["example.com"], "https://a:b@example.com/x", "credentials"],
    ["to nowhere", [], "http://[", "leads nowhere"],
  ] as const)("one %s is refused", async (_name, redirects, location, why) => {
    const { server, call } = led(redirects, () => location);
    expect((await getFailure(call)).message).toContain(why);
    expect(server.requests.length).toBe(1);
  });

  test("the key is not sent to another origin that the provider names", async () => {
    const seen: (readonly [string, string | null])[] = [];
    const provider = createTestProvider({
      base_urls: ["https://api.example.com"],
      key: { required: false, in: "header", name: "x-key" },
      redirects: ["files.example.net"],
    });
    const node = createTestUpstream({
      settings: { api_key: "secret-key-1" },
      fetch: async (url, init) => {
        seen.push([url, new Headers(init.headers).get("x-key")]);
        if (seen.length > 1) return Response.json({ value: 5 });
        return new Response(null, { status: 303, headers: { location: "https://files.example.net/a?sig=1" } });
      },
    });
    expect((await createRun(node).get(provider, createRequest())).value).toBe(5);
    expect(seen).toEqual([
      ["https://api.example.com/v1/thing", "secret-key-1"],
      ["https://files.example.net/a?sig=1", null],
    ]);
  });

  test("a chain of them is limited", async () => {
    const server = serve((_request, n) => new Response(null, { status: 302, headers: { location: `/${n}` } }));
    const run = createRun(createTestUpstream());
    const call = run.get(createTestProvider({ base_urls: [server.url], redirects: [] }), createRequest());
    expect((await getFailure(call)).message).toContain("more than 3 redirects");
  });
});

describe("an answer that may still be current", () => {
  test("is revalidated by its tag, and a 304 makes it fresh again", async () => {
    const server = serve((request, n) =>
      request.headers.get("if-none-match") === '"v1"'
        ? new Response(null, { status: 304 })
        : Response.json({ value: n }, { headers: { etag: '"v1"' } }),
    );
    const provider = createTestProvider({ base_urls: [server.url] });
    const node = createTestUpstream();
    const request = createRequest({ ttl_ms: 1_000, revalidate: true });
    expect((await createRun(node).get(provider, request)).value).toBe(1);
    node.clock.advance(5_000);
    const run = createRun(node);
    expect((await run.get(provider, request)).value).toBe(1);
    expect(server.requests.length).toBe(2);
    expect(run.sources()).toMatchObject([{ ok: true, fetched_at: "2026-03-01T12:00:05Z" }]);
    expect((await createRun(node).get(provider, request)).value).toBe(1);
    expect(server.requests.length).toBe(2);
  });

  test("an unrequested 304 does not count as an answer", async () => {
    const server = serve(() => new Response(null, { status: 304 }));
    const run = createRun(createTestUpstream());
    const failure = await getFailure(run.get(createTestProvider({ base_urls: [server.url] }), createRequest()));
    expect(failure.kind).toBe("upstream_bad_response");
  });
});
