import type { ReactionCount, Reactor } from "@parley/client";
import { X } from "lucide-react";
import { useCallback, useState } from "react";
import { mayInChannel } from "../../../state/access/permissions.js";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import { useGatewayEvent } from "../../../state/app/use-gateway-event.js";
import { texts } from "../../../texts/texts.js";
import { AsyncContent, Empty, ErrorNote } from "../../../ui/data/async-content.js";
import { useAction } from "../../../ui/data/use-action.js";
import { useData } from "../../../ui/data/use-data.js";
import { ListRows } from "../../../ui/lists/async-rows.js";
import { Row } from "../../../ui/lists/rows.js";
import { Avatar } from "../../../ui/look/avatar.js";
import { IconButton } from "../../../ui/look/button.js";
import { ConfirmButton } from "../../../ui/overlays/confirm.js";
import { Actions, Dialog } from "../../../ui/overlays/dialog.js";
import { useMemberName } from "../../profile/use-member-name.js";
import reactionStyles from "./reactions.module.css";
import { useReactionEmoji } from "./use-reaction-emoji.js";
import type { ReactionOf } from "./who-reacted.js";

/** A page is short: members of whom the page knows nothing are read one by one. */
const pageSize = 25;
const noReactions: readonly ReactionCount[] = [];

/** The users who reacted to a message, by emoji; moderators remove reactions there. */
export function ReactionsDialog({
  emoji: first,
  onClose,
  ...message
}: Omit<ReactionOf, "reaction"> & { emoji: string | null; onClose: () => void }) {
  const labels = texts.conversation.reactors;
  const { channelId, messageId } = message;
  const { client } = useApp();
  const list = useAppState(({ reactions }) => reactions[messageId] ?? noReactions);
  const mayManage = useAppState((state) => mayInChannel(state, channelId, "MANAGE_MESSAGES"));
  const [chosen, choose] = useState(first);
  const reaction = list.find(({ emoji }) => emoji === chosen) ?? list[0];
  return (
    <Dialog open onOpenChange={onClose} title={labels.title}>
      {reaction === undefined ? (
        <Empty>{labels.none}</Empty>
      ) : (
        <>
          <fieldset className={reactionStyles.choices} aria-label={labels.emoji}>
            {list.map((one) => (
              <Choice
                key={one.emoji}
                reaction={one}
                serverId={message.serverId}
                isChosen={one.emoji === reaction.emoji}
                onChoose={() => choose(one.emoji)}
              />
            ))}
          </fieldset>
          <People key={reaction.emoji} of={{ ...message, reaction }} mayManage={mayManage} />
          {mayManage ? (
            <Actions>
              <ConfirmButton
                label={labels.removeAll}
                title={labels.removeAllTitle}
                explanation={labels.removeAllExplanation}
                onConfirm={() => client.reactions.removeAll(channelId, messageId)}
              />
            </Actions>
          ) : null}
        </>
      )}
    </Dialog>
  );
}

function Choice({
  reaction: { emoji, count, me },
  serverId,
  isChosen,
  onChoose,
}: {
  reaction: ReactionCount;
  serverId: string;
  isChosen: boolean;
  onChoose: () => void;
}) {
  const { name, url } = useReactionEmoji(emoji, serverId);
  return (
    <button
      type="button"
      className={reactionStyles.reaction}
      aria-pressed={isChosen}
      aria-label={texts.conversation.reaction(name, count, me)}
      title={name}
      onClick={onChoose}
    >
      {url === null ? (
        <bdi className={reactionStyles.emoji}>{emoji}</bdi>
      ) : (
        <img className={reactionStyles.image} src={url} alt="" />
      )}
      <span>{count}</span>
    </button>
  );
}

/** Those who reacted with one emoji, in the order of reacting. */
function People({ of, mayManage }: { of: ReactionOf; mayManage: boolean }) {
  const labels = texts.conversation.reactors;
  const { client, details } = useApp();
  const { channelId, messageId, serverId, reaction } = of;
  const { emoji } = reaction;
  const read = useCallback(
    (signal: AbortSignal | undefined, after?: string) =>
      client.reactions.listUsers(
        channelId,
        messageId,
        emoji,
        { limit: pageSize, ...(after === undefined ? {} : { after }) },
        signal === undefined ? {} : { signal },
      ),
    [client, channelId, messageId, emoji],
  );
  const people = useData(useCallback((signal: AbortSignal) => read(signal), [read]));
  const more = useAction(({ id }: Reactor) =>
    people.extend(async () => {
      const page = await read(undefined, id);
      return (all) => [...all, ...page];
    }),
  );
  const isThis = (event: { message_id: string; emoji: string }) =>
    event.message_id === messageId && event.emoji === emoji;
  useGatewayEvent("REACTION_ADD", (event) => {
    if (isThis(event)) void people.reload();
  });
  useGatewayEvent("REACTION_REMOVE", (event) => {
    if (isThis(event)) people.set((all) => all.filter(({ id }) => id !== event.user_id));
  });
  const myId = useAppState(({ me }) => me?.id);
  const remove = useAction((userId: string) =>
    userId === myId
      ? details.react(channelId, messageId, emoji, false)
      : client.reactions.removeOfUser(channelId, messageId, emoji, userId),
  );
  return (
    <>
      <AsyncContent data={people} shape="rows">
        {(all) => (
          <ListRows
            items={all}
            label={labels.people}
            empty={labels.none}
            {...(all.length < reaction.count ? { more: { label: labels.more, action: more } } : {})}
          >
            {(person) => (
              <Person
                key={person.id}
                person={person}
                serverId={serverId}
                {...(mayManage || person.id === myId ? { onRemove: () => void remove.run(person.id) } : {})}
              />
            )}
          </ListRows>
        )}
      </AsyncContent>
      <ErrorNote error={remove.error} />
    </>
  );
}

function Person({
  person: { id, username, avatar_url },
  serverId,
  onRemove,
}: {
  person: Reactor;
  serverId: string;
  onRemove?: () => void;
}) {
  const name = useMemberName({ userId: id, username }, serverId);
  return (
    <Row
      picture={<Avatar name={username} url={avatar_url} size={36} />}
      title={<bdi>{name}</bdi>}
      {...(name === username ? {} : { detail: <bdi>{`@${username}`}</bdi> })}
      {...(onRemove === undefined
        ? {}
        : {
            actions: (
              <IconButton label={texts.conversation.reactors.remove(name)} onClick={onRemove}>
                <X size={18} aria-hidden />
              </IconButton>
            ),
          })}
    />
  );
}
