import { formOf, OPERATION_NAMES, type OperationName, type Operations, runOperation } from "../admin/operations.ts";
import { type AdminSession, type AdminSessions, SESSION_MS } from "../admin/sessions.ts";
import type { Timers } from "../core/clock.ts";
import { isNodeError, messageOf, NodeError } from "../core/errors.ts";
import { isSameSecret } from "../core/secrets.ts";
import {
  ADMIN_HEADERS,
  type AdminSection,
  renderAdminPage,
  renderLogin,
  SECTIONS,
  sectionPath,
} from "../pages/admin/layout.ts";
import { streamLive } from "./admin-stream.ts";
import { type AdminView, renderView, viewOf } from "./admin-views.ts";
import { readFormBody } from "./body.ts";
import type { FreeRoute } from "./free-route.ts";
import type { Handler, HTTPCall } from "./http-call.ts";
import { renderSalesCSV } from "./sales-csv.ts";
import { isProxied } from "./sandbox-door.ts";

export interface AdminPagesOptions {
  readonly operations: Operations;
  /** Commands on keys, for who sends the token. */
  readonly keyDoor: Handler;
  readonly sessions: AdminSessions;
  readonly node_name: string;
  /** Tells this node's cookie from those of other nodes on the same host. */
  readonly node_id: string;
  /** Whether it may be reached from anywhere: `[admin] enabled`. */
  readonly enabled: boolean;
  /** The node has an address for the world, or names proxies: a loopback peer may be anybody. */
  readonly is_published: boolean;
  readonly is_https: boolean;
  readonly timers: Timers;
  readonly isLoopback: (address: string) => boolean;
  /** Told of every login and every change, with nothing secret. */
  readonly log: (event: Readonly<Record<string, unknown>>) => void;
}

const FORM_BYTES_MAX = 8_192;
const TOKEN_CHARS_MAX = 200;
const nothing = (): NodeError => new NodeError("not_found", "Nothing is served under this path.");

