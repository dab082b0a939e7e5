import type { ListedEvent } from "@parley/contracts";
import {
  type APIGuildScheduledEvent,
  GuildScheduledEventEntityType,
  GuildScheduledEventPrivacyLevel,
  GuildScheduledEventStatus,
} from "discord-api-types/v10";
import { isShown, snowflakeOf } from "../ids/snowflake.js";
import { loadUsers } from "../loading/context.js";
import { toUser } from "../objects/user.js";
import { discordError } from "../rest/errors.js";
import { type BotCall, noContent, route } from "../rest/route.js";
import { serverOf } from "./guilds.js";

const hourMs = 3_600_000;

/** Discord's scheduled event: one without a voice channel has a place and an end, which is an hour after it begins. */
function toEvent(event: ListedEvent, serverId: string): APIGuildScheduledEvent {
  return {
    id: snowflakeOf(event.id),
    guild_id: snowflakeOf(serverId),
    channel_id: null,
    creator_id: event.created_by === null ? null : snowflakeOf(event.created_by),
    name: event.name,
    description: event.description,
    scheduled_start_time: event.starts_at,
    scheduled_end_time: new Date(Date.parse(event.starts_at) + hourMs).toISOString(),
    privacy_level: GuildScheduledEventPrivacyLevel.GuildOnly,
    status: GuildScheduledEventStatus.Scheduled,
    entity_type: GuildScheduledEventEntityType.External,
    entity_id: null,
    entity_metadata: { location: `<#${snowflakeOf(event.channel_id)}>` },
    image: null,
    recurrence_rule: null,
    user_count: 0,
  };
}

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
