import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { refuse } from "../../page-stage/fake-server.js";
import { madeAt, user } from "../../page-stage/fixtures.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { openSection } from "../../page-stage/settings.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

const connect = () => page.getByRole("button", { name: "Connect with Chess Federation" });

async function openAccount(connected_at: string | null) {
  const stage = await visit(world(user("ines")), { path: "/account" });
  let link = connected_at;
  stage.server.on("GET /instance/sign-in", () => ({
    password: true,
    oidc: { name: "Chess Federation" },
    passkeys: false,
  }));
  stage.server.on("GET /auth/email", () => ({ email: null, verified: false }));
  stage.server.on("GET /auth/oidc/link", () => ({ connected_at: link }));
  stage.server.on("DELETE /auth/oidc/link", () => {
    link = null;
  });
  await openSection("Password");
  return stage;
}

test("to connect with the sign-in provider asks for the password, and for the code once it is needed", async () => {
  const { server } = await openAccount(null);
  server.on("POST /auth/oidc/link", ({ body }) =>
    Object(body).code === undefined
      ? refuse(403, "Second factor required")
      : refuse(503, "The sign-in provider cannot be reached"),
  );
  await page.getByLabelText("Your password").fill("correct horse");
  await connect().click();
  await page.getByLabelText("Code or recovery code").fill("123456");
  await connect().click();
  await shown(page.getByText("The sign-in provider cannot be reached"));
  expect(server.requests("POST /auth/oidc/link").map(({ body }) => body)).toEqual([
    { password: "correct horse" },
    { password: "correct horse", code: "123456" },
  ]);
});

test("to disconnect says that sessions end, asks for the password, and offers to connect again", async () => {
  const { server } = await openAccount(madeAt);
  const hint = page.getByText("Sessions that began with Chess Federation will end.");
  await shown(hint);
  // The first one changes the password.
  await page.getByLabelText("Current password").last().fill("correct horse");
  await page.getByRole("button", { name: "Disconnect" }).click();
  await shown(connect());
  await gone(hint);
  expect(server.requests("DELETE /auth/oidc/link").map(({ body }) => body)).toEqual([{ password: "correct horse" }]);
});
