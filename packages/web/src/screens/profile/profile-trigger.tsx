import { Popover } from "radix-ui";
import type { ReactElement } from "react";
import { texts } from "../../texts/texts.js";
import { lazyPart } from "../../ui/lazy-part.js";
import { useIsNarrow } from "../../ui/use-media.js";
import styles from "./profile-trigger.module.css";

const ProfileCard = lazyPart(async () => (await import("./profile-card.js")).ProfileCard);

/** Makes its child a button that opens the profile card of a user beside it. */
export function ProfileTrigger({
  userId,
  serverId,
  children,
}: {
  userId: string;
  serverId: string | null;
  children: ReactElement;
}) {
  const isNarrow = useIsNarrow();
  return (
    <Popover.Root>
      <Popover.Trigger asChild>{children}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label={texts.shell.profile.title}
          className={styles.card}
          side={isNarrow ? "bottom" : "left"}
          align="start"
          sideOffset={8}
          collisionPadding={8}
        >
          <ProfileCard userId={userId} serverId={serverId} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
