/**
 * How much is said, from most to least: `body` has the whole example and the fields of the data; `header` has to pass
 * every proxy; `short` leaves out descriptions and limits of the parameters; `tight` shows one member of the example;
 * `typed` says of the answer that it is an object; `input` says nothing of it; `bare` names the parameters and their
 * types, and no more.
 */
export type BazaarDetail = "body" | "header" | "short" | "tight" | "typed" | "input" | "bare";
