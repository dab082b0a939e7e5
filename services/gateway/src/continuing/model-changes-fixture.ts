import { type EventPayload, permissionBits } from "@parley/contracts";
import { createRows, type GatewayFixture, publish } from "../gateway-fixture.js";

/** A role with an override of a channel. */
export interface PlaceRole {
  id: string;
  /** Whether its override takes VIEW_CHANNEL away. */
  denies: boolean;
  isAdministrator: boolean;
}

/** Where something changes, as the api would change it. */
export interface ChangedPlace extends Pick<GatewayFixture, "database" | "messaging"> {
  server_id: string;
  channel_id: string;
}

const { VIEW_CHANNEL, ADMINISTRATOR } = permissionBits;

/** A role that may not view a channel. */
export async function createPlaceRole(
  database: ChangedPlace["database"],
  { server_id, channel_id }: Pick<ChangedPlace, "server_id" | "channel_id">,
): Promise<PlaceRole> {
  const rows = createRows(database);
  const id = await rows.role(server_id);
  await rows.override(channel_id, { role_id: id }, { deny: VIEW_CHANNEL });
  return { id, denies: true, isAdministrator: false };
}

/**
 * Hides a channel from a user, or shows it again.
 *
 * @param overrides ids of the overrides that do so, by channel and user
 */
export async function changeOverride(place: ChangedPlace, userId: string, overrides: Map<string, string>) {
  const { database, messaging, server_id, channel_id } = place;
  const key = `${channel_id} ${userId}`;
  const override_id = overrides.get(key);
  if (override_id === undefined) {
    const override = await createRows(database).override(channel_id, { user_id: userId }, { deny: VIEW_CHANNEL });
    overrides.set(key, override.id);
    await publish(messaging, "CHANNEL_OVERRIDE_UPDATE", { server_id }, override);
  } else {
    overrides.delete(key);
    await database.prisma.channelOverride.delete({ where: { id: override_id } });
    await publish(messaging, "CHANNEL_OVERRIDE_DELETE", { server_id }, { channel_id, override_id });
  }
}

/**
 * Gives a member a role, or takes it away.
 *
 * @param holders pairs of a role and a member with it
 */
export async function changeHolder(place: ChangedPlace, user_id: string, { id }: PlaceRole, holders: Set<string>) {
  const { database, messaging, server_id } = place;
  const isHolder = holders.delete(`${id} ${user_id}`);
  const key = { server_id_user_id_role_id: { server_id, user_id, role_id: id } };
  if (isHolder) await database.prisma.memberRole.delete({ where: key });
  else await createRows(database).giveRole(server_id, user_id, id);
  if (!isHolder) holders.add(`${id} ${user_id}`);
  const name = isHolder ? "MEMBER_ROLE_REMOVE" : "MEMBER_ROLE_ADD";
  const payload = { server_id, user_id, role_id: id, role_name: "role", role_color: "#000000" };
  await publish(messaging, name, { server_id }, payload);
}

/** Lets the override of a role deny VIEW_CHANNEL, or nothing. */
export async function changeDenial({ database, messaging, server_id, channel_id }: ChangedPlace, role: PlaceRole) {
  role.denies = !role.denies;
  const override = await database.prisma.channelOverride.update({
    where: { channel_id_role_id: { channel_id, role_id: role.id } },
    data: { deny: role.denies ? VIEW_CHANNEL : 0 },
  });
  await publish(messaging, "CHANNEL_OVERRIDE_UPDATE", { server_id }, override);
}

/** Gives a role ADMINISTRATOR, or takes it away. */
export async function changeAdministrator({ database, messaging, server_id }: ChangedPlace, role: PlaceRole) {
  role.isAdministrator = !role.isAdministrator;
  const permissions = role.isAdministrator ? ADMINISTRATOR : 0;
  const { rights: _, ...row } = await database.prisma.role.update({ where: { id: role.id }, data: { permissions } });
  const payload: EventPayload<"ROLE_UPDATE"> = { ...row, created_at: row.created_at.toISOString() };
  await publish(messaging, "ROLE_UPDATE", { server_id }, payload);
}

/** Deletes a role, whose assignments stay stored, and creates another one without assignments. */
export async function replaceRole(place: ChangedPlace, role: PlaceRole): Promise<PlaceRole> {
  const { database, messaging, server_id } = place;
  await database.prisma.role.delete({ where: { id: role.id } });
  await publish(messaging, "ROLE_DELETE", { server_id }, { server_id, role_id: role.id });
  return createPlaceRole(database, place);
}
