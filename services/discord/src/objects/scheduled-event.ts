import type { ListedEvent } from "@parley/contracts";
import {
  type APIGuildScheduledEvent,
  GuildScheduledEventEntityType,
  GuildScheduledEventPrivacyLevel,
  GuildScheduledEventStatus,
} from "discord-api-types/v10";
import { snowflakeOf } from "../ids/snowflake.js";

const hourMs = 3_600_000;

/** Discord's scheduled event: one without a voice channel has a place and an end, which is an hour after it begins. */
export function toEvent(
  event: Omit<ListedEvent, "created_at" | "message_id">,
  serverId: string,
): APIGuildScheduledEvent {
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
