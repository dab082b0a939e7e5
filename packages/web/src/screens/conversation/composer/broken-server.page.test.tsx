import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { storedPart } from "../../../page-stage/bot.js";
import { composer, messageWith, write } from "../../../page-stage/conversation.js";
import { answer, noNetwork } from "../../../page-stage/fake-server.js";
import { channelPath, community, madeAt, message, newId, user } from "../../../page-stage/fixtures.js";
import { counted, gone, shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

test("a failure of the api with 500, or without an answer, is shown in the page's own words, and the request is repeated", async () => {
  const ada = user("ada");
  const club = community([ada]);
  const [general] = club.channels;
  const stage = await visit(world(ada, [club]), { path: channelPath(general) });
  await shown(composer());
  await stage.settled();
  const address = "POST /channels/:id/messages";
  stage.server.on(address, () => answer(500, "<h1>nginx</h1>", { "content-type": "text/html" }));
  await write("Does it arrive?");
  const written = messageWith("Does it arrive?");
  const alert = written.getByRole("alert");
  await shown(alert);
  await expect.element(alert).not.toHaveTextContent(/nginx|<h1>|undefined|\[object/);
  for (const lost of [address, "GET /health/serving"]) stage.server.on(lost, noNetwork);
  await alert.getByRole("button", { name: "Try again" }).click();
  const waiting = written.getByText("Not sent yet. It goes out by itself once you’re back online.");
  await shown(waiting);
  stage.server.on<{ content: string; nonce: string }>(address, ({ body }) => {
    const sent = message(general, ada, body.content);
    stage.arrives(sent);
    return { ...storedPart(sent), nonce: body.nonce };
  });
  stage.server.on("GET /health/serving", () => ({ serving: true }));
  await gone(waiting);
  await counted(written, 1);
});

test("a part of the page that the server does not answer for says so, and is read again", async () => {
  const session = { id: newId(), user_agent: "node", created_at: madeAt, last_used_at: madeAt, expires_at: madeAt };
  const { server } = await visit(world(user("piet")), {
    path: "/account/sessions",
    prepare: (fresh) => fresh.on("GET /auth/sessions", noNetwork),
  });
  await shown(page.getByText("The server cannot be reached. Check your connection and try again.").first());
  server.on("GET /auth/sessions", () => [{ ...session, current: true }]);
  await page.getByRole("button", { name: "Try again" }).first().click();
  await shown(page.getByText("This device"));
});
