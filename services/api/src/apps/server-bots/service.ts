import {
  caps,
  createEvent,
  defaultRoleColor,
  errorTexts,
  invalidInput,
  type Member,
  notFound,
} from "@parley/contracts";
import type { Bot, Database, Transaction } from "@parley/database/prisma";
import { findMember } from "@parley/moderation";
import type { Emit } from "@parley/outbox";
import { lockAccount, requireBelowCap } from "../../access/caps.js";
import type { InServer, MemberAccess, ServerChange } from "../../access/may.js";
import { insertAssignment } from "../../community/member-roles/repository.js";
import { addMember } from "../../community/members/membership.js";
import { requireHeld } from "../../community/roles/hierarchy.js";
import { countRoles, insertRole } from "../../community/roles/repository.js";
import { roleEvents } from "../../community/roles/resource.js";
import type { ChangeTurns } from "../../platform/load/change-turns.js";
import { findAddableBot } from "../bots/repository.js";
import type { AddBot } from "../bots/schema.js";

/** A bot that comes into a server. */
interface Addition {
  serverId: string;
  bot: Bot;
  permissions: number;
}

export function createServerBots({ database, turns }: { database: Database; turns: ChangeTurns }) {
  return {
    /** Makes a bot a member, with a role of its own for the permissions that it is given. */
    async add(may: InServer, { bot_id: botId, permissions }: AddBot): Promise<Member> {
      const access = await may.access();
      requireHeld(access, permissions);
      const address = { userId: access.userId, botId };
      const found = await findAddableBot(database, address);
      if (found === null) throw notFound(errorTexts.bot_not_found);
      const lockBot = async (transaction: Transaction) => {
        // A revoked bot of a deleted account has no account to lock.
        if (found.revoked_at !== null) throw invalidInput(errorTexts.bot_is_revoked);
        await lockAccount(transaction, found.user_id);
      };
      const add = async ({ transaction, emit, access, audit }: ServerChange<MemberAccess>): Promise<Member> => {
        const { serverId } = access;
        requireHeld(access, permissions);
        const bot = await findAddableBot(transaction, address);
        if (bot === null) throw notFound(errorTexts.bot_not_found);
        if (bot.revoked_at !== null) throw invalidInput(errorTexts.bot_is_revoked);
        await addMember(transaction, emit, { serverId, userId: bot.user_id });
        if (permissions !== 0) await giveRole(transaction, emit, { serverId, bot, permissions });
        await audit("bot_add", bot.user_id, { bot_id: bot.id, permissions });
        const member = await findMember(transaction, { serverId, userId: bot.user_id });
        if (member === null) throw new Error("A bot was not added");
        return member;
      };
      return turns.run(found.user_id, () => may.change(add, lockBot));
    },
  };
}

export type ServerBots = ReturnType<typeof createServerBots>;

/** At position 0, so that the role outranks nobody. */
async function giveRole(transaction: Transaction, emit: Emit, { serverId, bot, permissions }: Addition): Promise<void> {
  requireBelowCap(caps.roles, await countRoles(transaction, serverId));
  const row = {
    server_id: serverId,
    name: bot.name,
    permissions,
    rights: 0,
    color: defaultRoleColor,
    position: 0,
    mentionable: false,
  };
  const role = await insertRole(transaction, row);
  for (const event of roleEvents("ROLE_CREATE", role)) emit(event);
  const address = { server_id: serverId, user_id: bot.user_id, role_id: role.id };
  await insertAssignment(transaction, address);
  emit(
    createEvent(
      "MEMBER_ROLE_ADD",
      { server_id: serverId },
      { ...address, role_name: role.name, role_color: role.color },
    ),
  );
}
