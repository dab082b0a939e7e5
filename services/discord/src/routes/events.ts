import type { ListedEvent } from "@parley/contracts";
import { isShown, snowflakeOf } from "../ids/snowflake.js";
import { loadUsers } from "../loading/context.js";
import { toEvent } from "../objects/scheduled-event.js";
import { toUser } from "../objects/user.js";
import { discordError } from "../rest/errors.js";
import { type BotCall, noContent, route } from "../rest/route.js";
import { serverOf } from "./guilds.js";

async function listed(call: BotCall): Promise<{ events: ListedEvent[]; serverId: string }> {
  const serverId = await serverOf(call);
  const events = await call.api.get<ListedEvent[]>(`/servers/${serverId}/events`);
  return { events: events.filter(isShown), serverId };
}

async function show(call: BotCall, events: readonly ListedEvent[], serverId: string) {
  const users = await loadUsers(
    call.database,
    events.flatMap(({ created_by }) => created_by ?? []),
  );
  return events.map((event) => {
    const creator = users.get(event.created_by ?? "");
    return { ...toEvent(event, serverId), ...(creator === undefined ? {} : { creator: toUser(creator) }) };
  });
}

async function one(call: BotCall): Promise<{ event: ListedEvent; serverId: string }> {
  const { events, serverId } = await listed(call);
  const event = events.find(({ id }) => snowflakeOf(id) === call.params.event_id);
  if (event === undefined) throw discordError(10070);
  return { event, serverId };
}

const byId = "/guilds/:guild_id/scheduled-events/:event_id";

export const eventRoutes = [
  route("GET", "/guilds/:guild_id/scheduled-events", async (call) => {
    const { events, serverId } = await listed(call);
    return show(call, events, serverId);
  }),
  route("GET", byId, async (call) => {
    const { event, serverId } = await one(call);
    const [shown] = await show(call, [event], serverId);
    return shown;
  }),
  route("DELETE", byId, async (call) => {
    const { event } = await one(call);
    await call.api.send("DELETE", `/events/${event.id}`);
    return noContent;
  }),
  // Nobody says here that they come.
  route("GET", `${byId}/users`, async (call) => {
    await one(call);
    return [];
  }),
];
