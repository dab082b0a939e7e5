import { z } from "zod";
import { timestamp, uuid } from "./identifiers.js";

export const presenceStatuses = ["online", "away", "dnd", "offline"] as const;

/** Presence status of a user (docs/protocol/objects.md#4.1). */
export const PresenceStatus = z.enum(presenceStatuses).meta({ id: "PresenceStatus" });
export type PresenceStatus = z.infer<typeof PresenceStatus>;

/** Name of an account; those of bots are longer and contain hyphens (docs/protocol/objects.md#4.1). */
/** The form of a registered username. */
export const usernamePattern = /^[A-Za-z0-9_]{2,32}$/;

export const username = z.string().meta({ minLength: 2, example: "ann" });
/** Address of an account's picture (docs/protocol/objects.md#4.1). */
export const avatarUrl = z.string().nullable().meta({ maxLength: 2048, example: "https://example.com/ann.png" });
const bio = z.string().nullable().meta({ maxLength: 500, example: "Likes endgames" });
const pronouns = z.string().nullable().meta({ maxLength: 40, example: "she/her" });

/** The presence of an account as co-members see it (docs/protocol/objects.md#4.1). */
export const presenceFields = {
  status: PresenceStatus,
  custom_status: z.string().nullable().meta({ maxLength: 128, example: "Back at noon" }),
  activity: z.string().nullable().meta({ maxLength: 128, example: "Chess" }),
};

export const dmsFrom = ["everyone", "servers", "friends"] as const;

/** The accounts that may send direct messages to an account (docs/protocol/conversations.md#28.3). */
export const DmsFrom = z.enum(dmsFrom);
export type DmsFrom = z.infer<typeof DmsFrom>;

/** Code points of a display name, at most. */
export const displayNameLengthMax = 32;

/** The name that is shown in place of the username, in answers and on connections with `v=2` (docs/protocol/accounts.md#33.5). */
export const displayName = {
  display_name: z
    .string()
    .optional()
    .meta({ minLength: 1, maxLength: displayNameLengthMax, description: "Where it is set", example: "Ann of Bergen" }),
};

/** The mark of bots in an account as others see it (docs/protocol/events.md#23.4). */
export const botMark = { is_bot: z.literal(true).optional().meta({ description: "On bots only" }) };

/** The mark of the accounts of incoming webhooks (docs/protocol/webhooks.md#25.5). */
export const webhookMark = {
  is_webhook: z.literal(true).optional().meta({ description: "On accounts of incoming webhooks only" }),
};

/** The mark of people whom an archive names, until somebody claims them (docs/protocol/moving.md#32.1). */
const importedMark = {
  imported: z.literal(true).optional().meta({ description: "On people of archives only" }),
};

const publicFields = {
  id: uuid,
  username,
  ...displayName,
  avatar_url: avatarUrl,
  bio,
  pronouns,
  ...presenceFields,
  created_at: timestamp,
  ...botMark,
  ...webhookMark,
  ...importedMark,
};

/** The caller's own account (docs/protocol/objects.md#4.1). */
export const User = z
  .object({
    id: uuid,
    username,
    ...displayName,
    email: z.string().nullable().meta({ maxLength: 254, example: "ann@example.com" }),
    avatar_url: avatarUrl,
    bio,
    pronouns,
    ...presenceFields,
    created_at: timestamp,
    is_admin: z.boolean(),
    status_expires_at: timestamp.optional().meta({ description: "When the custom status ends; absent without an end" }),
    dms_from: DmsFrom.optional().meta({ description: "Who may write to the account; absent until it is set" }),
    terms_outdated: z.literal(true).optional().meta({
      description: "In `GET /users/@me`, while the account has to accept the terms of the installation once more",
    }),
  })
  .meta({ id: "User", description: "The caller's own account" });
export type User = z.infer<typeof User>;

/** Another user's account, in the same shape (docs/protocol/objects.md#4.2). */
export const OtherUser = User.omit({ dms_from: true, terms_outdated: true, status_expires_at: true })
  .extend({
    email: z.null().meta({ type: "string", nullable: true, enum: [null], description: "Of nobody else" }),
    is_admin: z.literal(false),
    ...botMark,
  })
  .meta({ id: "OtherUser", description: "Somebody else's account" });
export type OtherUser = z.infer<typeof OtherUser>;

/** The public part of an account (docs/protocol/objects.md#4.3). */
export const PublicProfile = z
  .object(publicFields)
  .meta({ id: "PublicProfile", description: "What anybody may see of an account" });
export type PublicProfile = z.infer<typeof PublicProfile>;

/** Answer of register, login and refresh (docs/protocol/objects.md#4.4). */
export const AuthResponse = z
  .object({
    access_token: z.string().meta({ description: "JWT, valid for 15 minutes" }),
    refresh_token: z.string().meta({ description: "Opaque, valid for 7 days, to be used once" }),
    user: User,
  })
  .meta({ id: "AuthResponse" });
export type AuthResponse = z.infer<typeof AuthResponse>;
