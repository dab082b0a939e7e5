import type { NewInteraction } from "@parley/contracts";
import { expect, test } from "vitest";
import { interactionToken, readInteractionToken } from "../ids/interaction-token.js";
import { snowflakeOf } from "../ids/snowflake.js";
import { toInteraction } from "./interaction.js";

const id = (digit: number) => `0199a5b4-7c1d-7e3${digit}-9f00-1b2c3d4e5f60`;
const token = "4f".repeat(32);
const user = {
  id: id(1),
  username: "ann",
  avatar_url: null,
  bio: null,
  pronouns: null,
  status: "online",
  custom_status: null,
  activity: null,
  created_at: "2026-01-02T03:04:05.678Z",
} as const;
const member = {
  ...user,
  user_id: id(1),
  nickname: "A",
  joined_at: user.created_at,
  timeout_expires_at: null,
  roles: [],
};
const nobody = new Map<string, never>();
const resolved = { users: nobody, members: nobody, roles: nobody, channels: nobody, messages: nobody };
const begun: NewInteraction = {
  id: id(2),
  token,
  type: "command",
  server_id: id(3),
  channel_id: id(4),
  user,
  member,
  permissions: 3,
  locale: "de",
  data: {
    command_id: id(5),
    name: "tag-admin-drop",
    context: "server",
    options: { who: id(1), n: 2 },
    target_id: null,
    focused: null,
  },
  message: null,
};
const context = {
  botUserId: id(6),
  bot: { permissions: 257, rights: ["view_audit_log"] as const },
  memberRights: ["mention_everyone"] as const,
  channel: { id: id(4), name: "general", type: 0 },
  server: { is_public: false },
  message: null,
  resolved: { ...resolved, users: new Map([[id(1), user]]), members: new Map([[id(1), member]]) },
  command: { id: id(7), path: ["tag", "admin", "drop"], isOfServers: false, types: { who: 6, n: 4 }, names: {} },
};

const bits = (...each: number[]) => each.reduce((sum, bit) => sum | (1n << BigInt(bit)), 0n).toString();

test("an interaction with a subcommand has Discord's form", () => {
  expect(toInteraction(begun, context)).toMatchObject({
    id: snowflakeOf(id(2)),
    application_id: snowflakeOf(id(6)),
    type: 2,
    token: interactionToken(id(2), token),
    member: { nick: "A", user: { username: "ann" }, permissions: bits(10, 16, 11, 38, 14, 18, 31, 17, 26) },
    app_permissions: bits(10, 16, 1, 7, 26, 27),
    locale: "de",
    data: {
      id: snowflakeOf(id(7)),
      name: "tag",
      type: 1,
      options: [
        {
          name: "admin",
          type: 2,
          options: [
            {
              name: "drop",
              type: 1,
              options: [
                { name: "who", type: 6, value: snowflakeOf(id(1)) },
                { name: "n", type: 4, value: 2 },
              ],
            },
          ],
        },
      ],
      resolved: { users: { [snowflakeOf(id(1))]: { username: "ann" } } },
    },
  });
});

test("a command of a server names it, and what the invoker and the bot may is shown with them", () => {
  const channel = { id: id(4), name: "general", type: 0 };
  const other = { ...channel, id: id(8) };
  const bot = { ...member, user_id: id(6) };
  const somebody = { ...member, user_id: id(9) };
  const shown = toInteraction(begun, {
    ...context,
    command: { ...context.command, isOfServers: true },
    resolved: {
      ...resolved,
      members: new Map([member, bot, somebody].map((each) => [each.user_id, each])),
      channels: new Map([channel, other].map((each) => [each.id, each])),
    },
  });
  const { member: invoker, app_permissions } = shown;
  const { permissions } = invoker ?? {};
  expect(shown).toMatchObject({
    channel: { id: snowflakeOf(id(4)), permissions },
    data: {
      guild_id: snowflakeOf(id(3)),
      resolved: {
        members: {
          [snowflakeOf(id(1))]: { permissions },
          [snowflakeOf(id(6))]: { permissions: app_permissions },
          [snowflakeOf(id(9))]: { permissions: "0" },
        },
        channels: { [snowflakeOf(id(4))]: { permissions }, [snowflakeOf(id(8))]: { permissions: "0" } },
      },
    },
  });
  expect(toInteraction(begun, context).data).not.toHaveProperty("guild_id");
});

test("a modal comes back in rows", () => {
  const data = { modal_id: "report", fields: { why: "spam" } };
  expect(toInteraction({ ...begun, type: "modal", data }, { ...context, command: null })).toMatchObject({
    type: 5,
    data: {
      custom_id: "report",
      components: [{ type: 1, components: [{ type: 4, custom_id: "why", value: "spam" }] }],
    },
  });
});

test("a token has the interaction's id", () => {
  const text = interactionToken(id(2), token);
  expect(text).toMatch(/^[\w-]{86}$/);
  expect(readInteractionToken(text)).toEqual({ id: id(2), token });
  expect(readInteractionToken(token)).toBeNull();
});
