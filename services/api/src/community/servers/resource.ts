import type { RawServer, Server } from "@parley/contracts";

/** A row of the table `servers`. */
export interface ServerRow {
  id: string;
  name: string;
  owner_id: string;
  icon_url: string | null;
  is_public: boolean;
  require_invite: boolean;
  hierarchy: boolean;
  require_second_factor: boolean;
  description: string | null;
  tags: string[];
  language: string | null;
  banner_url: string | null;
  timezone: string;
  member_count: number;
  created_at: Date;
  updated_at: Date;
}

/** A server as events carry it (docs/protocol/objects.md#4.5, raw). */
export function toRawServer(row: ServerRow): RawServer {
  const { member_count: _, ...raw } = toServer(row);
  return raw;
}

/** A server as REST answers with it (docs/protocol/objects.md#4.5, full and browse). */
export function toServer(row: ServerRow): Server {
  return {
    id: row.id,
    name: row.name,
    owner_id: row.owner_id,
    icon_url: row.icon_url,
    is_public: row.is_public,
    require_invite: row.require_invite,
    ...(row.hierarchy ? { hierarchy: true } : {}),
    member_count: row.member_count,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    ...faceOf(row),
    ...(row.require_second_factor ? { require_second_factor: true } : {}),
  };
}

type FaceKey = "description" | "tags" | "language" | "banner_url" | "timezone";

/** What a server shows of itself, by the keys that were set. */
export function faceOf({
  description,
  tags,
  language,
  banner_url,
  timezone,
}: Pick<ServerRow, FaceKey>): Pick<Server, FaceKey> {
  return {
    ...(description === null ? {} : { description }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(language === null ? {} : { language }),
    ...(banner_url === null ? {} : { banner_url }),
    ...(timezone === "UTC" ? {} : { timezone }),
  };
}
