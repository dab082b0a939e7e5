import type { ChannelOverride, Invite, Role } from "@parley/client";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { chooseInRow, confirmWith, copyWith } from "../../page-stage/conversation.js";
import { type FakeServer, refuse } from "../../page-stage/fake-server.js";
import { channel, emoji, madeAt, newId, role } from "../../page-stage/fixtures.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { button, openSection, openSettings, row } from "../../page-stage/settings.js";

const deletesMessages = 4;
const answerRetention = (server: FakeServer) =>
  server.on("GET /servers/:id/retention", () => ({ retention_days: null, instance_retention_days: null }));
const dialog = () => page.getByRole("dialog");

test("a role is made and given", async () => {
  const { server, socket, ben, club } = await openSettings("roles");
  server.on<Pick<Role, "name" | "permissions">>("POST /servers/:id/roles", ({ body }) => role(club.server, body));
  const form = page.getByRole("region", { name: "Create a role" });
  await form.getByRole("textbox", { name: "Name" }).fill("Arbiter");
  await form.getByRole("checkbox", { name: "Pin messages and delete other people’s" }).click();
  await form.getByRole("button", { name: "Create a role" }).click();
  await shown(row("Roles", "Arbiter"));
  await expect
    .poll(() => server.requests("POST /servers/:id/roles").at(-1)?.body)
    .toMatchObject({ name: "Arbiter", permissions: deletesMessages });
  await openSection("Members");
  await row("Members", ben.username).getByRole("button", { name: "Roles" }).click();
  server.on("PUT /servers/:id/members/:user/roles/:role", ({ params: { user = "", role: given = "" } }) => {
    const named = { role_id: given, role_name: "Arbiter", role_color: "#95a5a6" };
    socket.event("MEMBER_ROLE_ADD", { server_id: club.server.id, user_id: user, ...named });
  });
  await dialog().getByRole("checkbox", { name: "Arbiter" }).click();
  await expect.poll(() => server.requests("PUT /servers/:id/members/:user/roles/:role").at(-1)?.path).toContain(ben.id);
  await shown(dialog().getByRole("checkbox", { name: "Arbiter", checked: true }));
  await userEvent.keyboard("{Escape}");
  await gone(dialog());
  await shown(row("Members", ben.username).getByText("Arbiter"));
});

test("a member is denied a channel by an override, which is removed again", async () => {
  const { server, socket, ben } = await openSettings("channels", (_server, club) => {
    club.channels.push(channel(club.server, "committee"));
  });
  const overrides: ChannelOverride[] = [];
  server.on("GET /channels/:id/overrides", () => overrides);
  server.on<Partial<ChannelOverride>>("PUT /channels/:id/overrides", ({ params: { id = "" }, body }) => {
    const known = overrides.pop();
    const base = { id: known?.id ?? newId(), channel_id: id, role_id: null, user_id: null, allow: 0, deny: 0 };
    const put = { ...base, ...body };
    overrides.push(put);
    socket.event("CHANNEL_OVERRIDE_UPDATE", put);
    return put;
  });
  server.on("DELETE /channels/:id/overrides/:override", ({ params: { id = "", override = "" } }) => {
    socket.event("CHANNEL_OVERRIDE_DELETE", { channel_id: id, override_id: override });
  });
  await chooseInRow(row("Channels", "committee"), "Permissions");
  const permissions = page.getByRole("dialog", { name: "Permissions in committee" });
  await permissions.getByRole("combobox", { name: "Add a role or a member" }).fill(ben.username.slice(0, 2));
  await page.getByRole("option", { name: ben.username }).click();
  await permissions.getByRole("combobox", { name: "See channels" }).selectOptions("Deny");
  await permissions.getByRole("button", { name: "Save" }).click();
  await expect
    .poll(() => server.requests("PUT /channels/:id/overrides").at(-1)?.body)
    .toMatchObject({ user_id: ben.id, allow: 0, deny: 1 });
  await permissions.getByRole("button", { name: "Remove" }).click();
  await gone(permissions.getByRole("button", { name: "Remove" }));
  expect(server.requests("DELETE /channels/:id/overrides/:override")).toHaveLength(1);
  await userEvent.keyboard("{Escape}");
  await gone(permissions);
});

