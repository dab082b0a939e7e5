import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { refuse } from "../../page-stage/fake-server.js";
import { community, user } from "../../page-stage/fixtures.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

test("an account without the second factor that everybody needs sets one up, and goes on", async () => {
  const ada = user("ada");
  const club = community([ada]);
  const stage = await visit(world(ada, [club]));
  const { server } = stage;
  await shown(page.getByRole("navigation", { name: "Servers" }));
  let active = false;
  server.on("GET /auth/second-factor", () => ({ active, recovery_codes_left: active ? 8 : 0 }));
  server.on("POST /auth/second-factor", () => ({ secret: "JBSWY3DPEHPK3PXP", otpauth_url: "otpauth://totp/Parley" }));
  server.on("POST /auth/second-factor/confirm", () => {
    active = true;
    return { recovery_codes: ["aaaa-bbbb"] };
  });
  server.on("GET /auth/passkeys", () => []);
  stage.refuseConnections(refuse(403, "Set up two-factor authentication first"));
  const title = page.getByRole("heading", { name: "Set up two-factor authentication" });
  await shown(title);

  // Without one the answer is the same.
  await page.getByRole("button", { name: "Go on" }).click();
  await shown(title);
  await page.getByLabelText("Your password").first().fill("the password");
  await page.getByRole("button", { name: "Set up", exact: true }).click();
  await page.getByRole("textbox", { name: /^Code/ }).fill("123456");
  await page.getByRole("button", { name: "Turn on" }).click();
  await page.getByRole("button", { name: "I’ve saved them" }).click();
  stage.refuseConnections(null);
  await page.getByRole("button", { name: "Go on" }).click();
  await gone(title);
  await shown(page.getByRole("navigation", { name: "Servers" }));
  expect(stage.connections).toBe(2);
});
