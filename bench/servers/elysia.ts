import { Elysia } from "elysia";

/** The bar: a bare Elysia route that answers JSON. */
const body = { message: "hello", numbers: [1, 2, 3] };
const app = new Elysia().get("/json", () => body).listen({ hostname: "127.0.0.1", port: 0 });
console.log(app.server?.port);
