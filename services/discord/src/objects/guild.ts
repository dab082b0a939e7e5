import type { Server } from "@parley/contracts";
import { type APIEmoji, type APIGuild, type APIRole, GuildFeature, Locale } from "discord-api-types/v10";
import { snowflakeOf } from "../ids/snowflake.js";
import { noFlags, pictureHash } from "./user.js";

/** The features of a server that anybody may join. */
export const featuresOf = ({ is_public }: Pick<Server, "is_public">): GuildFeature[] =>
  is_public ? [GuildFeature.Discoverable] : [];

/** Discord's guild, but for channels, members and the like, which GUILD_CREATE adds. */
export function toGuild(
  server: Pick<Server, "id" | "name" | "owner_id" | "icon_url" | "is_public">,
  { roles, emojis }: { roles: APIRole[]; emojis: APIEmoji[] },
): APIGuild {
  return {
    id: snowflakeOf(server.id),
    name: server.name,
    icon: pictureHash(server.icon_url),
    owner_id: snowflakeOf(server.owner_id),
    roles,
    emojis,
    features: featuresOf(server),
    stickers: [],
    ...constants,
  };
}

/** Fields with the same value in every guild here. */
const constants = {
  splash: null,
  discovery_splash: null,
  banner: null,
  description: null,
  region: null,
  afk_channel_id: null,
  afk_timeout: 300,
  widget_enabled: false,
  widget_channel_id: null,
  verification_level: 0,
  default_message_notifications: 1,
  explicit_content_filter: 0,
  mfa_level: 0,
  application_id: null,
  system_channel_id: null,
  system_channel_flags: noFlags,
  rules_channel_id: null,
  max_presences: null,
  max_members: 500_000,
  vanity_url_code: null,
  premium_tier: 0,
  premium_subscription_count: 0,
  preferred_locale: Locale.EnglishUS,
  public_updates_channel_id: null,
  max_video_channel_users: 25,
  max_stage_video_channel_users: 50,
  nsfw_level: 0,
  premium_progress_bar_enabled: false,
  hub_type: null,
  safety_alerts_channel_id: null,
  incidents_data: null,
} satisfies Partial<APIGuild>;
