import type { ListedEvent } from "@parley/contracts";
import {
  type APIGuildScheduledEvent,
  GuildScheduledEventEntityType,
  GuildScheduledEventPrivacyLevel,
  GuildScheduledEventStatus,
} from "discord-api-types/v10";
import { snowflakeOf } from "../ids/snowflake.js";

const hourMs = 3_600_000;

/**
 * Discord's scheduled event. One without a voice channel needs a place and an end there: where they are not set, these are
 * the channel of its message and an hour after it begins.
 */
export function toEvent(
  event: Omit<ListedEvent, "created_at" | "message_id">,
  serverId: string,
): APIGuildScheduledEvent {
  const base = {
    id: snowflakeOf(event.id),
    guild_id: snowflakeOf(serverId),
    creator_id: event.created_by === null ? null : snowflakeOf(event.created_by),
    name: event.name,
    description: event.description,
    scheduled_start_time: event.starts_at,
    privacy_level: GuildScheduledEventPrivacyLevel.GuildOnly,
    status: GuildScheduledEventStatus.Scheduled,
    entity_id: null,
    image: null,
    recurrence_rule: null,
    user_count: event.interested_count ?? 0,
  };
  if (event.voice_channel_id !== undefined)
    return {
      ...base,
      channel_id: snowflakeOf(event.voice_channel_id),
      scheduled_end_time: event.ends_at ?? null,
      entity_type: GuildScheduledEventEntityType.Voice,
      entity_metadata: null,
    };
  return {
    ...base,
    channel_id: null,
    scheduled_end_time: event.ends_at ?? new Date(Date.parse(event.starts_at) + hourMs).toISOString(),
    entity_type: GuildScheduledEventEntityType.External,
    entity_metadata: { location: event.place ?? `<#${snowflakeOf(event.channel_id)}>` },
  };
}
