import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { createProgram } from "../../commands/program.ts";
import { envName } from "../../config/env.ts";
import { createApp } from "./app.ts";
import { renderPackages } from "./render.ts";
import { renderYAML } from "./yaml.ts";

const project = JSON.parse(readFileSync(join(import.meta.dir, "../../../package.json"), "utf8"));
const app = createApp(project);
const files = new Map(renderPackages(app).map(({ path, content }) => [path, content]));

const text = (pattern?: string) => Type.String({ minLength: 1, ...(pattern === undefined ? {} : { pattern }) });
const closed = { additionalProperties: false };
const url = text("^https://\\S+$");
const version = text("^\\d+\\.\\d+\\.\\d+$");
const languages = Type.Record(text("^[a-z]{2}_[A-Z]{2}$"), text());
/** Services as the Compose specification has them, as far as they are used here. */
const service = Type.Object(
  {
    image: text("^\\S+:\\S+$"),
    command: Type.Array(text()),
    environment: Type.Record(text("^[A-Z][A-Z0-9_]*$"), text()),
    volumes: Type.Array(text("^\\S+:/data$"), { minItems: 1 }),
    restart: Type.Literal("unless-stopped"),
    stop_grace_period: text("^\\d+s$"),
    read_only: Type.Boolean(),
    tmpfs: Type.Array(text("^/")),
    user: Type.Optional(text("^\\d+:\\d+$")),
    ports: Type.Optional(
      Type.Array(
        Type.Union([
          text("^127\\.0\\.0\\.1:\\d+:\\d+$"),
          Type.Object({ target: Type.Integer(), published: text(), protocol: Type.Literal("tcp") }, closed),
        ]),
      ),
    ),
    "x-casaos": Type.Optional(
      Type.Object({
        ports: Type.Array(Type.Object({ container: text("^\\d+$"), description: languages }, closed)),
        volumes: Type.Array(Type.Object({ container: text("^/"), description: languages }, closed)),
      }),
    ),
  },
  closed,
);
const compose = (more: Record<string, TSchema> = {}) =>
  Type.Object({ name: Type.Optional(text()), services: Type.Record(text(), service), ...more }, closed);
const volumes = Type.Object({ data: Type.Object({}) }, closed);

