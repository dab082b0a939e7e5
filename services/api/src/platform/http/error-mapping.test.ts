import { errorTexts, notFound } from "@parley/contracts";
import { createLogger, createMetrics, startHttpServer } from "@parley/service-runtime";
import express from "express";
import { expect, test } from "vitest";
import { answerError } from "./error-mapping.js";
import { requestId } from "./request-id.js";
import { UnreadAnswers } from "./unread-answers.js";

const databaseError = (code: string) => Object.assign(new Error("of PostgreSQL"), { code });

test.each([
  ["of the service", 404, errorTexts.user_not_found, notFound(errorTexts.user_not_found)],
  ["of a database that is away", 503, errorTexts.unavailable, databaseError("57P01")],
  // Each was tried again, in vain.
  ["of a deadlock", 503, errorTexts.unavailable, databaseError("40P01")],
  ["of transactions that fit in no order", 503, errorTexts.unavailable, databaseError("40001")],
  ["of another kind", 500, errorTexts.internal, databaseError("42601")],
])("an error %s is answered with %i and %j", async (_kind, status, text, error) => {
  const app = express();
  const unread = new UnreadAnswers(createMetrics());
  app.use(requestId(createLogger({ service: "api", level: "silent", nodeId: "test" }), unread));
  app.use(() => {
    throw error;
  });
  app.use(answerError);
  const server = await startHttpServer({ handler: app, host: "127.0.0.1", port: 0, graceMs: 50 });
  try {
    const answer = await fetch(server.url);
    expect([answer.status, await answer.json()]).toEqual([status, expect.objectContaining({ error: text })]);
  } finally {
    unread.close();
    await server.close();
  }
});
