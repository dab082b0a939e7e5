import { expect, test } from "vitest";
import { findReason } from "./refusal.js";

const url = "https://chat.example/ws?token=secret";

test.each([
  ["a second factor to set up", 403, "second_factor_set_up_first", "refused"],
  ["a banned network", 403, "network_blocked", "elsewhere"],
  ["a token that is no longer taken", 401, "invalid_token", "token"],
  ["a connection that could have begun", 400, "upgrade_required", "passing"],
])("the answer to an attempt that failed says why: %s", async (_, status, code, verdict) => {
  const answer = Response.json({ error: "A sentence", message: "A sentence", code }, { status });
  const found = await findReason(async () => answer, url, 1_000);
  expect(found).toMatchObject({ verdict, isAnswered: true });
  if (code !== "upgrade_required") expect(found.error).toMatchObject({ code, status });
});
