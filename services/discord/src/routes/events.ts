import type { Channel, ListedEvent, SentMessage } from "@parley/contracts";
import { z } from "zod";
import { isShown, snowflakeOf } from "../ids/snowflake.js";
import { loadPeople } from "../loading/context.js";
import { toEvent } from "../objects/scheduled-event.js";
import { discordError } from "../rest/errors.js";
import { readInput, snowflakeInput } from "../rest/input.js";
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

const fields = {
  name: z.string().min(1).max(100),
  description: z.string().max(1_000).nullish(),
  scheduled_start_time: z.iso.datetime({ offset: true }),
};
const location = z.object({ location: z.string().nullish() }).nullish();
const newEvent = z.object({ ...fields, channel_id: snowflakeInput.nullish(), entity_metadata: location });
const change = z.object(fields).partial();

/** The channel that an event is announced in: the text channel that its place names, else the first one. */
async function channelFor(call: BotCall, serverId: string, place: string | undefined): Promise<string> {
  const channels = await call.api.get<Channel[]>(`/servers/${serverId}/channels`);
  const texts = channels.filter(({ type }) => type === "text");
  const found = texts.find(({ id }) => snowflakeOf(id) === place) ?? texts[0];
  if (found === undefined) throw discordError(10003);
  return found.id;
}

async function createEvent(call: BotCall) {
  const serverId = await serverOf(call);
  const { name, description, scheduled_start_time: starts_at, ...where } = readInput(newEvent, call.body);
  const [, named] = /<#(\d+)>/.exec(where.entity_metadata?.location ?? "") ?? [];
  const channel_id = await channelFor(call, serverId, where.channel_id ?? named);
  const body = { name, description, starts_at };
  const { id, event } = await call.api.send<SentMessage>("POST", `/channels/${channel_id}/events`, body);
  const [shown] = event === null ? [] : await show(call, [{ ...event, channel_id, message_id: id }], serverId);
  return shown;
}

/** Its place and how it stands cannot be changed. */
async function changeEvent(call: BotCall) {
  const { event } = await one(call);
  const { name, description, scheduled_start_time: starts_at } = readInput(change, call.body);
  const body = { name, description, starts_at };
  const isChanged = Object.values(body).some((value) => value !== undefined);
  if (isChanged) await call.api.send("PATCH", `/events/${event.id}`, body);
  const { event: changed, serverId } = await one(call);
  const [shown] = await show(call, [changed], serverId);
  return shown;
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
  // Nobody says here that they come.
  route("GET", `${byId}/users`, async (call) => {
    await one(call);
    return [];
  }),
];
