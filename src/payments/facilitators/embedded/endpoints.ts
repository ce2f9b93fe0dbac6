import { messageOf } from "../../../core/errors.ts";

/** Several endpoints, of which a library can use one at a time. */
export interface Endpoints<T> {
  /** What was made for the endpoint that answered last. */
  current(): T;
  /** Asks them in order until one answers, which is the current one from then on. */
  find<A>(ask: (url: string) => Promise<A>): Promise<A>;
}

/** @throws Error when there are no endpoints; `find` throws the last failure, without addresses in it. */
export function pickEndpoint<T>(urls: readonly string[], create: (url: string) => T): Endpoints<T> {
  const made = urls.map(create);
  let at = 0;
  return {
    current() {
      const one = made[at];
      if (one === undefined) throw new Error("no RPC endpoint is configured");
      return one;
    },
    async find(ask) {
      let last = "no RPC endpoint is configured";
      for (const [index, url] of urls.entries()) {
        try {
          const answer = await ask(url);
          at = index;
          return answer;
        } catch (error) {
          last = messageOf(error).replaceAll(url, "(address)").slice(0, 200);
        }
      }
      throw new Error(last);
    },
  };
}