/** What each store takes, by its own documents: names, kinds, and what it cannot do without. */
const SCHEMAS: Readonly<Record<string, TSchema>> = {
  "compose/compose.yaml": compose({ volumes }),
  "coolify/intel-node.yaml": compose({ volumes }),
  "casaos/docker-compose.yml": compose({
    "x-casaos": Type.Object(
      {
        architectures: Type.Array(Type.Union([Type.Literal("amd64"), Type.Literal("arm64"), Type.Literal("arm")])),
        main: Type.Literal(app.id),
        author: text(),
        developer: text(),
        category: text(),
        icon: url,
        title: languages,
        tagline: languages,
        description: languages,
        index: text("^/"),
        port_map: text("^\\d+$"),
      },
      closed,
    ),
  }),
  "umbrel/umbrel-app.yml": Type.Object(
    {
      manifestVersion: Type.Literal(1),
      id: text("^[a-z-]+$"),
      category: text(),
      name: text(),
      version,
      tagline: Type.String({ minLength: 1, maxLength: 50 }),
      description: text(),
      releaseNotes: Type.String(),
      developer: text(),
      website: url,
      dependencies: Type.Array(text()),
      repo: url,
      support: url,
      port: Type.Integer({ minimum: 1, maximum: 65_535 }),
      gallery: Type.Array(text()),
      path: Type.String(),
      defaultUsername: Type.String(),
      defaultPassword: Type.String(),
      submitter: text(),
      submission: url,
    },
    closed,
  ),
  "umbrel/docker-compose.yml": Type.Object(
    {
      version: Type.Literal("3.7"),
      services: Type.Object({
        app_proxy: Type.Object({
          environment: Type.Object({
            APP_HOST: Type.Literal("intel-node_server_1"),
            APP_PORT: Type.Integer(),
            PROXY_AUTH_ADD: Type.Literal("false"),
          }),
        }),
        server: service,
      }),
    },
    closed,
  ),
  "start9/manifest.yaml": Type.Object(
    {
      id: text("^[a-z-]+$"),
      title: text(),
      version,
      "release-notes": text(),
      license: text(),
      build: Type.Array(text()),
      "wrapper-repo": url,
      "upstream-repo": url,
      "support-site": url,
      "marketing-site": url,
      "min-os-version": version,
      description: Type.Object({ short: text(), long: text() }, closed),
      assets: Type.Record(text(), text()),
      main: Type.Object({
        type: Type.Literal("docker"),
        image: Type.Literal("main"),
        entrypoint: text(),
        args: Type.Array(text()),
        mounts: Type.Object({ main: text("^/") }),
      }),
      "health-checks": Type.Object({}),
      dependencies: Type.Object({}),
      volumes: Type.Object({ main: Type.Object({ type: Type.Literal("data") }) }),
      interfaces: Type.Object({
        main: Type.Object({
          name: text(),
          description: text(),
          ui: Type.Literal(true),
          protocols: Type.Array(text()),
          "tor-config": Type.Object({ "port-mapping": Type.Record(text("^\\d+$"), text("^\\d+$")) }),
          "lan-config": Type.Record(text("^\\d+$"), Type.Object({ ssl: Type.Boolean(), internal: Type.Integer() })),
        }),
      }),
      backup: Type.Object({ create: Type.Object({}), restore: Type.Object({}) }),
      actions: Type.Object({}),
    },
    closed,
  ),
  "home-assistant/config.yaml": Type.Object(
    {
      name: text(),
      version,
      slug: text("^[a-z0-9_]+$"),
      description: text(),
      url,
      init: Type.Boolean(),
      arch: Type.Array(Type.Union([Type.Literal("amd64"), Type.Literal("aarch64"), Type.Literal("armv7")])),
      startup: Type.Literal("application"),
      boot: Type.Literal("auto"),
      options: Type.Object({}),
      ports: Type.Record(text("^\\d+/tcp$"), Type.Integer()),
      ports_description: Type.Record(text(), text()),
      webui: text("^http://\\[HOST\\]:\\[PORT:\\d+\\]/$"),
      schema: Type.Object({}),
    },
    closed,
  ),
  "helm/Chart.yaml": Type.Object(
    {
      apiVersion: Type.Literal("v2"),
      name: text("^[a-z-]+$"),
      description: text(),
      version,
      appVersion: version,
      type: Type.Literal("application"),
    },
    closed,
  ),
  "helm/values.yaml": Type.Object({ image: text(), setup: url, storage: text("^\\d+Gi$") }, closed),
  "helm/templates/stateful-set.yaml": Type.Object({
    apiVersion: Type.Literal("apps/v1"),
    kind: Type.Literal("StatefulSet"),
    spec: Type.Object({
      replicas: Type.Literal(1),
      serviceName: text(),
      volumeClaimTemplates: Type.Array(Type.Object({})),
    }),
  }),
  "helm/templates/service.yaml": Type.Object({ apiVersion: Type.Literal("v1"), kind: Type.Literal("Service") }),
};

describe("packages of app stores", () => {
  test.each(Object.entries(SCHEMAS))("%s is what the store takes", (path, schema) => {
    const parsed: unknown = Bun.YAML.parse(files.get(path) ?? "");
    expect([...Value.Errors(schema, parsed)].map((fault) => `${fault.path} ${fault.message}`)).toEqual([]);
  });

  test("each has a schema, or is no YAML", () => {
    const known = Object.keys(SCHEMAS);
    expect([...files.keys()].filter((path) => !known.includes(path))).toEqual(["home-assistant/Dockerfile"]);
  });

  test("start the program by options and variables that it has", () => {
    const run = createProgram(() => undefined).commands.find((one) => one.name() === "run");
    const options = run?.options.map(({ long }) => long) ?? [];
    expect(app.command.filter((word) => word.startsWith("--") && !options.includes(word))).toEqual([]);
    expect(Object.keys(app.environment)).toEqual([envName(["server", "host"])]);
  });
});

describe("YAML", () => {
  test.each([
    [
      "words that are no text",
      ["true", "no", "null", "3.7", "8402", "", " x", "x ", "-", "a: b", "#x", "*", "&a", "x:"],
    ],
    ["lists in lists, and tables in lists", [["a", ["b"]], { a: 1, b: [{ c: true }], d: {} }, []]],
    ["names that are no words", { "443": 1, "8402/tcp": 2, "x-casaos": { "": "y" }, yes: false }],
    ["several lines and quotes", ['a "b"\nc', "it's", "{{ .Values.image }}", "$APP_DATA_DIR/data", "Café"]],
  ] as const)("%s come back as they were", (_, value) => {
    expect(Bun.YAML.parse(renderYAML(value))).toEqual(value as never);
  });
});
