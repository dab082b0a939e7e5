import { randomUUID } from "node:crypto";
import {
  caps,
  conflict,
  createEvent,
  errorTexts,
  invalidInput,
  type Member,
  notFound,
  type Onboarding,
  permissionBits,
} from "@parley/contracts";
import type { Database, Queryable, Role, Transaction } from "@parley/database/prisma";
import { findMember } from "@parley/moderation";
import type { Emit } from "@parley/outbox";
import { hasPermission } from "@parley/permissions";
import type { InServer, MemberAccess } from "../../access/may.js";
import { permission } from "../../access/needs.js";
import { whichAreViewable } from "../../access/repository.js";
import type { EndUnentitledVoice } from "../../voice/voice/end-unentitled.js";
import { deleteAssignment, insertAssignment } from "../member-roles/repository.js";
import { assignmentEvent } from "../member-roles/service.js";
import { countBesides, deleteOverride, putOverride } from "../overrides/repository.js";
import { chosenOptions } from "./answered.js";
import {
  findChannelsOf,
  findGifts,
  findOnboarding,
  findRolesOf,
  findUserOverride,
  type Gifts,
  putGifts,
  putOnboarding,
} from "./repository.js";
import type { Answers, PutOnboarding } from "./schema.js";

/** The right to write what a server asks. */
export const writeOnboarding = permission("MANAGE_SERVER", errorTexts.manage_server_required);

const unwritten: Onboarding = { enabled: false, welcome: null, channels: [], questions: [] };

const { MANAGE_MESSAGES, MUTE_MEMBERS, KICK_MEMBERS, BAN_MEMBERS } = permissionBits;
const { MANAGE_CHANNELS, MANAGE_ROLES, MANAGE_SERVER, ADMINISTRATOR } = permissionBits;
const moderating =
  MANAGE_MESSAGES |
  MUTE_MEMBERS |
  KICK_MEMBERS |
  BAN_MEMBERS |
  MANAGE_CHANNELS |
  MANAGE_ROLES |
  MANAGE_SERVER |
  ADMINISTRATOR;
/** Nobody takes a right to moderate by themselves. */
const moderates = ({ permissions, rights }: Role) => (permissions & moderating) !== 0 || rights !== 0;

export function createOnboardingService(options: { database: Database; endUnentitledVoice: EndUnentitledVoice }) {
  const { database, endUnentitledVoice } = options;
  return {
    /** What a member reads; those who may write it read it whole. */
    async get(access: MemberAccess): Promise<Onboarding> {
      return readable(database, access, (await findOnboarding(database, access.serverId)) ?? unwritten);
    },

    put(may: InServer, input: PutOnboarding): Promise<Onboarding> {
      return may.change(async ({ transaction, access, audit }) => {
        const { serverId } = access;
        await requireTargets(transaction, serverId, input);
        const before = await findOnboarding(transaction, serverId);
        const onboarding = withIds(input, before ?? unwritten);
        await putOnboarding(transaction, serverId, onboarding);
        await audit("server_onboarding_update", serverId, { enabled: onboarding.enabled });
        return onboarding;
      });
    },

    /** Gives the caller what their answers are for, and takes what earlier ones were for. */
    async answer(may: InServer, answers: Answers): Promise<Member> {
      const { member, serverId } = await may.change(async ({ transaction, emit, access }) => {
        const { serverId, userId } = access;
        const onboarding = await findOnboarding(transaction, serverId);
        if (onboarding?.enabled !== true) throw conflict(errorTexts.onboarding_disabled);
        const chosen = chosenOptions(onboarding, answers);
        const before = await findGifts(transaction, serverId, userId);
        const step = { transaction, emit, serverId, userId };
        const roleIds = new Set(chosen.flatMap(({ role_ids }) => role_ids));
        const roles = await changeRoles(step, before, roleIds);
        const channelIds = new Set(chosen.flatMap(({ channel_ids }) => channel_ids));
        const channel_ids = await changeChannels(step, before, channelIds);
        await putGifts(transaction, serverId, userId, { role_ids: roles.held, channel_ids });
        const member = await findMember(transaction, { serverId, userId });
        if (member === null) throw notFound(errorTexts.server_not_found);
        if (roles.changed) emit(createEvent("MEMBER_UPDATE", { server_id: serverId }, { server_id: serverId, member }));
        return { member, serverId };
      });
      await endUnentitledVoice(serverId);
      return member;
    },
  };
}

export type OnboardingService = ReturnType<typeof createOnboardingService>;

/** Without roles and channels that are gone and, for those who may not write it, without channels that they may not view. */
async function readable(connection: Queryable, access: MemberAccess, onboarding: Onboarding): Promise<Onboarding> {
  const { serverId, userId, permissions } = access;
  const options = onboarding.questions.flatMap((question) => question.options);
  const channelIds = [
    ...onboarding.channels.map(({ channel_id }) => channel_id),
    ...options.flatMap(({ channel_ids }) => channel_ids),
  ];
  const roleIds = options.flatMap(({ role_ids }) => role_ids);
  const roles = new Set((await findRolesOf(connection, serverId, roleIds)).map(({ id }) => id));
  const channels = hasPermission(permissions, "MANAGE_SERVER")
    ? await findChannelsOf(connection, serverId, channelIds)
    : await whichAreViewable(connection, channelIds, userId);
  return {
    ...onboarding,
    channels: onboarding.channels.filter(({ channel_id }) => channels.has(channel_id)),
    questions: onboarding.questions.map((question) => ({
      ...question,
      options: question.options.map((option) => ({
        ...option,
        role_ids: option.role_ids.filter((id) => roles.has(id)),
        channel_ids: option.channel_ids.filter((id) => channels.has(id)),
      })),
    })),
  };
}

