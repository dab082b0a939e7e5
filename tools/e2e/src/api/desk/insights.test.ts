import { errorBody as error, Invite, permissionBits, Server, ServerInsights } from "@parley/contracts";
import {
  assignRole,
  connectGateway,
  createChannel,
  createClient,
  createRole,
  createServerWithMembers,
  postMessage,
  type RestClient,
  type ServerFixture,
  type SharedStack,
  sharedStack,
  type UserClient,
  type Users,
  waitUntil,
} from "@parley/testing";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { createBotClient, runSql } from "../stages/admin-stage.js";
import { deny } from "../stages/channel-stage.js";

let stack: SharedStack;
let client: RestClient;
let stage: ServerFixture<Users<3>>;
beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl);
});
beforeEach(async () => {
  stage = await createServerWithMembers(client, 3);
});

/** A time zone where it is about noon, so that no test meets midnight. */
const hour = new Date().getUTCHours();
const noonZone = `Etc/GMT${hour < 12 ? "-" : "+"}${Math.abs(hour - 12)}`;
const path = (query = "") => `/servers/${stage.server.id}/insights${query}`;
const read = async (by: RestClient, query = "") => (await by.get(path(query))).expect(200, ServerInsights.strict());
/** The user's client of every api. */
const everywhere = ({ accessToken }: UserClient) =>
  stack.apis.map(({ url }) => createClient(url).withAuthorization(`Bearer ${accessToken}`));

/**
 * Has the server counted anew, whenever no process is at it, until a reader gets such figures from every api. The servers of
 * earlier test files, thousands at times, wait meanwhile: the one that is due for the longest time is counted first.
 */
async function waitForFigures(by: UserClient, query: string, are: (figures: ServerInsights) => boolean) {
  const last: ServerInsights[] = [];
  await waitUntil(
    async () => {
      await runSql(
        stack.databaseUrl,
        "UPDATE insight_counts SET due_at = now() WHERE server_id = $1 AND due_at > now() + interval '2 minutes'",
        [stage.server.id],
      );
      await runSql(
        stack.databaseUrl,
        "UPDATE insight_counts SET due_at = now() + interval '1 hour' WHERE server_id <> $1 AND due_at <= now()",
        [stage.server.id],
      );
      last.splice(0, last.length, ...(await Promise.all(everywhere(by).map((api) => read(api, query)))));
      return last.every(are);
    },
    { what: "the figures to be counted" },
  );
  return last;
}
const today = ({ days }: ServerInsights) => days.at(-1);

test("both apis answer with what was counted: joins, leaves, messages of people, channels and invites", async () => {
  const { owner, server, channel } = stage;
  (await owner.patch(`/servers/${server.id}`, { timezone: noonZone })).expect(200, Server);
  const [writer, reader, leaver] = stage.members;
  const other = await createChannel(owner, server.id, { name: "other" });
  const invite = (await owner.post(`/servers/${server.id}/invites`, {})).expect(201, Invite);
  const invited = [await client.register(), await client.register()];
  for (const user of invited) expect((await user.post(`/invites/${invite.code}/accept`)).status).toBe(201);
  expect((await owner.delete(`/servers/${server.id}/invites/${invite.id}`)).status).toBe(204);
  for (const user of [leaver, ...invited.slice(1)])
    expect((await user.delete(`/servers/${server.id}/leave`)).status).toBe(204);
  const root = await postMessage(writer, channel.id, "one");
  await writer.post(`/channels/${channel.id}/messages/${root.id}/thread`, { content: "two" });
  await owner.delete(`/messages/${(await postMessage(owner, other.id, "three")).id}`);
  await postMessage(writer, channel.id, "four");
  const bot = await createBotClient(owner);
  await owner.post(`/servers/${server.id}/bots`, { bot_id: bot.id, permissions: 0 });
  await postMessage(bot.client, channel.id, "counts for nobody");
  expect((await reader.post(`/channels/${channel.id}/ack`)).status).toBeLessThan(300);

  // The day is counted a moment before the channels are summed up.
  const isCounted = (figures: ServerInsights) =>
    today(figures)?.active_members === 3 && figures.channels[0]?.messages === 3 && figures.channels[1]?.messages === 1;
  const answers = await waitForFigures(owner, "", isCounted);
  for (const figures of answers) {
    expect(figures.days).toHaveLength(7);
    expect(figures.days.slice(0, -1).map(({ members }) => members)).toEqual(Array(6).fill(0));
    expect(today(figures)).toEqual({
      date: new Intl.DateTimeFormat("sv", { timeZone: noonZone }).format(new Date()),
      ...{ joins: 7, leaves: 2, members: 5, active_members: 3, writers: 2, messages: 4 },
    });
    expect(figures.channels.filter(({ messages }) => messages > 0)).toEqual([
      { channel_id: channel.id, messages: 3, writers: 1 },
      { channel_id: other.id, messages: 1, writers: 1 },
    ]);
    expect(figures.invites).toEqual([{ code: invite.code, joins: 2, still_members: 1 }]);
    const lines = figures.days.map((day) => `${Object.values(day).join(",")}\r\n`);
    expect((await owner.get(path("?format=csv"))).body).toBe(
      `date,joins,leaves,members,active_members,writers,messages\r\n${lines.join("")}`,
    );
    for (const user of [owner, ...stage.members]) expect(JSON.stringify(figures)).not.toContain(user.user.id);
  }
});

