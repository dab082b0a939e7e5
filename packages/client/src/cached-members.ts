import type { Member, MessageAuthor } from "./generated/index.js";

/**
 * A member as the cache has it. Keys that only whole members have are null where the cache has seen the member only as
 * the author of a message.
 */
export interface CachedMember {
  /** Id of the account. */
  readonly user_id: string;
  /** Name of the account. */
  readonly username: string;
  /** Name in this server. */
  readonly nickname: string | null;
  /** Picture of the account. */
  readonly avatar_url: string | null;
  /** Whether it is a bot. */
  readonly is_bot: boolean;
  /** When they joined. */
  readonly joined_at: string | null;
  /** Until when they may not write; it may be over. */
  readonly timeout_expires_at: string | null;
  /** Ids of their roles, in no order. */
  readonly role_ids: readonly string[] | null;
}

/** The cached part of a member: without presence, as many connections do not get it. */
export function asCached({
  user_id,
  username,
  nickname,
  avatar_url,
  is_bot,
  joined_at,
  timeout_expires_at,
  roles,
}: Member): CachedMember {
  const role_ids = roles.map(({ id }) => id);
  return { user_id, username, nickname, avatar_url, is_bot: is_bot === true, joined_at, timeout_expires_at, role_ids };
}

/** The member that the author of a message shows, merged with the known one. */
export function withAuthor(known: CachedMember | null, { id, is_bot, ...names }: MessageAuthor): CachedMember {
  const nothing = { joined_at: null, timeout_expires_at: null, role_ids: null };
  return { ...(known ?? nothing), ...names, user_id: id, is_bot: is_bot === true };
}

/** Members of all servers, at most so many: of more, those are dropped that were not seen or looked up the longest. */
export class CachedMembers {
  readonly #max: number;
  /** In the order in which they were used, by server and user. */
  readonly #members = new Map<string, CachedMember>();

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#members.size;
  }

  get(serverId: string, userId: string): CachedMember | null {
    const key = keyOf(serverId, userId);
    const member = this.#members.get(key);
    if (member === undefined) return null;
    this.#members.delete(key);
    this.#members.set(key, member);
    return member;
  }

  set(serverId: string, member: CachedMember): void {
    const key = keyOf(serverId, member.user_id);
    this.#members.delete(key);
    this.#members.set(key, member);
    for (const oldest of this.#members.keys()) {
      if (this.#members.size <= this.#max) return;
      this.#members.delete(oldest);
    }
  }

  /** Changes a cached member; it does not count as a use. */
  change(serverId: string, userId: string, change: (member: CachedMember) => CachedMember): void {
    const key = keyOf(serverId, userId);
    const member = this.#members.get(key);
    if (member !== undefined) this.#members.set(key, change(member));
  }

  /** Changes all members of a server. */
  changeAll(serverId: string, change: (member: CachedMember) => CachedMember): void {
    for (const [key, member] of this.#members) {
      if (key.startsWith(serverId)) this.#members.set(key, change(member));
    }
  }

  delete(serverId: string, userId: string): void {
    this.#members.delete(keyOf(serverId, userId));
  }

  deleteServer(serverId: string): void {
    for (const key of this.#members.keys()) if (key.startsWith(serverId)) this.#members.delete(key);
  }
}

const keyOf = (serverId: string, userId: string) => `${serverId} ${userId}`;
