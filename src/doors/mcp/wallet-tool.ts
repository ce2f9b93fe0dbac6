import { type Static, Type } from "@sinclair/typebox";
import { createParamsParser } from "../../catalog/params.ts";
import { NodeError } from "../../core/errors.ts";
import type { FreeRoute } from "../../http/free-route.ts";
import type { HTTPCall } from "../../http/http-call.ts";
import { WALLET_SHOWS } from "../../surfaces/mcp-tools.ts";
import { type Arguments, readArguments } from "./coerce-arguments.ts";

/** Answers what one of a wallet's doors answers, for the wallet that signed. */
export type WalletTool = (http_call: HTTPCall, given: Readonly<Record<string, unknown>>) => Promise<string>;

const SIGN_IN = "SIGN-IN-WITH-X";
const ANSWERS = "/wallet/answers/";
const PLAIN = /^[\x21-\x7e]+$/;

const Wanted = Type.Object({
  show: Type.Union(WALLET_SHOWS.map((show) => Type.Literal(show))),
  payment_id: Type.Optional(Type.String({ pattern: "^pay_[A-Za-z0-9]{1,60}$" })),
  sign_in: Type.Optional(Type.String({ maxLength: 12_288 })),
});
const params = createParamsParser(Wanted);

/** @param free the node's free paths: null where a wallet has no doors. */
export function createWalletTool(free: readonly FreeRoute[], public_url: string): WalletTool | null {
  const find = (path: string): FreeRoute | undefined => free.find((one) => one.path === path);
  if (!find("/wallet/purchases")) return null;
  return async (http_call, given) => {
    const args: Arguments = readArguments(given, Wanted);
    const parsed = params.fromBody(args.given);
    if (parsed.missing.length > 0) throw needed("show");
    const { show, payment_id, sign_in } = parsed.params as Static<typeof Wanted>;
    if (show === "answer" && payment_id === undefined) throw needed("payment_id");
    const route = find(show === "answer" ? `${ANSWERS}:id` : `/wallet/${show}`);
    if (!route) throw new NodeError("not_found", "This node has no such door.");
    const path = show === "answer" ? `${ANSWERS}${payment_id}` : route.path;
    const signed = sign_in ?? http_call.request.headers.get(SIGN_IN);
    const headers = new Headers();
    if (signed !== null) headers.set(SIGN_IN, PLAIN.test(signed) ? signed : "-");
    const request = new Request(`${public_url}${path}`, { headers });
    return (await route.handler({ ...http_call, request, search: "" })).text();
  };
}

const needed = (param: string): NodeError =>
  new NodeError("invalid_parameter", `Parameter "${param}" is needed.`, { param });
