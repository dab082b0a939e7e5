import { createServer } from "node:http";
import express from "express";
import { expect, test } from "vitest";
import { messageClasses } from "./message-classes.js";

test("requests and responses have the prototypes of their app from the beginning, and what express adds to them", async () => {
  const app = express();
  app.get("/kept", (request, response) => {
    response.json({
      isKept:
        Object.getPrototypeOf(request) === before?.request && Object.getPrototypeOf(response) === before?.response,
      path: request.path,
      query: request.query,
      ip: request.ip,
    });
  });
  let before: { request: unknown; response: unknown } | undefined;
  const server = createServer(
    messageClasses(app, () => undefined),
    (request, response) => {
      before = { request: Object.getPrototypeOf(request), response: Object.getPrototypeOf(response) };
      app(request, response);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const answer = await fetch(`http://127.0.0.1:${port}/kept?a=1`);
    expect(await answer.json()).toEqual({ isKept: true, path: "/kept", query: { a: "1" }, ip: "127.0.0.1" });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
