import { AutomodConfig, AutomodLogEntry, type AutomodWord } from "@parley/contracts";
import type { AutomodConfig as ConfigRow, AutomodLog as LogRow, AutomodWord as WordRow } from "@parley/database";

/** A configuration as it goes over the wire (docs/interface.md#4.24). */
export function toAutomodConfig(row: ConfigRow): AutomodConfig {
  return AutomodConfig.parse({ ...row, updated_at: row.updated_at.toISOString() });
}

/** A filtered word as it goes over the wire (docs/interface.md#4.25). */
export function toAutomodWord({ id, server_id, word, created_by, created_at }: WordRow): AutomodWord {
  return { id, server_id, word, created_by, created_at: created_at.toISOString() };
}

/** A log entry as it goes over the wire (docs/interface.md#4.25). */
export function toAutomodLogEntry(row: LogRow): AutomodLogEntry {
  return AutomodLogEntry.parse({ ...row, created_at: row.created_at.toISOString() });
}
