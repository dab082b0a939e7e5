import type { Import, ImportPerson } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { chooseInRow, confirmWith } from "../../page-stage/conversation.js";
import { answer } from "../../page-stage/fake-server.js";
import { madeAt, newId, user } from "../../page-stage/fixtures.js";
import { shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

const rowOf = (text: string) => page.getByRole("main").getByRole("listitem").filter({ hasText: text });

const begun: Import = {
  id: newId(),
  source: null,
  state: "receiving",
  report: null,
  progress: { messages: 0, of: 0, files: 0, of_files: 0 },
  server_id: null,
  created_by: null,
  created_at: madeAt,
  finished_at: null,
  error: null,
};
const report: Import["report"] = {
  servers: [
    {
      name: "Garden",
      channels: [
        { name: "beds", private: null, archived: false, messages: 7 },
        { name: "board", private: true, archived: true, messages: 2 },
      ],
      counts: { people: 3, messages: 9, files: 1, bytes: 10, emoji: 0, roles: 2 },
    },
  ],
  skipped: [{ kind: "sticker", reason: "no place for it", count: 4, example: "Wave" }],
};
const ready: Import = {
  ...begun,
  source: "discord",
  state: "ready",
  report,
  progress: { messages: 0, of: 9, files: 0, of_files: 1 },
};
const ada: ImportPerson = {
  id: newId(),
  external_id: "1",
  name: "Ada Lind",
  username: "ada_lind",
  email: null,
  is_bot: false,
  deleted: false,
  messages: 5,
  user_id: newId(),
  claimed: false,
};

test("an administrator uploads an archive, reads what would come, starts, makes a code, and takes the import back", async () => {
  let now: Import | null = null;
  const { server } = await visit(world(user("the_admin", { is_admin: true })), {
    path: "/admin/imports",
    prepare: (fake) => fake.on("GET /admin/imports", () => ({ imports: now === null ? [] : [now] })),
  });
  server.on("POST /admin/imports", () => answer(202, begun));
  server.on("PUT /admin/imports/:id/parts/:number", () => {
    now = ready;
    return answer(202, ready);
  });
  server.on("POST /admin/imports/:id/start", () => {
    now = { ...ready, state: "done", server_id: newId(), progress: { messages: 9, of: 9, files: 1, of_files: 1 } };
    return answer(202, now);
  });
  server.on("DELETE /admin/imports/:id", () => {
    now = { ...ready, state: "undone" };
    return answer(202, now);
  });
  server.on("GET /admin/imports/:id/people", () => ({ people: [ada], total: 1, page: 1, per_page: 50 }));
  server.on("POST /admin/imports/:id/people/:person_id/code", () => answer(201, { code: "secret-code" }));

  await page.getByLabelText("Archive (zip, tar.gz, JSON)").upload(new File(["12345"], "garden.zip"));
  await shown(rowOf("discord").getByText("Ready to start"));
  expect(server.requests("POST /admin/imports")[0]?.body).toEqual({ size: 5, filename: "garden.zip" });
  await shown(page.getByText("3 people, 9 messages, 1 file, 0 emoji, 2 roles"));
  await shown(rowOf("beds").getByText("Perhaps private"));
  await shown(page.getByText("Stickers: 4"));

  await page.getByRole("checkbox").click();
  await page.getByRole("button", { name: "Start" }).click();
  await shown(rowOf("discord").getByText("Done"));
  expect(server.requests("POST /admin/imports/:id/start")[0]?.body).toEqual({ visible: "all" });
  await page.getByRole("button", { name: "People" }).click();
  await rowOf("Ada Lind").getByRole("button", { name: "Create a code" }).click();
  await shown(page.getByText("secret-code"));
  await chooseInRow(rowOf("discord").first(), "Undo");
  await confirmWith("Undo");
  await shown(rowOf("discord").getByText("Undone"));
});

test("a member claims the messages of before with a code", async () => {
  const { server } = await visit(world(user("ada")), { path: "/account/data" });
  server.on("POST /users/@me/claims", () => ({ person: "Ada Lind", messages: 5 }));
  await page.getByLabelText("Code", { exact: true }).fill(" secret-code ");
  await page.getByRole("button", { name: "Claim" }).click();
  await shown(page.getByText("The messages of Ada Lind are yours now: 5."));
  expect(server.requests("POST /users/@me/claims")[0]?.body).toEqual({ code: "secret-code" });
});
