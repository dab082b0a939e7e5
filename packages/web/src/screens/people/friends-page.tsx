import type { PublicProfile } from "@parley/client";
import { MessageCircle, Users } from "lucide-react";
import { type ReactNode, useEffect, useMemo } from "react";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { personName } from "../../state/people/bot-name.js";
import type { Friend } from "../../state/store/app-state.js";
import { texts } from "../../texts/texts.js";
import { Empty } from "../../ui/data/async-content.js";
import { Skeleton } from "../../ui/data/skeleton.js";
import { Row, Rows } from "../../ui/lists/rows.js";
import { Button } from "../../ui/look/button.js";
import { RowMenu } from "../../ui/overlays/row-menu.js";
import { useOpenDirectMessage } from "../actions/member-actions.js";
import { UserAvatar } from "../profile/user-avatar.js";
import { useFriends, useRelation } from "../relations/use-relation.js";
import { TopBar } from "../shell/top-bar.js";
import { AddFriend } from "./add-friend.js";
import styles from "./friends-page.module.css";

/** Friends, requests for friendship, and whom the user has blocked. */
export function FriendsPage() {
  const labels = texts.people;
  useFriends();
  const { presence } = useApp();
  const friends = useAppState((state) => state.friends);
  const blocks = useAppState((state) => state.blocks);
  const lists = useMemo(() => {
    const of = (kind: Friend["state"]) =>
      byName(Object.values(friends ?? {}).flatMap(({ user, state }) => (state === kind ? [user] : [])));
    const found = { incoming: of("incoming"), outgoing: of("outgoing"), friends: of("friends") };
    return { ...found, isEmpty: Object.values(found).every((users) => users.length === 0) };
  }, [friends]);
  useEffect(() => {
    presence.show(
      "friends",
      lists.friends.map(({ id }) => id),
    );
    return () => presence.show("friends", []);
  }, [lists, presence]);
  return (
    <>
      <TopBar title={labels.title} icon={<Users size={20} aria-hidden />} />
      <div className={styles.page}>
        <p className={styles.explanation}>{labels.explanation}</p>
        {friends === null || blocks === null ? (
          <Skeleton shape="members" />
        ) : (
          <>
            <AddFriend />
            {lists.isEmpty && Object.keys(blocks).length === 0 ? <Empty>{labels.noFriends}</Empty> : null}
            <Part title={labels.incoming} users={lists.incoming}>
              {(user) => <Asker key={user.id} user={user} />}
            </Part>
            <Part title={labels.friends} users={lists.friends}>
              {(user) => <FriendRow key={user.id} user={user} />}
            </Part>
            <Part title={labels.outgoing} users={lists.outgoing}>
              {(user) => <OneButton key={user.id} user={user} kind="takeBack" label={labels.takeBackOf} />}
            </Part>
            <Part title={labels.blocked} users={byName(Object.values(blocks))}>
              {(user) => <OneButton key={user.id} user={user} kind="unblock" label={labels.unblockOf} />}
            </Part>
          </>
        )}
      </div>
    </>
  );
}

const byName = (users: readonly PublicProfile[]) => users.toSorted((a, b) => (a.username < b.username ? -1 : 1));

function Part({
  title,
  users,
  children,
}: {
  title: string;
  users: readonly PublicProfile[];
  children: (user: PublicProfile) => ReactNode;
}) {
  if (users.length === 0) return null;
  return (
    <section className={styles.part}>
      <h2 className={styles.title}>{title}</h2>
      <Rows label={title}>{users.map(children)}</Rows>
    </section>
  );
}

function Person({ user, actions }: { user: PublicProfile; actions: ReactNode }) {
  const presence = useAppState((state) => state.presence[user.id]);
  return (
    <Row
      picture={<UserAvatar name={user.username} url={user.avatar_url} status={presence?.status} size={36} />}
      title={<bdi>{personName(user)}</bdi>}
      detail={presence?.custom_status ? <bdi>{presence.custom_status}</bdi> : undefined}
      actions={actions}
    />
  );
}

/** Somebody who asks for friendship. */
function Asker({ user }: { user: PublicProfile }) {
  const labels = texts.people;
  const name = personName(user);
  const actions = useRelation(user.id, name);
  const of = (kind: string) => actions.find((action) => action.kind === kind);
  return (
    <Person
      user={user}
      actions={
        <>
          <Button aria-label={labels.acceptOf(name)} onClick={of("accept")?.run}>
            {labels.accept}
          </Button>
          <Button kind="quiet" aria-label={labels.refuseOf(name)} onClick={of("refuse")?.run}>
            {labels.refuse}
          </Button>
          <Rest actions={actions.filter(({ kind }) => kind === "block")} name={name} />
        </>
      }
    />
  );
}

function FriendRow({ user }: { user: PublicProfile }) {
  const name = personName(user);
  const actions = useRelation(user.id, name);
  const open = useOpenDirectMessage(user.id);
  return (
    <Person
      user={user}
      actions={
        <>
          <Button kind="quiet" aria-label={texts.people.messageTo(name)} onClick={open}>
            <MessageCircle size={16} aria-hidden />
            {texts.shell.profile.message}
          </Button>
          <Rest actions={actions} name={name} />
        </>
      }
    />
  );
}

function OneButton({
  user,
  kind,
  label,
}: {
  user: PublicProfile;
  kind: "takeBack" | "unblock";
  label: (name: string) => string;
}) {
  const name = personName(user);
  const action = useRelation(user.id, name).find((one) => one.kind === kind);
  return (
    <Person
      user={user}
      actions={
        <Button kind="quiet" aria-label={label(name)} onClick={action?.run}>
          {texts.people[kind]}
        </Button>
      }
    />
  );
}

function Rest({ actions, name }: { actions: ReturnType<typeof useRelation>; name: string }) {
  return <RowMenu name={name} actions={actions.map(({ label, danger, run }) => ({ label, danger, onSelect: run }))} />;
}
