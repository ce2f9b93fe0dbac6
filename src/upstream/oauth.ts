import { type Static, Type } from "@sinclair/typebox";
import type { ProviderDefinition } from "../catalog/provider.ts";
import { UpstreamError } from "../core/errors.ts";
import { createSingleFlight } from "../core/single-flight.ts";
import type { UpstreamAddressOptions } from "./addresses.ts";
import { createCall, createFlightRequest } from "./call.ts";
import { type Credentials, fly } from "./flight.ts";
import type { FlightShared } from "./flight-shared.ts";
import type { Patience } from "./throttle.ts";

/** RFC 6749, 5.1. */
const TokenAnswer = Type.Object({
  access_token: Type.String({ minLength: 1, maxLength: 8_000, pattern: "^[!-~]+$" }),
  token_type: Type.String({ pattern: "^[Bb]earer$" }),
  expires_in: Type.Optional(Type.Number({ minimum: 0 })),
});

interface Token {
  readonly value: string;
  readonly until_ms: number;
}

/** A token is renewed this long before it expires, so that it does not expire in transit. */
const EARLY_MS = 60_000;
/** Lifetime of a token that states none. */
const UNSTATED_MS = 600_000;

/** Tokens for providers with OAuth client credentials. */
export interface Tokens {
  /** Credentials for a provider's calls; undefined for a provider without OAuth. */
  of(
    provider: ProviderDefinition,
    options: UpstreamAddressOptions,
    patience: () => Patience | null,
  ): Credentials | undefined;
}

const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64")}`;

/** Keeps one token per provider: requested with the first call, before it expires, and after a 401. */
export function createTokens(shared: FlightShared): Tokens {
  const tokens = new Map<string, Token>();
  const asking = createSingleFlight<Token>();

  const ask = async (
    provider: ProviderDefinition,
    options: UpstreamAddressOptions,
    patience: () => Patience | null,
  ): Promise<Token> => {
    const { oauth, id } = provider;
    const { client_id, client_secret } = options.settings;
    if (!oauth || !client_id || !client_secret) {
      throw new UpstreamError("upstream_auth", id, `${id}: needs client_id and client_secret`);
    }
    const form = {
      grant_type: "client_credentials",
      ...(oauth.scope === undefined ? {} : { scope: oauth.scope }),
      ...(oauth.client_in === "form" ? { client_id, client_secret } : {}),
    };
    const target = { path: oauth.path, ...(oauth.host === undefined ? {} : { host: oauth.host }), form };
    const call = createCall(provider, target, options);
    const addresses = call.addresses.map((address) => ({
      ...address,
      secrets: [...address.secrets, client_secret],
      headers: oauth.client_in === "basic" ? { authorization: basic(client_id, client_secret) } : {},
    }));
    const asked_ms = shared.clock.now();
    const read = (answer: Static<typeof TokenAnswer>): Token => ({
      value: answer.access_token,
      until_ms: asked_ms + (answer.expires_in === undefined ? UNSTATED_MS : answer.expires_in * 1000) - EARLY_MS,
    });
    const { outcome } = await fly(
      // The answer is a secret and is not kept.
      { ...shared, watchCall: undefined, onAnswer: undefined },
      createFlightRequest(
        { ...call, addresses },
        { rule: { format: "json", schema: TokenAnswer, read }, patience, known: undefined, credentials: undefined },
      ),
    );
    if (!outcome.ok) {
      const why = `${id}: no token could be had: ${outcome.error.message}`;
      throw new UpstreamError(outcome.error.kind, id, why.slice(0, 200), { cause: outcome.error });
    }
    if (outcome.unchanged) throw new Error("a token is never asked for conditionally");
    return outcome.reading as Token;
  };

  return {
    of(provider, options, patience) {
      if (!provider.oauth) return undefined;
      const key = `${provider.id} ${options.settings.client_id ?? ""}`;
      let sent: Token | undefined;
      return {
        async headers() {
          const known = tokens.get(key);
          const is_young = known && shared.clock.now() < known.until_ms;
          sent = is_young ? known : await asking.run(key, () => ask(provider, options, patience));
          tokens.set(key, sent);
          return { authorization: `Bearer ${sent.value}` };
        },
        refuse() {
          // Only a kept token is replaced: if a fresh one is refused, the next would be refused too.
          if (!sent || tokens.get(key) !== sent) return tokens.has(key);
          tokens.delete(key);
          return true;
        },
      };
    },
  };
}
