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
import type { Emit, Outbox } from "@parley/outbox";
import { appendAudit } from "../../access/audit-log/repository.js";
import { lockAccount, requireBelowCap } from "../../access/caps.js";
import { requireMemberForChange } from "../../access/change-lock.js";
import type { ServerAccess } from "../../access/repository.js";
import { requireMember, requirePermission } from "../../access/server-access.js";
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

export function createServerBots(options: { database: Database; outbox: Outbox<Transaction>; turns: ChangeTurns }) {
  const { database, outbox, turns } = options;
  return {
    /** Makes a bot a member, with a role of its own for the permissions that it is given. */
    async add(userId: string, serverId: string, { bot_id: botId, permissions }: AddBot): Promise<Member> {
      checkAccess(await requireMember(database, serverId, userId), permissions);
      const found = await findAddableBot(database, { userId, botId });
      if (found === null) throw notFound(errorTexts.bot_not_found);
      const add = () =>
        outbox.transaction([{ server_id: serverId }], async (transaction, emit) => {
          // A revoked bot of a deleted account has no account to lock.
          if (found.revoked_at !== null) throw invalidInput(errorTexts.bot_is_revoked);
          await lockAccount(transaction, found.user_id);
          checkAccess(await requireMemberForChange(transaction, serverId, userId), permissions);
          const bot = await findAddableBot(transaction, { userId, botId });
          if (bot === null) throw notFound(errorTexts.bot_not_found);
          if (bot.revoked_at !== null) throw invalidInput(errorTexts.bot_is_revoked);
          await addMember(transaction, emit, { serverId, userId: bot.user_id });
          if (permissions !== 0) await giveRole(transaction, emit, { serverId, bot, permissions });
          const details = { bot_id: bot.id, permissions };
          const entry = { serverId, actorId: userId, action: "bot_add", targetId: bot.user_id, details } as const;
          await appendAudit(transaction, entry);
          const member = await findMember(transaction, { serverId, userId: bot.user_id });
          if (member === null) throw new Error("A bot was not added");
          return member;
        });
      return turns.run(found.user_id, add);
    },
  };
}

export type ServerBots = ReturnType<typeof createServerBots>;

/** @throws ServiceError 403 without MANAGE_SERVER, and for bits that the caller lacks */
function checkAccess(access: ServerAccess, permissions: number): void {
  requirePermission(access, "MANAGE_SERVER", errorTexts.manage_server_required_to_add_bots);
  requireHeld(access, permissions);
}

/** At position 0, so that the role outranks nobody. */
async function giveRole(transaction: Transaction, emit: Emit, { serverId, bot, permissions }: Addition): Promise<void> {
  requireBelowCap(caps.roles, await countRoles(transaction, serverId));
  const row = { server_id: serverId, name: bot.name, permissions, rights: 0, color: defaultRoleColor, position: 0 };
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
