import type { CustomEmoji } from "@parley/contracts";

/** A row of the table `custom_emojis`. */
export interface EmojiRow {
  id: string;
  server_id: string;
  name: string;
  created_by: string | null;
  content_type: string;
  file_size: number;
  created_at: Date;
}

/**
 * A custom emoji as it goes over the wire (docs/protocol/objects.md#4.15); clients use the address as it is, so it has the
 * prefix.
 */
export function toCustomEmoji(row: EmojiRow): CustomEmoji {
  return {
    id: row.id,
    server_id: row.server_id,
    name: row.name,
    url: `/api/emojis/${row.id}`,
    content_type: row.content_type,
    file_size: row.file_size,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
  };
}
