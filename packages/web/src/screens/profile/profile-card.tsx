import { MessageCircle, Tags } from "lucide-react";
import { useCallback, useEffect } from "react";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { personName } from "../../state/people/bot-name.js";
import { formats, texts } from "../../texts/texts.js";
import { AsyncContent } from "../../ui/data/async-content.js";
import { useData } from "../../ui/data/use-data.js";
import { Button } from "../../ui/look/button.js";
import { Menu } from "../../ui/overlays/menu.js";
import { useModeration, useOpenDirectMessage, useRoleItems } from "../actions/member-actions.js";
import { RelationIcon } from "../relations/relation-icon.js";
import { useRelation } from "../relations/use-relation.js";
import { AccountName } from "./account-name.js";
import { BotTag } from "./bot-tag.js";
import styles from "./profile-card.module.css";
import { UserAvatar } from "./user-avatar.js";

/** The profile of a user, with their roles in a server. */
export function ProfileCard({ userId, serverId }: { userId: string; serverId: string | null }) {
  const labels = texts.shell;
  const { client, details, presence: watch } = useApp();
  const me = useAppState((state) => (state.me?.id === userId ? state.me : null));
  const named = useAppState((state) => state.profiles[userId]);
  const presence = useAppState((state) => state.presence[userId]);
  const member = useAppState((state) => (serverId === null ? undefined : state.members[serverId]?.[userId]));
  const profile = useData(useCallback((signal) => client.users.get(userId, { signal }), [client, userId]));
  const shown = profile.value === null ? null : { ...profile.value, ...me, ...named };
  useEffect(() => {
    void details.readUser(userId, serverId).catch(() => undefined);
    watch.show("card", [userId]);
    return () => watch.show("card", []);
  }, [details, watch, userId, serverId]);
  return (
    <AsyncContent data={{ ...profile, value: shown }} shape="profile">
      {({ username, display_name, avatar_url, bio, pronouns, created_at, status }) => (
        <div className={styles.card} style={{ "--backdrop": "var(--surface-2)" }}>
          <UserAvatar name={username} url={avatar_url} status={presence?.status ?? status} size={64} />
          <h3 className={styles.name}>
            {member?.nickname == null ? (
              <AccountName userId={userId} username={username} />
            ) : (
              <>
                <bdi>{member.nickname}</bdi> <BotTag username={username} />
              </>
            )}
          </h3>
          {member?.nickname == null && display_name === undefined ? null : (
            <p className={styles.muted}>
              <bdi>{`@${username}`}</bdi>
            </p>
          )}
          {pronouns === null ? (
            <p className={`${styles.muted} ${styles.presence}`}>{labels.presence[presence?.status ?? status]}</p>
          ) : (
            <p className={styles.muted}>
              <bdi>{pronouns}</bdi>
            </p>
          )}
          {presence?.custom_status ? (
            <p className={styles.status}>
              <bdi>{presence.custom_status}</bdi>
            </p>
          ) : null}
          {bio === null ? null : (
            <>
              <h4 className={styles.label}>{labels.profile.about}</h4>
              <p className={styles.bio} dir="auto">
                {bio}
              </p>
            </>
          )}
          {member === undefined || member.roles.length === 0 ? null : (
            <>
              <h4 className={styles.label}>{labels.profile.roles}</h4>
              <ul className={styles.roles}>
                {member.roles.map(({ id, name, color }) => (
                  <li key={id} className={styles.role}>
                    <span className={styles.dot} style={{ backgroundColor: color }} />
                    <bdi>{name}</bdi>
                  </li>
                ))}
              </ul>
            </>
          )}
          <p className={styles.muted}>{labels.profile.joined(formats.day(member?.joined_at ?? created_at))}</p>
          {me !== null ? null : <MessageButton userId={userId} />}
          {me !== null ? null : <RelationButtons userId={userId} name={personName({ username, display_name })} />}
          <MemberButtons userId={userId} username={username} serverId={serverId} />
        </div>
      )}
    </AsyncContent>
  );
}

function MessageButton({ userId }: { userId: string }) {
  const open = useOpenDirectMessage(userId);
  return (
    <Button className={styles.message} onClick={open}>
      <MessageCircle size={16} aria-hidden />
      {texts.shell.profile.message}
    </Button>
  );
}

/** Friendship and blocks. */
function RelationButtons({ userId, name }: { userId: string; name: string }) {
  return (
    <div className={styles.buttons}>
      {useRelation(userId, name).map(({ kind, label, danger, run }) => (
        <Button key={kind} kind={danger ? "ask" : "quiet"} onClick={run}>
          <RelationIcon kind={kind} />
          {label}
        </Button>
      ))}
    </div>
  );
}

/** A moderator's actions on the member. */
function MemberButtons({ userId, username, serverId }: { userId: string; username: string; serverId: string | null }) {
  const roles = useRoleItems(userId, serverId);
  const moderation = useModeration(userId, username, serverId);
  if (roles.length === 0 && moderation.length === 0) return null;
  return (
    <div className={styles.buttons}>
      {roles.length === 0 ? null : (
        <Menu
          trigger={
            <Button kind="quiet">
              <Tags size={16} aria-hidden />
              {texts.shell.memberActions.roles}
            </Button>
          }
          items={roles}
        />
      )}
      {moderation.map(({ label, danger, onSelect }) => (
        <Button key={label} kind={danger === true ? "ask" : "quiet"} onClick={onSelect}>
          {label}
        </Button>
      ))}
    </div>
  );
}
