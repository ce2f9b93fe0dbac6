import { isSameSecret } from "../../core/secrets.ts";
import { readFormBody } from "../../http/body.ts";
import type { Handler, HTTPCall } from "../../http/http-call.ts";
import { chooseWords } from "../../http/language.ts";
import { html } from "../../pages/html.ts";
import { renderSetupPage, SETUP_HEADERS, setupPath } from "../../pages/setup/page.ts";
import type { Words } from "../../pages/words.ts";
import {
  assertFromHere,
  assertOwnForm,
  HOUR_MS,
  nothing,
  type SetupAccess,
  type SetupPlace,
  type SetupSession,
} from "./access.ts";
import type { SetupDesk } from "./desk.ts";
import type { Entered } from "./entered.ts";

export interface SetupDoorOptions {
  readonly access: SetupAccess;
  /** Null until the node that serves the preview has started. */
  readonly desk: () => SetupDesk | null;
  readonly place: SetupPlace;
  /** Whether a configuration file exists now: then the set-up serves nothing. */
  readonly isOver: () => boolean;
  /** Called with each action, without secrets. */
  readonly log: (event: Readonly<Record<string, unknown>>) => void;
}

/** A request by the one browser that may set the node up. */
export interface SetupCall {
  readonly http_call: HTTPCall;
  readonly desk: SetupDesk;
  readonly session: SetupSession;
  readonly words: Words;
}

/** The entrance to all pages of the set-up. */
export interface SetupDoor {
  /** Accepts the code. */
  readonly open: Handler;
  readonly withSession: (work: (call: SetupCall) => Promise<Response> | Response) => Handler;
  /** Does the same for forms sent by the set-up's own pages. */
  readonly withForm: (work: (call: SetupCall, fields: Entered) => Promise<Response> | Response) => Handler;
}

const FORM_BYTES_MAX = 65_536;
const COOKIE = "intel_node_setup";
const COOKIE_S = (24 * HOUR_MS) / 1000;

export interface AnswerOptions {
  readonly status?: number;
  readonly more?: Readonly<Record<string, string>>;
}

export const respond = (
  { request_id }: HTTPCall,
  body: string | null,
  { status = 200, more = {} }: AnswerOptions = {},
): Response => new Response(body, { status, headers: { ...SETUP_HEADERS, "X-Request-Id": request_id, ...more } });

export const goTo = (http_call: HTTPCall, location: string, more: AnswerOptions["more"] = {}): Response =>
  respond(http_call, null, { status: 303, more: { Location: location, ...more } });

const wordsOf = ({ search, request }: HTTPCall): Words => chooseWords(search, request.headers.get("accept-language"));

function readCookie({ request }: HTTPCall): string | null {
  const parts = (request.headers.get("cookie") ?? "").split(";").map((part) => part.trim());
  return parts.find((part) => part.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1) ?? null;
}

function refuse(http_call: HTTPCall): Response {
  const words = wordsOf(http_call);
  const text = words.say(
    "This address opens once, within an hour. Start the program anew for another one: what you entered is kept.",
  );
  const page = { words, title: words.say("Not open"), here: null, flash: null, body: html`<p>${text}</p>` };
  return respond(http_call, renderSetupPage(page), { status: 403 });
}

/** Only a browser with the code gets this far. */
export const unlimited = (handler: Handler): Handler =>
  Object.assign(handler, { unlimited: true as const, operator: true as const });

export function createSetupDoor({ access, desk, place, isOver, log }: SetupDoorOptions): SetupDoor {
  const assertOpen = (http_call: HTTPCall): void => {
    if (isOver()) throw nothing();
    assertFromHere(http_call, place);
  };
  const open = unlimited((http_call) => {
    assertOpen(http_call);
    const { request, search } = http_call;
    const to = setupPath("shop", wordsOf(http_call));
    if (access.find(readCookie(http_call)) !== null) return goTo(http_call, to);
    // A prefetch, such as by a program that previews links, must not use up the code.
    const code = request.method === "GET" ? new URLSearchParams(search).get("code") : null;
    const cookie = code === null ? null : access.open(code);
    log({ event: cookie === null ? "setup_refused" : "setup_opened", client: http_call.client });
    if (cookie === null) return refuse(http_call);
    const secure = place.startsWith("https:") ? "; Secure" : "";
    const kept = `Path=/setup; Max-Age=${COOKIE_S}; HttpOnly; SameSite=Strict${secure}`;
    return goTo(http_call, to, { "Set-Cookie": `${COOKIE}=${cookie}; ${kept}` });
  });
  const withSession: SetupDoor["withSession"] = (work) =>
    unlimited((http_call) => {
      assertOpen(http_call);
      const [at, session] = [desk(), access.find(readCookie(http_call))];
      if (at === null || session === null) return refuse(http_call);
      return work({ http_call, desk: at, session, words: wordsOf(http_call) });
    });
  return {
    open,
    withSession,
    withForm: (work) =>
      withSession(async (call) => {
        assertOwnForm(call.http_call, place);
        const { csrf = "", ...fields } = await readFormBody(call.http_call.request, FORM_BYTES_MAX);
        if (!isSameSecret(csrf, call.session.csrf)) throw nothing();
        return work(call, fields);
      }),
  };
}
