import { UserPen } from "lucide-react";
import { mayRename } from "../../state/access/moderation.js";
import { useAppState } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import type { MenuItem } from "../../ui/overlays/menu.js";
import { useOpenDialog } from "./open-dialog.js";

/** Changing a nickname, where the user may: their own, and those of members below them. */
export function useNicknameItem(userId: string | undefined, serverId: string | null): MenuItem | null {
  const mayChange = useAppState(
    (state) => serverId !== null && userId !== undefined && mayRename(state, serverId, userId),
  );
  const open = useOpenDialog((dialogs) => dialogs.open);
  if (serverId === null || userId === undefined || !mayChange) return null;
  return {
    label: texts.shell.nickname.change,
    icon: <UserPen size={16} aria-hidden />,
    onSelect: () => open({ kind: "nickname", serverId, userId }),
  };
}
