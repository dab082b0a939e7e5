import { type Channel, type ListedEvent, Member, type SentMessage } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import { memberObject, memberText } from "@parley/moderation";
import { z } from "zod";
import { isShown, snowflakeOf } from "../ids/snowflake.js";
import { loadPeople } from "../loading/context.js";
import { afterQuery, beforeQuery } from "../loading/cursors.js";
import { toMember } from "../objects/member.js";
import { toEvent } from "../objects/scheduled-event.js";
import { discordError } from "../rest/errors.js";
import { isSet, numberOf, readInput, snowflakeInput, snowflakeQuery } from "../rest/input.js";
import { type BotCall, route } from "../rest/route.js";
import { serverOf } from "./guilds.js";

async function listed(call: BotCall): Promise<{ events: ListedEvent[]; serverId: string }> {
  const serverId = await serverOf(call);
  const events = await call.api.get<ListedEvent[]>(`/servers/${serverId}/events`);
  return { events: events.filter(isShown), serverId };
}

async function show(call: BotCall, events: readonly ListedEvent[], serverId: string) {
  const people = await loadPeople(
    call.database,
    events.map(({ created_by }) => created_by),
  );
  return events.map((event) => ({ ...toEvent(event, serverId), ...people("creator", event.created_by) }));
}

async function one(call: BotCall): Promise<{ event: ListedEvent; serverId: string }> {
  const { events, serverId } = await listed(call);
  const event = events.find(({ id }) => snowflakeOf(id) === call.params.event_id);
  if (event === undefined) throw discordError(10070);
  return { event, serverId };
}

const times = {
  scheduled_start_time: z.iso.datetime({ offset: true }),
  scheduled_end_time: z.iso.datetime({ offset: true }).nullish(),
};
const fields = {
  ...times,
  name: z.string().min(1).max(100),
  description: z.string().max(1_000).nullish(),
  channel_id: snowflakeInput.nullish(),
  entity_metadata: z.object({ location: z.string().max(100).nullish() }).nullish(),
};
const newEvent = z.object(fields);
const change = z.object({ ...fields, entity_type: z.int() }).partial();

/** A place that is a channel and no more. */
const channelPlace = /^<#(\d+)>$/;

/** Channels of the server by their snowflakes, those that the bot may view. */
async function channelsOf(call: BotCall, serverId: string) {
  const channels = await call.api.get<Channel[]>(`/servers/${serverId}/channels`);
  const find = (type: Channel["type"], snowflake: string | null | undefined) =>
    channels.find((channel) => channel.type === type && snowflakeOf(channel.id) === snowflake);
  return { find, first: channels.find(({ type }) => type === "text") };
}

type Channels = Awaited<ReturnType<typeof channelsOf>>;

/** The voice channel that a body names: null for none, undefined where it does not say. */
function voiceOf(channels: Channels, channelId: string | null | undefined): string | null | undefined {
  if (channelId == null) return channelId;
  return channels.find("voice", channelId)?.id;
}

/** The place that a body names; a channel alone is where the event is announced. */
const placeOf = (location: string | null | undefined) =>
  location != null && channelPlace.test(location) ? null : location;

/** An event is announced in the text channel that the body names, else in the first one. */
async function createEvent(call: BotCall) {
  const serverId = await serverOf(call);
  const input = readInput(newEvent, call.body);
  const { name, description, scheduled_start_time: starts_at, scheduled_end_time: ends_at } = input;
  const location = input.entity_metadata?.location;
  const channels = await channelsOf(call, serverId);
  const [, named] = channelPlace.exec(location ?? "") ?? [];
  const text = channels.find("text", input.channel_id) ?? channels.find("text", named) ?? channels.first;
  if (text === undefined) throw discordError(10003);
  const where = { place: placeOf(location), voice_channel_id: voiceOf(channels, input.channel_id) };
  const body = { name, description, starts_at, ends_at, ...where };
  const { id, event } = await call.api.send<SentMessage>("POST", `/channels/${text.id}/events`, body);
  const [shown] = event === null ? [] : await show(call, [{ ...event, channel_id: text.id, message_id: id }], serverId);
  return shown;
}

/** How it stands cannot be changed. */
async function changeEvent(call: BotCall) {
  const { event, serverId } = await one(call);
  const input = readInput(change, call.body);
  const { name, description, scheduled_start_time: starts_at, scheduled_end_time: ends_at } = input;
  const channels = await channelsOf(call, serverId);
  const where = {
    place: placeOf(input.entity_metadata?.location),
    voice_channel_id: voiceOf(channels, input.channel_id),
  };
  const body = { name, description, starts_at, ends_at, ...where };
  const isChanged = Object.values(body).some((value) => value !== undefined);
  if (isChanged) await call.api.send("PATCH", `/events/${event.id}`, body);
  const { event: changed } = await one(call);
  const [shown] = await show(call, [changed], serverId);
  return shown;
}

const usersMax = 100;

/** Interested members of the server in the order of their ids: at most $5 of those after $3, or else the last ones before $4. */
const interestedStatement = defineStatement({
  name: "discord_event_users",
  text: `SELECT ${memberText} AS text FROM (
      SELECT m.* FROM event_interests i JOIN members m ON m.server_id = $1::uuid AND m.user_id = i.user_id
      WHERE i.event_id = $2::uuid AND ($3::uuid IS NULL OR i.user_id > $3) AND ($4::uuid IS NULL OR i.user_id < $4)
      ORDER BY CASE WHEN $4::uuid IS NULL THEN i.user_id END, i.user_id DESC LIMIT $5::integer) AS m
    ${memberObject} ORDER BY m.user_id`,
  row: (row) => Member.parse(JSON.parse(String(row.text))),
});

async function listInterested(call: BotCall) {
  const { database, query } = call;
  const { event, serverId } = await one(call);
  const limit = numberOf(query, "limit", { fallback: usersMax, min: 1, max: usersMax });
  const [after, before] = ["after", "before"].map((name) => snowflakeQuery(query, name));
  const edges = [
    after === undefined ? null : afterQuery(after).after,
    before === undefined ? null : beforeQuery(before).before,
  ];
  const members = await database.query(interestedStatement, [serverId, event.id, ...edges, limit]);
  return members.map((member) => {
    const { user, ...others } = toMember(member);
    const shown = { guild_scheduled_event_id: snowflakeOf(event.id), user };
    return isSet(query, "with_member") ? { ...shown, member: { ...others, user } } : shown;
  });
}

const byId = "/guilds/:guild_id/scheduled-events/:event_id";

export const eventRoutes = [
  route("GET", "/guilds/:guild_id/scheduled-events", async (call) => {
    const { events, serverId } = await listed(call);
    return show(call, events, serverId);
  }),
  route("POST", "/guilds/:guild_id/scheduled-events", createEvent),
  route("PATCH", byId, changeEvent),
  route("GET", byId, async (call) => {
    const { event, serverId } = await one(call);
    const [shown] = await show(call, [event], serverId);
    return shown;
  }),
  route("DELETE", byId, async (call) => {
    const { event } = await one(call);
    await call.api.send("DELETE", `/events/${event.id}`);
  }),
  route("GET", `${byId}/users`, listInterested),
];
