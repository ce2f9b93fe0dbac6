import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  answer,
  type HostileNetwork,
  INTERNAL,
  PUBLIC,
  rangeOf,
  redirect,
  startHostileNetwork,
} from "../../test/helpers/hostile-network.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";

let network: HostileNetwork;
beforeAll(async () => {
  network = await startHostileNetwork();
});
afterAll(() => network.close());

describe("addresses", () => {
  test("a public name is asked at the address it resolved to", async () => {
    const host = await network.start(() => answer("hello"));
    network.names({ "peer.guarded.net": [[PUBLIC]] });
    expect(await network.ask(`http://peer.guarded.net:${host.port}/a?b=c#d`)).toMatchObject({
      ok: true,
      status: 200,
      tls: null,
      hops: [{ url: `http://peer.guarded.net:${host.port}/a?b=c`, status: 200 }],
    });
    expect(host.requests[0]).toStartWith(`GET /a?b=c HTTP/1.1\r\nHost: peer.guarded.net:${host.port}\r\n`);
  });

  test.each([
    ["a private address", [[INTERNAL]]],
    ["one private address among public ones", [[PUBLIC, INTERNAL]]],
    ["metadata", [["169.254.169.254"]]],
  ])("a name with %s is not asked, and the answer does not say which", async (_, answers) => {
    network.names({ "a.guarded.net": answers });
    const before = network.internal.connections;
    const text = await network.textOf(`http://a.guarded.net:${network.internal.port}/`);
    expect(text).toBe("address: its address is not one of the public Internet");
    expect(network.internal.connections).toBe(before);
  });

  test("a name is resolved once for a request: what it says afterwards changes nothing", async () => {
    const host = await network.start(() => answer("public"));
    network.names({ "rebind.guarded.net": [[PUBLIC], [INTERNAL]] });
    const before = network.internal.connections;
    expect(await network.textOf(`http://rebind.guarded.net:${host.port}/`)).toBe("public");
    expect(await network.textOf(`http://rebind.guarded.net:${host.port}/`)).toStartWith("address:");
    expect(network.internal.connections).toBe(before);
  });

  test.each(["127.0.0.1", "127.1", "2130706433", "0x7f000001", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "[::]"])(
    "%s written in the URL is not asked",
    async (address) => {
      const before = network.internal.connections;
      expect(await network.textOf(`http://${address}:${network.internal.port}/`)).toStartWith("address:");
      expect(network.internal.connections).toBe(before);
    },
  );

  test.each([
    ["no such name", "nobody.guarded.net", {}],
    ["no address", "empty.guarded.net", { "empty.guarded.net": [[]] }],
    ["a failing name server", "broken.guarded.net", { "broken.guarded.net": ["failure"] }],
  ] as const)("%s is a failure of the name", async (_, name, answers) => {
    network.names(answers);
    expect(await network.textOf(`http://${name}/`)).toStartWith("dns:");
  });

  test("a name server that is silent does not hold us", async () => {
    network.names({ "silent.guarded.net": ["silence"] });
    expect(await network.textOf("http://silent.guarded.net/", { timeout_ms: 100 })).toBe("time: it took too long");
  });

  test("a known name means the given addresses, and a resolver is not asked", async () => {
    const host = await network.start(() => answer("known"));
    const local = createGuardedFetch({
      resolve: () => Promise.reject(new Error("asked")),
      user_agent: "tests",
      known_hosts: { localhost: [PUBLIC] },
      allowed_ranges: [rangeOf(`${PUBLIC}/32`)],
    });
    expect(await local({ url: `http://localhost:${host.port}/`, ports: null })).toMatchObject({ ok: true });
    expect(await local({ url: `http://peer.guarded.net:${host.port}/`, ports: null })).toMatchObject({ rule: "dns" });
  });

  test("our own name, other schemes and other ports are not asked", async () => {
    expect(await network.textOf("http://our.node.net/")).toStartWith("host:");
    expect(await network.textOf("ftp://peer.guarded.net/")).toStartWith("url:");
    expect(await createGuardedFetch(network.options)({ url: "http://peer.guarded.net:22/" })).toMatchObject({
      ok: false,
      rule: "port",
    });
  });

  test("the proxy of the environment takes no part", async () => {
    const host = await network.start(() => answer("direct"));
    network.names({ "peer.guarded.net": [[PUBLIC]] });
    const before = { ...process.env };
    Object.assign(process.env, {
      HTTP_PROXY: `http://${INTERNAL}:${network.internal.port}`,
      http_proxy: `http://${INTERNAL}:1`,
    });
    try {
      expect(await network.textOf(`http://peer.guarded.net:${host.port}/`)).toBe("direct");
    } finally {
      for (const name of ["HTTP_PROXY", "http_proxy"]) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
  });
});

describe("redirects", () => {
  test("each is checked as the first request was", async () => {
    const targets = [
      "http://169.254.169.254/latest/meta-data/",
      `http://${INTERNAL}:${network.internal.port}/`,
      `http://inside.guarded.net:${network.internal.port}/`,
      "http://localhost/",
      "http://[fd00:ec2::254]/",
    ];
    network.names({ "peer.guarded.net": [[PUBLIC]], "inside.guarded.net": [[INTERNAL]] });
    const before = network.internal.connections;
    for (const target of targets) {
      const host = await network.start(() => redirect(target));
      expect(await network.textOf(`http://peer.guarded.net:${host.port}/`)).toMatch(/^(address|host):/);
    }
    expect(network.internal.connections).toBe(before);
  });

  test("a chain that ends at metadata ends before it, and says how far it came", async () => {
    network.names({ "peer.guarded.net": [[PUBLIC]] });
    const host = await network.start((request) =>
      request.startsWith("GET /1 ") ? redirect("http://169.254.169.254/") : redirect("/1"),
    );
    const url = `http://peer.guarded.net:${host.port}`;
    expect(await network.ask(`${url}/0`)).toMatchObject({
      ok: false,
      rule: "address",
      hops: [
        { url: `${url}/0`, status: 302 },
        { url: `${url}/1`, status: 302 },
      ],
    });
  });

  test("a name that turns private between two hops is refused at the second", async () => {
    const host = await network.start(() => redirect("/again"));
    network.names({ "turns.guarded.net": [[PUBLIC], [INTERNAL]] });
    expect(await network.textOf(`http://turns.guarded.net:${host.port}/`)).toStartWith("address:");
    expect(host.requests).toHaveLength(1);
  });

  test("three are followed, a fourth is not, and no redirect when they are off", async () => {
    network.names({ "peer.guarded.net": [[PUBLIC]] });
    const host = await network.start((request) => {
      const left = Number(/^GET \/(\d+) /.exec(request)?.[1]);
      return left > 0 ? redirect(`/${left - 1}`) : answer("arrived");
    });
    const url = `http://peer.guarded.net:${host.port}`;
    expect(await network.textOf(`${url}/3`)).toBe("arrived");
    expect(await network.textOf(`${url}/4`)).toBe("redirect: more than 3 redirects");
    expect(await network.ask(`${url}/3`, { redirects_max: 0 })).toMatchObject({ ok: true, status: 302 });
  });

  test("from https to http is refused, and one without a target too", async () => {
    network.names({ "peer.guarded.net": [[PUBLIC]] });
    const plain = await network.start(() => answer("plain"));
    const secure = await network.start(() => redirect(`http://peer.guarded.net:${plain.port}/`), "good");
    expect(await network.textOf(`https://peer.guarded.net:${secure.port}/`)).toStartWith("redirect:");
    const lost = await network.start(() => "HTTP/1.1 302 x\r\nContent-Length: 0\r\n\r\n");
    expect(await network.textOf(`http://peer.guarded.net:${lost.port}/`)).toBe("redirect: it redirects to nowhere");
    expect(plain.connections).toBe(0);
  });

  test("no header that identifies the caller or payer reaches another origin", async () => {
    network.names({ "peer.guarded.net": [[PUBLIC]], "b.wide.net": [[PUBLIC]] });
    const second = await network.start(() => answer("there"));
    const first = await network.start(() => redirect(`http://b.wide.net:${second.port}/`, 307));
    const secrets = { authorization: "Bearer s", cookie: "a=b", "X-API-Key": "k", "payment-signature": "p" };
    const url = `http://peer.guarded.net:${first.port}/`;
    expect(await network.textOf(url, { headers: { ...secrets, accept: "text/plain" } })).toBe("there");
    expect(first.requests[0]).toContain("authorization: Bearer s");
    const [request = ""] = second.requests;
    expect(request).toContain("accept: text/plain");
    expect(request).not.toMatch(/authorization|cookie|x-api-key|payment|referer/i);
    expect(await network.textOf(url, { headers: secrets, redirects_same_origin: true })).toBe(
      "redirect: it redirects to another origin",
    );
    expect(await network.textOf(url, { method: "POST", body: "secret" })).toStartWith("redirect:");
    expect(second.requests).toHaveLength(1);
  });

  test("what is sent follows 307 within an origin, and not 303", async () => {
    network.names({ "peer.guarded.net": [[PUBLIC]] });
    const host = await network.start((request) => {
      if (request.includes("/307 ")) return redirect("/end", 307);
      if (request.includes("/303 ")) return redirect("/end", 303);
      return answer(`${request.split(" ")[0]} ${request.split("\r\n\r\n")[1]}`);
    });
    const url = `http://peer.guarded.net:${host.port}`;
    expect(await network.textOf(`${url}/307`, { method: "POST", body: "sent" })).toBe("POST sent");
    expect(await network.textOf(`${url}/303`, { method: "POST", body: "sent" })).toBe("GET ");
  });
});
