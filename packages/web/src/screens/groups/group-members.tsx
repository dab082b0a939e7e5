import type { GroupChannel, OtherUser } from "@parley/client";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { personName } from "../../state/people/bot-name.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { useAction } from "../../ui/data/use-action.js";
import { Row, Rows, Tag } from "../../ui/lists/rows.js";
import { Button } from "../../ui/look/button.js";
import { UserAvatar } from "../profile/user-avatar.js";

/** The members of a group; its owner can remove the others. */
export function GroupMembers({ group }: { group: GroupChannel }) {
  const labels = texts.groups;
  const { client } = useApp();
  const me = useAppState((state) => state.me);
  const remove = useAction((userId: string) => client.directMessages.removeFromGroup(group.id, userId));
  if (me === null) return null;
  const isOwner = me.id === group.owner_id;
  const others = group.recipients.filter(({ id }) => id !== me.id);
  return (
    <>
      <Rows label={labels.members}>
        <Person user={me} name={labels.you(personName(me))} isOwner={isOwner} />
        {others.map((user) => {
          const name = personName(user);
          const onRemove = isOwner ? () => void remove.run(user.id) : null;
          return (
            <Person key={user.id} user={user} name={name} isOwner={user.id === group.owner_id} onRemove={onRemove} />
          );
        })}
      </Rows>
      <ErrorNote error={remove.error} />
    </>
  );
}

function Person({
  user,
  name,
  isOwner,
  onRemove = null,
}: {
  user: Pick<OtherUser, "id" | "username" | "avatar_url">;
  name: string;
  isOwner: boolean;
  onRemove?: (() => void) | null;
}) {
  const labels = texts.groups;
  const presence = useAppState((state) => state.presence[user.id]);
  return (
    <Row
      picture={<UserAvatar name={user.username} url={user.avatar_url} status={presence?.status} size={36} />}
      title={
        <>
          <bdi>{name}</bdi> {isOwner ? <Tag>{labels.owner}</Tag> : null}
        </>
      }
      actions={
        onRemove === null ? undefined : (
          <Button kind="quiet" aria-label={labels.remove(name)} onClick={onRemove}>
            {labels.removeShort}
          </Button>
        )
      }
    />
  );
}
