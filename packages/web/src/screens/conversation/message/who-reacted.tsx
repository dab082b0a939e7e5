import type { ReactionCount, Reactor } from "@parley/client";
import { cloneElement, type ReactElement, useEffect, useState } from "react";
import { useShallow } from "zustand/react/shallow";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import { personName } from "../../../state/people/bot-name.js";
import { nameIn } from "../../../state/people/names.js";
import { formats } from "../../../texts/texts.js";
import { showNumber } from "../../../ui/look/show.js";
import { useMedia } from "../../../ui/look/use-media.js";
import type { TriggerProps } from "../../../ui/overlays/first-trigger.js";
import { Tooltip } from "../../../ui/overlays/tooltip.js";
import { useContextMenu } from "../../../ui/overlays/use-context-menu.js";
import { useOpenDialog } from "../../actions/open-dialog.js";
import styles from "./who-reacted.module.css";

/** People whom the tooltip names. */
const namedMax = 10;
/** How long the pointer rests before the page requests the users. */
const restMs = 250;

/** A reaction to a message of a server. */
export interface ReactionOf {
  channelId: string;
  messageId: string;
  serverId: string;
  reaction: ReactionCount;
}

/**
 * Makes its child, the button of a reaction, show the users who reacted: in a tooltip while it has the pointer or the
 * focus, and in a dialog by the right mouse button, the menu key and a finger that rests on it.
 */
export function WhoReacted({
  of,
  name,
  children,
}: {
  of: ReactionOf;
  name: string;
  children: ReactElement<TriggerProps>;
}) {
  const [isOpen, setOpen] = useState(false);
  const { position, close, handlers } = useContextMenu();
  const open = useOpenDialog((dialogs) => dialogs.open);
  const { channelId, messageId, serverId } = of;
  const { emoji } = of.reaction;
  const isAsked = position !== null;
  useEffect(() => {
    if (!isAsked) return;
    close();
    setOpen(false);
    open({ kind: "reactions", channelId, messageId, serverId, emoji });
  }, [isAsked, close, open, channelId, messageId, serverId, emoji]);
  const names = useNames(of, isOpen);
  // A finger does not open it, and a device with nothing else does not load its script.
  if (!useMedia("(any-hover: hover)")) return cloneElement(children, handlers);
  return (
    <Tooltip
      trigger={children}
      handlers={handlers}
      restMs={restMs}
      open={isOpen}
      onOpenChange={setOpen}
      className={styles.tooltip}
    >
      <bdi className={styles.emoji}>{name}</bdi>
      <bdi>{names}</bdi>
    </Tooltip>
  );
}

/** The first who reacted, and how many others did; read while it is wanted. */
function useNames({ channelId, messageId, serverId, reaction: { emoji, count } }: ReactionOf, isWanted: boolean) {
  const { client } = useApp();
  const [people, setPeople] = useState<readonly Reactor[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another number means that they are others.
  useEffect(() => {
    if (!isWanted) return;
    const stop = new AbortController();
    client.reactions
      .listUsers(channelId, messageId, emoji, { limit: namedMax }, { signal: stop.signal })
      .then(setPeople, () => undefined);
    return () => stop.abort();
  }, [client, channelId, messageId, emoji, count, isWanted]);
  const names = useAppState(
    useShallow((state) => people.map((person) => nameIn(state, serverId, person.id) ?? personName(person))),
  );
  const others = count - names.length;
  return names.length === 0 ? "…" : formats.list(others > 0 ? [...names, `+${showNumber(others)}`] : names);
}