/** What a browser of the operator gets: server-rendered pages, forms, and pages that change by themselves. */
export function createAdminPages(options: AdminPagesOptions): readonly FreeRoute[] {
  const { operations, sessions, node_name, log, timers } = options;
  const cookie_name = `intel_node_admin_${options.node_id.slice(-8)}`;

  /** When it is off, not even its existence is revealed. */
  const assertOpen = ({ request, peer }: HTTPCall): void => {
    if (options.enabled) return;
    if (options.is_published || !options.isLoopback(peer) || isProxied(request)) throw nothing();
  };
  const readCookie = ({ request }: HTTPCall): string | null => {
    const parts = (request.headers.get("cookie") ?? "").split(";").map((part) => part.trim());
    return parts.find((part) => part.startsWith(`${cookie_name}=`))?.slice(cookie_name.length + 1) ?? null;
  };
  /** A browser says where a form came from; what says another place than this one is not taken. */
  const assertOwnForm = ({ request: { headers } }: HTTPCall): void => {
    const origin = headers.get("origin");
    const site = headers.get("sec-fetch-site");
    const own = origin === null || (URL.canParse(origin) && new URL(origin).host === headers.get("host"));
    if (!own || (site !== null && site !== "same-origin" && site !== "none")) throw nothing();
  };
  const respond = (
    { request_id }: HTTPCall,
    body: string | null,
    { status = 200, more = {} }: { status?: number; more?: Record<string, string> } = {},
  ) => {
    // Not "no-referrer": browsers would send "Origin: null" with a form, which is that of another site as well.
    const headers = { ...ADMIN_HEADERS, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin" };
    return new Response(body, { status, headers: { ...headers, "X-Request-Id": request_id, ...more } });
  };
  const goTo = (http_call: HTTPCall, location: string, more: Record<string, string> = {}) =>
    respond(http_call, null, { status: 303, more: { Location: location, ...more } });
  const cookieOf = (value: string, age_s: number): Record<string, string> => {
    const secure = options.is_https ? "; Secure" : "";
    return {
      "Set-Cookie": `${cookie_name}=${value}; Path=/admin; Max-Age=${age_s}; HttpOnly; SameSite=Strict${secure}`,
    };
  };

  const withSession =
    (work: (http_call: HTTPCall, session: AdminSession) => Promise<Response> | Response): Handler =>
    (http_call) => {
      assertOpen(http_call);
      const session = sessions.find(readCookie(http_call));
      return session ? work(http_call, session) : goTo(http_call, "/admin");
    };

  const show = async (http_call: HTTPCall, session: AdminSession, view: AdminView): Promise<Response> => {
    const body = await renderView(operations, view, session.csrf);
    const { flash } = session;
    session.flash = null;
    const title = SECTIONS.find(([section]) => section === view.section)?.[1] ?? "Overview";
    return respond(
      http_call,
      renderAdminPage({ node_name, title: view.title ?? title, here: view.section, csrf: session.csrf, flash, body }),
    );
  };

  const home: Handler = (http_call) => {
    assertOpen(http_call);
    const session = sessions.find(readCookie(http_call));
    return session
      ? show(http_call, session, viewOf("", http_call.search))
      : respond(http_call, renderLogin(node_name, null));
  };

  const login: Handler = async (http_call) => {
    assertOpen(http_call);
    assertOwnForm(http_call);
    const { token = "" } = await readFormBody(http_call.request, FORM_BYTES_MAX);
    const { client } = http_call;
    const cookie = sessions.login(token.trim().slice(0, TOKEN_CHARS_MAX), client);
    log({ event: cookie === null ? "admin_login_refused" : "admin_login", client });
    if (cookie !== null) return goTo(http_call, "/admin", cookieOf(cookie, SESSION_MS / 1000));
    return respond(http_call, renderLogin(node_name, "This is not the operator's token."), { status: 401 });
  };

  const readOwnForm = async (http_call: HTTPCall, { csrf }: AdminSession) => {
    assertOwnForm(http_call);
    const fields = await readFormBody(http_call.request, FORM_BYTES_MAX);
    if (!isSameSecret(fields.csrf ?? "", csrf)) throw nothing();
    return fields;
  };

  const logout = withSession(async (http_call, session) => {
    await readOwnForm(http_call, session);
    sessions.end(readCookie(http_call));
    return goTo(http_call, "/admin", cookieOf("", 0));
  });

  const act = withSession(async (http_call, session) => {
    const { csrf: _, op = "", back = "", ...fields } = await readOwnForm(http_call, session);
    const name = OPERATION_NAMES.find((one) => one === op && formOf(one).method === "POST");
    if (!name) throw nothing();
    session.flash = await perform(operations, name, fields);
    log({ event: "admin_action", operation: name, ok: session.flash.ok, client: http_call.client });
    return goTo(http_call, /^\/admin(\/[a-z]+(\?key=key_[A-Za-z0-9]+)?)?$/.test(back) ? back : "/admin");
  });

  const csv = withSession(async (http_call) => {
    const asked = { limit: "1000", ...Object.fromEntries(new URLSearchParams(http_call.search)) };
    const { items } = (await runOperation(operations, "sales", asked)) as Awaited<ReturnType<Operations["sales"]>>;
    const type = {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="sales.csv"',
    };
    return respond(http_call, renderSalesCSV(items), { more: type });
  });

  const events = withSession((http_call, session) => {
    const of = new URLSearchParams(http_call.search).get("of") ?? "";
    const section = SECTIONS.find(([name]) => name === of)?.[0] ?? "";
    const headers = { "Content-Type": "text/event-stream", "Cache-Control": "no-store" };
    return new Response(streamLive(operations, viewOf(section, ""), { session, timers }), { headers });
  });

  const page = (section: AdminSection): FreeRoute => {
    const shown = withSession((http_call, session) => show(http_call, session, viewOf(section, http_call.search)));
    if (section === "") return { path: "/admin", methods: ["GET"], handler: operator(home) };
    const path = sectionPath(section);
    if (section !== "keys") return { path, methods: ["GET"], handler: operator(shown) };
    // The commands on keys, for programs, have the same address.
    const both: Handler = (http_call) => (http_call.request.method === "POST" ? options.keyDoor : shown)(http_call);
    return { path, methods: ["GET", "POST"], handler: operator(both) };
  };
  return [
    ...SECTIONS.map(([section]) => page(section)),
    { path: "/admin/sales.csv", methods: ["GET"], handler: operator(csv) },
    { path: "/admin/events", methods: ["GET"], handler: operator(events) },
    { path: "/admin/login", methods: ["POST"], handler: operator(login) },
    { path: "/admin/logout", methods: ["POST"], handler: operator(logout) },
    { path: "/admin/do", methods: ["POST"], handler: operator(act) },
  ];
}

const operator = (handler: Handler): Handler => Object.assign(handler, { operator: true as const });

/** Runs what a form asked for, and says in one line what came of it. Fields left empty were not filled in. */
async function perform(
  operations: Operations,
  name: OperationName,
  fields: Readonly<Record<string, string>>,
): Promise<NonNullable<AdminSession["flash"]>> {
  const keeps_empty = name === "key_amend" ? ["label"] : [];
  const given = Object.fromEntries(
    Object.entries(fields).filter(([field, value]) => value !== "" || keeps_empty.includes(field)),
  );
  try {
    const result = (await runOperation(operations, name, given)) as Readonly<Record<string, unknown>>;
    const { api_key, ok = true, faults, error, ...rest } = result;
    const failed = ok === false || (name === "run_job" && rest.last_error !== null);
    const text = failed
      ? `Not done: ${String(faults ?? error ?? rest.last_error)}`
      : `${formOf(name).summary}: done.${describe(name, rest)}`;
    return { ok: !failed, text, ...(typeof api_key === "string" ? { secret: api_key } : {}) };
  } catch (error) {
    if (isNodeError(error) && error.status < 500) return { ok: false, text: `Not done: ${messageOf(error)}` };
    throw error;
  }
}

/** What was switched off, and what went with it. */
function describeOff({ name, no_longer_sold }: Readonly<Record<string, unknown>>): string {
  const paths = Array.isArray(no_longer_sold) ? no_longer_sold.map(({ path }) => String(path)) : [];
  const others = paths.filter((path) => path !== name);
  return ` ${String(name)} is off.${others.length > 0 ? ` With it: ${others.join(", ")}.` : ""}`;
}

function describe(name: OperationName, rest: Readonly<Record<string, unknown>>): string {
  if (name === "reload") {
    const list = (value: unknown) => (Array.isArray(value) && value.length > 0 ? value.join(", ") : "nothing");
    return ` In force: ${list(rest.changed)}. Waits for the next start: ${list(rest.needs_restart)}.`;
  }
  if (name === "products_off" || name === "providers_off") return describeOff(rest);
  if (name === "make_backup") return ` ${String(rest.file)}`;
  if (name === "test_alerts" && Array.isArray(rest.sent)) {
    const told = rest.sent.map((one) => `${one.channel} ${one.ok ? "sent" : `failed: ${one.error}`}`);
    return ` ${told.join("; ") || "There is no [[alerts]] entry."}`;
  }
  return typeof rest.key_id === "string" ? ` ${rest.key_id}` : "";
}
