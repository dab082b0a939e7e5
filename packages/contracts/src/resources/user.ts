import { z } from "zod";
import { timestamp, uuid } from "./identifiers.js";

export const presenceStatuses = ["online", "away", "dnd", "offline"] as const;

/** Presence status of a user (4.1). */
export const PresenceStatus = z.enum(presenceStatuses).meta({ id: "PresenceStatus" });
export type PresenceStatus = z.infer<typeof PresenceStatus>;

const publicFields = {
  id: uuid,
  username: z.string(),
  avatar_url: z.string().nullable(),
  bio: z.string().nullable(),
  pronouns: z.string().nullable(),
  status: PresenceStatus,
  custom_status: z.string().nullable(),
  activity: z.string().nullable(),
  created_at: timestamp,
};

/** The caller's own account (4.1). */
export const User = z
  .object({
    id: uuid,
    username: z.string(),
    email: z.string().nullable(),
    avatar_url: z.string().nullable(),
    bio: z.string().nullable(),
    pronouns: z.string().nullable(),
    status: PresenceStatus,
    custom_status: z.string().nullable(),
    activity: z.string().nullable(),
    created_at: timestamp,
    is_admin: z.boolean(),
  })
  .meta({ id: "User", description: "An account; `email` is null and `is_admin` false unless it is the caller's own." });
export type User = z.infer<typeof User>;

/** What anybody may see of an account (4.3). */
export const PublicProfile = z.object(publicFields).meta({ id: "PublicProfile" });
export type PublicProfile = z.infer<typeof PublicProfile>;

/** Answer of register, login and refresh (4.4). */
export const AuthResponse = z
  .object({ access_token: z.string(), refresh_token: z.string(), user: User })
  .meta({ id: "AuthResponse" });
export type AuthResponse = z.infer<typeof AuthResponse>;
