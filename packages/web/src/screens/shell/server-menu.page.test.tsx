import { test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { composer } from "../../page-stage/conversation.js";
import { channelPath, community, madeAt, newId, user } from "../../page-stage/fixtures.js";
import { focused, pressAt } from "../../page-stage/keys.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

test("a dialog that a menu has opened gives the focus back to the button of the menu", async () => {
  const ada = user("ada");
  const club = community([ada]);
  const stage = await visit(world(ada, [club]), { path: channelPath(club.channels[0]) });
  stage.server.on("POST /servers/:id/invites", () => ({
    ...{ id: newId(), server_id: club.server.id, code: "Xy12Za34", created_by: ada.id },
    ...{ max_uses: null, uses: 0, expires_at: null, created_at: madeAt },
  }));
  // It takes the focus once, which a key would miss otherwise.
  await focused(composer());
  const menu = page.getByRole("button", { name: "Chess club: menu" });
  await pressAt(menu, "{Enter}");
  await pressAt(page.getByRole("menuitem", { name: "Invite people" }), "{Enter}");
  await shown(page.getByRole("dialog"));
  await userEvent.keyboard("{Escape}");
  await gone(page.getByRole("dialog"));
  await focused(menu);
});
