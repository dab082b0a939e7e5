import { test } from "vitest";
import { page } from "vitest/browser";
import { user } from "../../page-stage/fixtures.js";
import { counted, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

test("where passkeys are off nobody is offered one", async () => {
  const stage = await visit(world(user("rita")), {
    path: "/account/passkeys",
    prepare: (server) => server.on("GET /auth/passkeys", () => []),
  });
  await shown(page.getByText("New passkeys can’t be added"));
  await stage.settled();
  await counted(page.getByRole("button", { name: "Add a passkey", exact: true }), 0);
});
