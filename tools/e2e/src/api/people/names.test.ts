import { errorBody as error, permissionBits } from "@parley/contracts";
import {
  createClient,
  createServerWithMembers,
  type RestClient,
  type ServerFixture,
  sharedStack,
  type Users,
} from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";

let client: RestClient;
let stage: ServerFixture<Users<2>>;

beforeAll(async () => {
  client = createClient((await sharedStack()).edgeUrl);
  stage = await createServerWithMembers(client, 2);
});

/** Every endpoint that takes a name which people see in a list, and the text for a missing one. */
const places: Record<
  string,
  { path: () => string; field: string; refused: string; method?: "PATCH"; body?: () => object }
> = {
  "a server": { path: () => "/servers", field: "name", refused: "Server name must be 1-100 characters" },
  "a channel": {
    path: () => `/servers/${stage.server.id}/channels`,
    field: "name",
    refused: "Channel name must be 1-100 characters",
  },
  "a category": {
    path: () => `/channels/${stage.channel.id}`,
    method: "PATCH",
    field: "category",
    refused: "Category must be at most 100 characters",
  },
  "a role": {
    path: () => `/servers/${stage.server.id}/roles`,
    field: "name",
    refused: "Role name must be 1-100 characters",
    body: () => ({ permissions: permissionBits.VIEW_CHANNEL }),
  },
  "a nickname": {
    path: () => `/servers/${stage.server.id}/members/@me`,
    method: "PATCH",
    field: "nickname",
    refused: "nickname must be 1-32 characters",
  },
  "a webhook": {
    path: () => `/servers/${stage.server.id}/webhooks`,
    field: "name",
    refused: "Webhook name must be 1-100 characters",
    body: () => ({ url: "https://example.com/", event_types: ["message.created"] }),
  },
  "an incoming webhook": {
    path: () => `/servers/${stage.server.id}/incoming-webhooks`,
    field: "name",
    refused: "Webhook name must be 1-80 characters",
    body: () => ({ channel_id: stage.channel.id }),
  },
  "a bot": { path: () => "/bots", field: "name", refused: "Bot name must be 1-64 characters" },
  "a group": {
    path: () => "/dm-channels",
    field: "name",
    refused: "Group name must be at most 100 characters",
    body: () => ({ user_ids: stage.members.map(({ user }) => user.id) }),
  },
  "an event": {
    path: () => `/channels/${stage.channel.id}/events`,
    field: "name",
    refused: "Event name must be 1-200 characters",
    body: () => ({ starts_at: new Date(Date.now() + 3_600_000).toISOString() }),
  },
  "a custom status": {
    path: () => "/users/@me",
    method: "PATCH",
    field: "custom_status",
    refused: "custom_status must be at most 128 characters",
  },
  "an activity": {
    path: () => "/users/@me",
    method: "PATCH",
    field: "activity",
    refused: "activity must be at most 128 characters",
  },
};

const Named = z.looseObject({
  bot: z.looseObject({}).nullish(),
  event: z.looseObject({}).nullish(),
  webhook: z.looseObject({}).nullish(),
});

test.each(Object.keys(places))("%s shows what its name says, on one line, or is refused", async (place) => {
  const { path, field, refused, method = "POST", body = () => ({}) } = places[place] ?? expect.fail();
  const send = (name: string) => {
    const sent = { ...body(), [field]: name };
    return method === "POST" ? stage.owner.post(path(), sent) : stage.owner.patch(path(), sent);
  };
  for (const name of ["\u200b", "\u202e\u2066", "\u3164"]) {
    const answer = await send(name);
    expect([answer.status, answer.body]).toEqual([400, error(refused)]);
  }
  const taken = await send(" The\nrook\u202e\u200b cafe\u0301 👩🏽\u200d💻 ");
  const answer = taken.expect(method === "POST" ? 201 : 200, Named);
  expect((answer.bot ?? answer.event ?? answer.webhook ?? answer)[field]).toBe("The rook caf\u00e9 👩🏽\u200d💻");
});
