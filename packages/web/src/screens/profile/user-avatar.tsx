import type { PresenceStatus } from "@parley/client";
import { Avatar } from "../../ui/look/avatar.js";
import styles from "./user-avatar.module.css";

/** A user's picture with a mark of their status. It has no text alternative: the text beside it must have both. */
export function UserAvatar({
  name,
  url,
  status,
  size = 32,
}: {
  name: string;
  url: string | null;
  status?: PresenceStatus | undefined;
  size?: number;
}) {
  return (
    <span className={styles.frame} style={{ width: size, height: size }}>
      <Avatar name={name} url={url} size={size} />
      {status === undefined ? null : <span className={styles.status} data-status={status} />}
    </span>
  );
}
