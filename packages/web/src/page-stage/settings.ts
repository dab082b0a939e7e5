import type { User } from "@parley/client";
import { page } from "vitest/browser";
import type { FakeServer } from "./fake-server.js";
import { type Community, community, user } from "./fixtures.js";
import { shown } from "./seeing.js";
import { type Stage, visit } from "./stage.js";
import { world } from "./world.js";

/** The settings of a server that Ada owns and Ben is a member of, in Ada's browser. */
export interface Settings extends Stage {
  readonly ada: User;
  readonly ben: User;
  readonly club: Community;
}

/**
 * Opens the settings of a server.
 *
 * @param path of the section
 * @param prepare answers the requests of the section, and may change the data of the server
 */
export async function openSettings(
  path: string,
  prepare: (server: FakeServer, club: Community) => void = () => undefined,
): Promise<Settings> {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const stage = await visit(world(ada, [club]), {
    path: `/servers/${club.server.id}/settings/${path}`,
    prepare: (server) => prepare(server, club),
  });
  await shown(page.getByRole("main").getByRole("heading", { level: 2 }).first());
  // Settled, so that a later event changes data that the page has read already.
  await stage.settled();
  return Object.assign(stage, { ada, ben, club });
}

/** Goes to a section by its link. */
export async function openSection(title: string): Promise<void> {
  await page
    .getByRole("navigation", { name: /^(Settings of|My account)/ })
    .getByRole("link", { name: title, exact: true })
    .click();
  await shown(page.getByRole("heading", { name: title, level: 2 }));
}

/** The row of a list with a text. */
export const row = (list: string, text: string | RegExp) =>
  page.getByRole("list", { name: list }).getByRole("listitem").filter({ hasText: text });

/** A button of the section. */
export const button = (name: string) => page.getByRole("main").getByRole("button", { name, exact: true });
