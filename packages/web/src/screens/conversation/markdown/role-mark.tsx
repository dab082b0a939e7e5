import { type ReactNode, use } from "react";
import { holdsRight } from "../../../state/access/permissions.js";
import { useAppState } from "../../../state/app/use-app.js";
import type { AppState } from "../../../state/store/app-state.js";
import { useConversation } from "../context.js";
import styles from "./markdown.module.css";
import { type Mentions, MentionsOfText } from "./mentions.js";

/** Joins names, which have no line breaks, so that the selector's result stays equal. */
const separator = "\n";

/** The names of the roles that the text around the component mentions, the longest first. */
export function useRoleNames(): string[] {
  const { serverId } = useConversation();
  const mentions = use(MentionsOfText);
  const joined = useAppState((state) =>
    rolesOf(state, serverId, mentions)
      .map(({ name }) => name)
      .toSorted((one, other) => other.length - one.length)
      .join(separator),
  );
  return joined === "" ? [] : joined.split(separator);
}

/** Before it is known whom a text mentions, the user may mention these. */
function rolesOf(state: AppState, serverId: string | null, mentions: Mentions | null) {
  if (serverId === null || mentions?.roleIds.length === 0) return [];
  const roles = state.roles[serverId] ?? [];
  if (mentions !== null) return roles.filter(({ id }) => mentions.roleIds.includes(id));
  return holdsRight(state, serverId, "mention_everyone") ? roles : roles.filter(({ mentionable }) => mentionable);
}

/** A mention of a role. */
export function RoleMark({ name, children }: { name: string; children?: ReactNode }) {
  const { serverId } = useConversation();
  const isMine = useAppState(
    ({ me, members }) => members[serverId ?? ""]?.[me?.id ?? ""]?.roles.some((role) => role.name === name) === true,
  );
  return (
    <bdi className={styles.mention} data-me={isMine}>
      {children}
    </bdi>
  );
}
