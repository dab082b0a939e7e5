import { ChevronDown, LogOut, Plus, Settings, UserPlus } from "lucide-react";
import { useCallback, useState } from "react";
import { useLocation } from "wouter";
import { mayInServer } from "../../state/permissions.js";
import { usePage, usePageState } from "../../state/use-page.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/async-content.js";
import { Button } from "../../ui/button.js";
import { Actions, Dialog } from "../../ui/dialog.js";
import { Menu } from "../../ui/menu.js";
import { useAction } from "../../ui/use-action.js";
import { InviteDialog } from "./invite-dialog.js";
import styles from "./server-menu.module.css";

/** The name of a server, with the menu of its actions. */
export function ServerMenu({ serverId, onCreateChannel }: { serverId: string; onCreateChannel: () => void }) {
  const names = texts.shell;
  const { servers } = usePage();
  const server = usePageState((state) => state.servers.find(({ id }) => id === serverId));
  const isOwner = usePageState((state) => server?.owner_id === state.me?.id);
  const mayInvite = usePageState((state) => mayInServer(state, serverId, "CREATE_INVITES"));
  const mayCreate = usePageState((state) => mayInServer(state, serverId, "MANAGE_CHANNELS"));
  const [, navigate] = useLocation();
  const [isInviting, setInviting] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const leave = useAction(useCallback(() => servers.leave(serverId), [servers, serverId]));
  if (server === undefined) return null;
  return (
    <header className={styles.header}>
      <Menu
        trigger={
          <button type="button" className={styles.trigger} aria-label={names.serverMenu(server.name)}>
            <bdi className={styles.name}>{server.name}</bdi>
            <ChevronDown size={18} aria-hidden />
          </button>
        }
        items={[
          mayInvite
            ? { label: names.invitePeople, icon: <UserPlus size={16} aria-hidden />, onSelect: () => setInviting(true) }
            : null,
          mayCreate
            ? { label: names.createChannel, icon: <Plus size={16} aria-hidden />, onSelect: onCreateChannel }
            : null,
          {
            label: names.settings,
            icon: <Settings size={16} aria-hidden />,
            onSelect: () => navigate(`/servers/${serverId}/settings`),
          },
          isOwner
            ? null
            : {
                label: names.leave,
                icon: <LogOut size={16} aria-hidden />,
                danger: true,
                onSelect: () => setLeaving(true),
              },
        ]}
      />
      <InviteDialog server={server} open={isInviting} onOpenChange={setInviting} />
      <Dialog open={isLeaving} onOpenChange={setLeaving} title={names.leave} description={names.leaveExplanation}>
        <ErrorNote error={leave.error} />
        <Actions>
          <Button kind="quiet" onClick={() => setLeaving(false)}>
            {texts.common.cancel}
          </Button>
          <Button
            kind="danger"
            disabled={leave.isBusy}
            onClick={async () => {
              if (await leave.run()) navigate("/");
            }}
          >
            {names.leave}
          </Button>
        </Actions>
      </Dialog>
    </header>
  );
}
