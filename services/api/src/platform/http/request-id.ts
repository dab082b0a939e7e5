import { randomUUID } from "node:crypto";
import { errorTexts } from "@parley/contracts";
import type { Logger } from "@parley/service-runtime";
import type { RequestHandler } from "express";
import "./request-state.js";
import type { UnreadAnswers } from "./unread-answers.js";

const acceptableId = /^[\w.-]{1,128}$/;

/** Gives every request its state and an id that shows in the answer, the logs and the events it causes. */
export function requestId(logger: Logger, unreadAnswers: UnreadAnswers): RequestHandler {
  return (request, response, next) => {
    const given = request.headers["x-request-id"];
    const id = typeof given === "string" && acceptableId.test(given) ? given : randomUUID();
    response.setHeader("X-Request-Id", id);
    request.state = {
      id,
      log: logger,
      unreadAnswers,
      identity: null,
      unconfirmed: null,
      rejection: errorTexts.invalid_token,
      confirm: null,
      limit: null,
      routePath: "unmatched",
    };
    next();
  };
}
