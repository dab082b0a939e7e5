import { mentionedName } from "@parley/message-text";
import { type ReactNode, use } from "react";
import { useAppState } from "../../../state/app/use-app.js";
import { nameIn } from "../../../state/people/names.js";
import type { AppState } from "../../../state/store/app-state.js";
import { ProfileTrigger } from "../../profile/profile-trigger.js";
import { useConversation } from "../context.js";
import styles from "./markdown.module.css";
import { type Mentions, MentionsOfText } from "./mentions.js";

/**
 * A mention of the text, if the message counts it.
 *
 * @param run the characters behind the sign, which may be more than the name
 * @param children the text of both
 * @param isInLink whether it is in a link, which no button may be in
 */
export function UserMark({ run, isInLink, children }: { run: string; isInLink: boolean; children?: ReactNode }) {
  const { serverId } = useConversation();
  const mentions = use(MentionsOfText);
  const name = useAppState((state) =>
    serverId === null ? null : mentionedName(run, (each) => isMentioned(state, serverId, mentions, each)),
  );
  const userId = useAppState((state) => (name === null ? undefined : idOf(state, serverId ?? "", mentions, name)));
  const isMe = useAppState((state) => state.me?.id === userId);
  const shown = useAppState((state) => (userId === undefined ? undefined : nameIn(state, serverId, userId)));
  if (name === null) return children;
  return (
    <>
      <Mention userId={isInLink ? undefined : userId} name={name} isMe={isMe}>
        <bdi>{`@${shown ?? name}`}</bdi>
      </Mention>
      {typeof children === "string" ? children.slice("@".length + name.length) : null}
    </>
  );
}

interface MentionProps {
  /** Absent for one without a profile to open. */
  userId: string | undefined;
  name: string;
  isMe: boolean;
  children: ReactNode;
}

function Mention({ userId, name, isMe, children }: MentionProps) {
  const { serverId } = useConversation();
  if (userId === undefined) return <span className={styles.mention}>{children}</span>;
  return (
    <ProfileTrigger userId={userId} serverId={serverId}>
      <button type="button" className={styles.mention} data-me={isMe} title={`@${name}`}>
        {children}
      </button>
    </ProfileTrigger>
  );
}

function isMentioned(state: AppState, serverId: string, mentions: Mentions | null, name: string): boolean {
  if (name === "everyone" || name === "here") return mentions?.[name] ?? true;
  return idOf(state, serverId, mentions, name) !== undefined;
}

/** The account of a name, among those whom the text mentions; before that is known, among the members. */
function idOf(state: AppState, serverId: string, mentions: Mentions | null, name: string): string | undefined {
  const { me, profiles } = state;
  const members = state.members[serverId] ?? {};
  if (mentions === null && me?.username === name) return me.id;
  const usernameOf = (id: string) => (id === me?.id ? me.username : (members[id] ?? profiles[id])?.username);
  return (mentions?.userIds ?? Object.keys(members)).find((id) => usernameOf(id) === name);
}
