import type { Member, PresenceStatus } from "@parley/contracts";
import { PresenceUpdateStatus } from "discord-api-types/v10";
import { z } from "zod";
import { snowflakeOf } from "../ids/snowflake.js";
import { statusTextMax } from "./limits.js";

/** Ours and Discord's names of statuses. */
const statuses: Readonly<Record<PresenceStatus, PresenceUpdateStatus>> = {
  online: PresenceUpdateStatus.Online,
  away: PresenceUpdateStatus.Idle,
  dnd: PresenceUpdateStatus.DoNotDisturb,
  offline: PresenceUpdateStatus.Offline,
};
const customStatus = 4;

/** The presence that a client sets for itself. */
export const PresencePayload = z.object({
  status: z.enum(["online", "idle", "dnd", "invisible", "offline"]),
  activities: z
    .array(z.object({ name: z.string().nullish(), type: z.int().nullish(), state: z.string().nullish() }))
    .nullish(),
});

/** A presence as the api takes it (docs/protocol/accounts.md). */
export interface OwnPresence {
  readonly status: PresenceStatus;
  readonly custom_status: string | null;
  readonly activity: string | null;
}

const cut = (text: string | null | undefined) => (text ? [...text].slice(0, statusTextMax).join("") : null);

/** @param isFirst a bot that says `offline` when it identifies itself is shown online (docs/discord.md#rules) */
export function toOwnPresence(
  { status, activities }: z.infer<typeof PresencePayload>,
  { isFirst }: { isFirst: boolean },
): OwnPresence {
  const custom = activities?.find(({ type }) => type === customStatus);
  const activity = activities?.find(({ type }) => type !== customStatus);
  const ours = {
    online: "online",
    idle: "away",
    dnd: "dnd",
    invisible: "offline",
    offline: isFirst ? "online" : "offline",
  };
  return { status: ours[status] as PresenceStatus, custom_status: cut(custom?.state), activity: cut(activity?.name) };
}

/** A presence as others see it. */
export function toPresence({ status, custom_status, activity }: { [Key in keyof OwnPresence]: OwnPresence[Key] }) {
  const activities = [
    ...(custom_status === null ? [] : [{ name: "Custom Status", type: customStatus, state: custom_status }]),
    ...(activity === null ? [] : [{ name: activity, type: 0 }]),
  ].map((each) => ({ id: `${each.type}`, created_at: 0, ...each }));
  const shown = statuses[status];
  return { status: shown, activities, client_status: status === "offline" ? {} : { web: shown } };
}

export const isOnline = ({ status }: Member) => status !== "offline";
export const toMemberPresence = (member: Member) => ({
  user: { id: snowflakeOf(member.user_id) },
  ...toPresence(member),
});
