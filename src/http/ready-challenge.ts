import type { Challenge } from "../payments/challenge.ts";
import { type ChallengedCall, renderAuthenticate } from "../payments/mpp/issue.ts";
import { respondAs } from "./respond.ts";

/** The parts of a challenge that belong to one call. */
interface ReadyCall extends ChallengedCall {
  /** As `renderQuery` writes it; left out or "" for none. */
  readonly query?: string;
}

/**
 * Answers with a 402 that differs from the last one by nothing but the id of its request, its query and the challenges
 * that are its own.
 */
export type ReadyChallenge = (request_id: string, is_head: boolean, call: ReadyCall) => Response;

/**
 * Makes the 402 of a challenge once: its headers, and the bytes of its body with a place for the id. A response copies
 * both as it is made, so the next one may write its own id into them.
 * @param headers those that every 402 has.
 */
export function createReadyChallenge(challenge: Challenge, protocol: 1 | 2, headers: Headers): ReadyChallenge {
  const own = new Headers(headers);
  const plain = protocol === 1 ? challenge.header_v1 : challenge.header;
  let shown = "";
  const show = (header: string): void => {
    if (header !== shown) own.set("PAYMENT-REQUIRED", header);
    shown = header;
  };
  const init = { status: 402, headers: own };
  const [head, tail] = protocol === 1 ? challenge.body_v1 : challenge.body;
  const start = Buffer.byteLength(head);
  let id_length = -1;
  let bytes = Buffer.alloc(0);
  return (request_id, is_head, call) => {
    const authenticate = renderAuthenticate(challenge.mpp, call);
    if (authenticate !== null) own.set("WWW-Authenticate", authenticate);
    const { query = "" } = call;
    if (query !== "") {
      const { header, body } = challenge.called(query, protocol);
      show(header);
      return respondAs(request_id, is_head ? null : `${body[0]}${request_id}${body[1]}`, init);
    }
    show(plain);
    if (is_head) return respondAs(request_id, null, init);
    if (request_id.length !== id_length) {
      id_length = request_id.length;
      bytes = Buffer.from(head + request_id + tail);
    } else {
      // An id is a few letters: calling what writes texts costs several times as much.
      for (let index = 0; index < id_length; index++) bytes[start + index] = request_id.charCodeAt(index);
    }
    return respondAs(request_id, bytes, init);
  };
}
