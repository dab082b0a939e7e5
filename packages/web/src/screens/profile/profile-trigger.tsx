import { type ReactElement, useState } from "react";
import { useAppState } from "../../state/app/use-app.js";
import { nameIn } from "../../state/people/names.js";
import { direction, texts } from "../../texts/texts.js";
import { useIsNarrow } from "../../ui/look/use-media.js";
import { ContextMenu } from "../../ui/overlays/context-menu.js";
import type { TriggerProps } from "../../ui/overlays/first-trigger.js";
import { Popover } from "../../ui/overlays/popover.js";
import { type MenuPosition, useContextMenu } from "../../ui/overlays/use-context-menu.js";
import { lazyPart } from "../../ui/page/lazy-part.js";
import { useMemberActions } from "../actions/member-actions.js";
import styles from "./profile-trigger.module.css";

const ProfileCard = lazyPart(async () => (await import("./profile-card.js")).ProfileCard);

/** Makes its child a button that opens the profile card of a user beside it, and has their context menu. */
export function ProfileTrigger({
  userId,
  serverId,
  children,
}: {
  userId: string;
  serverId: string | null;
  children: ReactElement<TriggerProps>;
}) {
  const isNarrow = useIsNarrow();
  const menu = useContextMenu();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Popover
        trigger={children}
        handlers={menu.handlers}
        open={isOpen}
        onOpenChange={setOpen}
        label={texts.shell.profile.title}
        className={styles.card}
        side={isNarrow ? "bottom" : direction === "ltr" ? "left" : "right"}
        align="start"
        sideOffset={8}
      >
        <ProfileCard userId={userId} serverId={serverId} />
      </Popover>
      {menu.position === null ? null : (
        <MemberMenu userId={userId} serverId={serverId} position={menu.position} onClose={menu.close} />
      )}
    </>
  );
}

function MemberMenu({
  userId,
  serverId,
  position,
  onClose,
}: {
  userId: string;
  serverId: string | null;
  position: MenuPosition;
  onClose: () => void;
}) {
  const name = useAppState((state) => nameIn(state, serverId, userId) ?? "");
  const items = useMemberActions(userId, serverId);
  return <ContextMenu position={position} label={texts.shell.memberMenu(name)} items={items} onClose={onClose} />;
}