/** @throws ServiceError 400 with the path of a role that is unknown or moderates, and of an unknown channel */
async function requireTargets(transaction: Transaction, serverId: string, input: PutOnboarding): Promise<void> {
  const options = input.questions.flatMap((question) => question.options);
  const roleIds = options.flatMap(({ role_ids }) => role_ids);
  const roles = await findRolesOf(transaction, serverId, roleIds);
  const allowed = new Set(roles.flatMap((role) => (moderates(role) ? [] : role.id)));
  const channels = await findChannelsOf(transaction, serverId, [
    ...input.channels.map(({ channel_id }) => channel_id),
    ...options.flatMap(({ channel_ids }) => channel_ids),
  ]);
  const requireEach = (ids: readonly string[], known: ReadonlySet<string>, path: string) => {
    const index = ids.findIndex((id) => !known.has(id));
    if (index >= 0) throw invalidInput(errorTexts.field_invalid(`${path}.${index}`));
  };
  for (const [index, { channel_id }] of input.channels.entries()) {
    if (!channels.has(channel_id)) throw invalidInput(errorTexts.field_invalid(`channels.${index}.channel_id`));
  }
  for (const [index, question] of input.questions.entries()) {
    for (const [place, option] of question.options.entries()) {
      const path = `questions.${index}.options.${place}`;
      requireEach(option.role_ids, allowed, `${path}.role_ids`);
      requireEach(option.channel_ids, channels, `${path}.channel_ids`);
    }
  }
}

/** The ids of questions and options that were there before stay; others are made here. */
function withIds(input: PutOnboarding, before: Onboarding): Onboarding {
  const left = new Set(before.questions.flatMap(({ id, options }) => [id, ...options.map((option) => option.id)]));
  const idOf = (given: string | undefined) => (given !== undefined && left.delete(given) ? given : randomUUID());
  return {
    ...input,
    questions: input.questions.map(({ id, options, ...question }) => ({
      id: idOf(id),
      ...question,
      options: options.map(({ id, ...option }) => ({ id: idOf(id), ...option })),
    })),
  };
}

interface Step {
  transaction: Transaction;
  emit: Emit;
  serverId: string;
  userId: string;
}

/** @returns the roles that the member has by answers alone, and whether anything changed */
async function changeRoles({ transaction, emit, serverId, userId }: Step, before: Gifts, wanted: ReadonlySet<string>) {
  const roles = await findRolesOf(transaction, serverId, [...before.role_ids, ...wanted]);
  const held: string[] = [];
  let changed = false;
  for (const role of roles) {
    const address = { server_id: serverId, user_id: userId, role_id: role.id };
    const hadIt = before.role_ids.includes(role.id);
    const isWanted = wanted.has(role.id);
    const isGiven = isWanted && !moderates(role) && (await insertAssignment(transaction, address));
    const isTaken = hadIt && !isWanted && (await deleteAssignment(transaction, address));
    // Connections with `v=2` get the member as a whole.
    if (isGiven) emit(assignmentEvent("MEMBER_ROLE_ADD", address, role, { version: 1 }));
    if (isTaken) emit(assignmentEvent("MEMBER_ROLE_REMOVE", address, role, { version: 1 }));
    changed ||= isGiven || isTaken;
    if (isGiven || (hadIt && isWanted)) held.push(role.id);
  }
  return { held, changed };
}

/** @returns the channels that the member may view by answers alone */
async function changeChannels(step: Step, before: Gifts, wanted: ReadonlySet<string>): Promise<string[]> {
  const { transaction, serverId, userId } = step;
  const channels = await findChannelsOf(transaction, serverId, [...before.channel_ids, ...wanted]);
  const kept = before.channel_ids.filter((id) => channels.has(id) && wanted.has(id));
  for (const id of before.channel_ids) if (channels.has(id) && !wanted.has(id)) await closeChannel(step, id);
  const open = [...wanted].filter((id) => channels.has(id));
  const viewable = await whichAreViewable(transaction, open, userId);
  for (const id of open) {
    if (!viewable.has(id) && (await openChannel(step, id)) && !kept.includes(id)) kept.push(id);
  }
  return kept;
}

/** @returns false where the channel has no room for another override */
async function openChannel({ transaction, emit, serverId, userId }: Step, channelId: string): Promise<boolean> {
  const target = { roleId: null, userId };
  const own = await findUserOverride(transaction, channelId, userId);
  if ((await countBesides(transaction, channelId, target)) >= caps.overrides.max) return false;
  const { allow = 0, deny = 0 } = own ?? {};
  const bits = { allow: allow | permissionBits.VIEW_CHANNEL, deny: deny & ~permissionBits.VIEW_CHANNEL };
  const override = await putOverride(transaction, channelId, target, bits);
  emit(createEvent("CHANNEL_OVERRIDE_UPDATE", { server_id: serverId }, override));
  return true;
}

async function closeChannel({ transaction, emit, serverId, userId }: Step, channelId: string): Promise<void> {
  const own = await findUserOverride(transaction, channelId, userId);
  if (own === undefined) return;
  const target = { server_id: serverId };
  const allow = own.allow & ~permissionBits.VIEW_CHANNEL;
  if (allow === 0 && own.deny === 0) {
    await deleteOverride(transaction, own.id);
    emit(createEvent("CHANNEL_OVERRIDE_DELETE", target, { channel_id: channelId, override_id: own.id }));
    return;
  }
  const override = await putOverride(transaction, channelId, { roleId: null, userId }, { allow, deny: own.deny });
  emit(createEvent("CHANNEL_OVERRIDE_UPDATE", target, override));
}