test("an invite is made with a limit, and its link is copied", async () => {
  const { server, socket, ada } = await openSettings("invites", (fresh) => {
    fresh.on("GET /servers/:id/invites", () => []);
  });
  server.on<{ max_uses: number }>("POST /servers/:id/invites", ({ params: { id = "" }, body }) => {
    const ids = { id: newId(), server_id: id, created_by: ada.id };
    const invite: Invite = {
      ...ids,
      code: "Qu33nSid",
      max_uses: body.max_uses,
      uses: 0,
      expires_at: null,
      created_at: madeAt,
    };
    socket.event("INVITE_CREATE", invite);
    return invite;
  });
  await page.getByRole("spinbutton", { name: "Maximum uses" }).fill("1");
  await button("Create an invite").click();
  const invite = row("Invites", "Used 0 of 1 time");
  expect(await copyWith(invite.getByRole("button", { name: "Copy" }))).toBe(`${location.origin}/app/invite/Qu33nSid`);
});

test("an emoji is added with its picture", async () => {
  const { server, socket } = await openSettings("emoji");
  server.on("POST /servers/:id/emojis", ({ params: { id = "" }, form }) => {
    const made = emoji({ id }, String(form?.get("name")));
    socket.event("CUSTOM_EMOJI_CREATE", made);
    return made;
  });
  await page.getByRole("textbox", { name: "Name" }).fill("rook");
  const picture = new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47])], "rook.png", { type: "image/png" });
  await page.getByLabelText("Image (up to 256 KB)").upload(picture);
  await button("Add an emoji").click();
  await shown(row("Emoji", ":rook:"));
  const sent = server.requests("POST /servers/:id/emojis").at(-1)?.form;
  expect([...(sent?.values() ?? [])].find((value) => value instanceof File)).toMatchObject({
    name: "rook.png",
    size: 4,
  });
});

test("the settings keep the name of the server, and lead back to it", async () => {
  const { server, socket, club } = await openSettings("overview", answerRetention);
  server.on<{ name: string }>("PATCH /servers/:id", ({ body: { name } }) => {
    const { member_count: _count, ...changed } = { ...club.server, name };
    socket.event("SERVER_UPDATE", changed);
    return { ...club.server, name };
  });
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Chess club of Ghent");
  await page.getByRole("main").getByRole("button", { name: "Save" }).first().click();
  await shown(page.getByRole("heading", { name: "Settings of Chess club of Ghent" }));
  expect(server.requests("PATCH /servers/:id").at(-1)?.body).toMatchObject({ name: "Chess club of Ghent" });
  await userEvent.keyboard("{Escape}");
  await shown(page.getByRole("button", { name: "Chess club of Ghent: menu" }));
  await expect.poll(() => location.pathname).toContain(`/servers/${club.server.id}/channels/`);
});

test("the owner hands the server over with their password, and may no more read its log", async () => {
  const { server, socket, ben, club } = await openSettings("overview", answerRetention);
  const links = page.getByRole("navigation", { name: /^Settings of/ });
  await shown(links.getByRole("link", { name: "Audit log" }));
  server.on<{ user_id: string; password: string }>("POST /servers/:id/owner", ({ body }) => {
    if (body.password !== "my password") return refuse(403, "Wrong password");
    const { member_count: _count, ...changed } = { ...club.server, owner_id: body.user_id };
    socket.event("SERVER_UPDATE", changed);
    return { ...club.server, owner_id: body.user_id };
  });
  await button("Hand over").click();
  await dialog().getByRole("searchbox", { name: "Find a member" }).fill(ben.username);
  await dialog().getByRole("combobox", { name: "New owner" }).selectOptions(ben.username);
  const password = dialog().getByLabelText("Your password");
  await password.fill("not the password");
  await dialog().getByRole("button", { name: "Hand over", exact: true }).click();
  await shown(dialog().getByRole("alert").filter({ hasText: "password" }));
  await password.fill("my password");
  await confirmWith("Hand over");
  await shown(button("Leave the server"));
  await gone(links.getByRole("link", { name: "Audit log" }));
  expect(server.requests("POST /servers/:id/owner").at(-1)?.body).toEqual({ user_id: ben.id, password: "my password" });
});