test("members with MANAGE_SERVER get figures of the channels that they may view, nobody else gets any", async () => {
  const { owner, server, channel, members } = stage;
  const [manager, member] = members;
  const hidden = await createChannel(owner, server.id, { name: "hidden" });
  const role = await createRole(owner, server.id, { permissions: permissionBits.MANAGE_SERVER });
  await assignRole(owner, role, manager);
  await deny(owner, hidden.id, { userId: manager.user.id, permissions: ["VIEW_CHANNEL"] });
  for (const { id } of [channel, hidden]) await postMessage(owner, id, "hello");
  await waitForFigures(
    owner,
    "?days=28",
    ({ channels }) => channels.filter(({ messages }) => messages === 1).length === 2,
  );
  for (const by of everywhere(manager)) {
    const { channels, days } = await read(by, "?days=28");
    expect(channels).toContainEqual({ channel_id: channel.id, messages: 1, writers: 1 });
    expect(channels.map(({ channel_id }) => channel_id)).not.toContain(hidden.id);
    expect(days).toHaveLength(28);
    expect((await read(by, "?days=90")).days).toHaveLength(90);
  }
  const refused = await member.get(path());
  expect([refused.status, refused.body]).toEqual([403, error("You need the Manage Server permission")]);
  expect((await (await client.register()).get(path())).status).toBe(404);
  for (const days of ["8", "0", "", "7.0"]) {
    const wrong = await owner.get(path(`?days=${days}`));
    expect([wrong.status, wrong.body]).toEqual([400, error("days must be 7, 28 or 90")]);
  }
  const wrong = await owner.get(path("?format=xml"));
  expect([wrong.status, wrong.body]).toEqual([400, error("format must be json or csv")]);
});

test("days are those of the server's time zone, which is shown once it is set, and for connections with v=2 alone", async () => {
  const { owner, server } = stage;
  const connect = (version: number) =>
    connectGateway(stack.gateways[0]?.url ?? "", owner.accessToken, {
      query: `token=${encodeURIComponent(owner.accessToken)}&v=${version}`,
    });
  const v2 = connect(2);
  await v2.ready;
  // Their dates differ always.
  for (const timezone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
    const changed = (await owner.patch(`/servers/${server.id}`, { timezone })).expect(200, Server.strict());
    expect(changed.timezone).toBe(timezone);
    const dates = () => new Intl.DateTimeFormat("sv", { timeZone: timezone }).format(new Date());
    for (const by of everywhere(owner)) {
      const before = dates();
      const date = today(await read(by))?.date;
      expect([before, dates()]).toContain(date);
    }
    const isNew = ({ id, updated_at }: { id: string; updated_at: string }) =>
      id === server.id && updated_at === changed.updated_at;
    expect(await v2.waitFor("SERVER_UPDATE", isNew)).toMatchObject({ timezone });
  }
  const inReady = async (version: number) => {
    const { servers } = await connect(version).ready;
    return z.looseObject({}).parse(servers.find(({ id }) => id === server.id));
  };
  expect(await inReady(2)).toMatchObject({ timezone: "Pacific/Pago_Pago" });
  expect(Object.keys(await inReady(1))).not.toContain("timezone");
  for (const timezone of [null, ""]) {
    expect((await owner.patch(`/servers/${server.id}`, { timezone: noonZone })).body).toHaveProperty("timezone");
    const cleared = (await owner.patch(`/servers/${server.id}`, { timezone })).expect(200, Server.strict());
    expect(Object.keys(cleared)).not.toContain("timezone");
  }
  for (const timezone of ["Mars/Olympus", "+02:00", 7]) {
    const wrong = await owner.patch(`/servers/${server.id}`, { timezone });
    expect([wrong.status, wrong.body]).toEqual([
      400,
      error("timezone must be a time zone of the IANA as Europe/Berlin"),
    ]);
  }
});
