import type { Identity, SessionClaim } from "@parley/auth";
import type { Logger } from "@parley/service-runtime";
import type { Request } from "express";

/** Checks whether a reader has taken the answers before. */
interface UnreadAnswerRoom {
  requireRoom(request: Request, bytes?: number): void;
}

/** The results of the middlewares for a request, before its route runs. */
export interface RequestState {
  /** X-Request-Id of the request, or a fresh one. */
  id: string;
  log: Logger;
  unreadAnswers: UnreadAnswerRoom;
  /** The authenticated caller; null without valid credentials. */
  identity: Identity | null;
  /** The session of `identity` where a statement of the route is to confirm it; null when it is confirmed. */
  unconfirmed: SessionClaim | null;
  /** Public text of the 401 that a route answers when it needs a caller and `identity` is null. */
  rejection: string;
  /** Whether the credential of `identity` is still in force; null without one. */
  confirm: (() => Promise<Identity | null>) | null;
  /** The limit that the request exceeded, for metrics; null for none. */
  limit: string | null;
  /** Path template of the matched route, for metrics. */
  routePath: string;
}

declare global {
  namespace Express {
    interface Request {
      state: RequestState;
    }
  }
}
