import type { Archive } from "../archive.js";
import { cleanText } from "../clean-text.js";
import type { ArchiveRecord } from "../form.js";
import { parsedRecords } from "./entries.js";
import type { People } from "./people.js";
import { automodRuleSchema, banSchema, inviteSchema } from "./schema.js";

/** The bans, invites and rules of automatic moderation of an export, with the people whom only they name. */
export async function* readModeration(
  archive: Archive,
  { server, people }: { server: string; people: People },
): AsyncGenerator<ArchiveRecord> {
  for await (const found of parsedRecords(archive, "bans.jsonl", banSchema)) {
    if (found.kind === "skipped") yield found;
    else {
      const { user_id: person, banned_by: by, reason, created_at: createdAt, expires_at: expiresAt } = found.value;
      yield* people.strangers(person, by);
      const cleaned = reason === null ? null : cleanText(reason) || null;
      yield { kind: "ban", server, person, by, reason: cleaned, createdAt, expiresAt };
    }
  }
  for await (const found of parsedRecords(archive, "invites.json", inviteSchema)) {
    if (found.kind === "skipped") yield found;
    else {
      const { id, code, created_by: by, uses, max_uses, created_at: createdAt, expires_at: expiresAt } = found.value;
      const { role_ids: roles = [], vanity = false } = found.value;
      yield* people.strangers(by);
      yield { kind: "invite", id, server, code, by, uses, maxUses: max_uses, createdAt, expiresAt, roles, vanity };
    }
  }
  for await (const found of parsedRecords(archive, "automod-rules.json", automodRuleSchema)) {
    if (found.kind === "skipped") yield found;
    else {
      const {
        id,
        exempt_role_ids: exemptRoles,
        exempt_channel_ids: exemptChannels,
        created_by: by,
        ...more
      } = found.value;
      const { created_at: createdAt, updated_at: updatedAt, ...rule } = more;
      yield* people.strangers(by);
      yield { kind: "automod_rule", id, server, rule, exemptRoles, exemptChannels, by, createdAt, updatedAt };
    }
  }
}
