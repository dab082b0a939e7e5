import { defineExpiry } from "../../platform/jobs/expiry-repository.js";

/** Interactions whose 15 minutes are over, with what was answered to the invoker alone. */
export const expiredInteractions = defineExpiry({
  name: "expired interactions",
  table: "interactions",
  where: "expires_at < now() AND due_at IS NULL",
  order: "expires_at",
  everyMs: 10_000,
});
