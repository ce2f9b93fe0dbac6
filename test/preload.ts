/**
 * Runs before every test file: nothing but loopback may be called. A test that needs the network is wrong, so it fails
 * here instead of hanging or passing by luck.
 */
const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]", "::1"]);
const real = globalThis.fetch;

const guarded = (input: Parameters<typeof fetch>[0], init?: Parameters<typeof fetch>[1]) => {
  const url = new URL(input instanceof Request ? input.url : String(input));
  const local = LOOPBACK.has(url.hostname) || /^127\./.test(url.hostname) || url.protocol === "data:";
  if (!local) throw new Error(`a test called ${url.origin}: only loopback is allowed`);
  return real(input, init);
};

globalThis.fetch = Object.assign(guarded, { preconnect: real.preconnect });
