import type { PresenceStatus } from "@parley/client";
import { Keyboard, LogOut, Settings, Shield, Smile } from "lucide-react";
import { useCallback, useState } from "react";
import { useLocation } from "wouter";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { personName } from "../../state/people/bot-name.js";
import { createTurns } from "../../state/platform/turns.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { onForm, textOf, textOrNull } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { Choice, TextField } from "../../ui/forms/field.js";
import { Button, IconButton } from "../../ui/look/button.js";
import { showTime } from "../../ui/look/show.js";
import { Actions, Dialog } from "../../ui/overlays/dialog.js";
import { Menu } from "../../ui/overlays/menu.js";
import { DurationOptions } from "../actions/durations.js";
import { useOpenDialog } from "../actions/open-dialog.js";
import { useWaitingRegistrations, WaitingBadge } from "../actions/waiting-badge.js";
import { UserAvatar } from "../profile/user-avatar.js";
import styles from "./own-panel.module.css";

/** After which a status may end by itself. */
const statusSeconds = [1_800, 3_600, 14_400, 86_400, 604_800];

const statuses: readonly PresenceStatus[] = ["online", "away", "dnd", "offline"];

/** The logged-in user, with the status and a link to the settings. */
export function OwnPanel() {
  const labels = texts.shell;
  const { client, logOut } = useApp();
  const me = useAppState((state) => state.me);
  // Automatic absence is no choice, which the account itself would have.
  const status = useAppState(({ me: own, presence }) =>
    own === null ? "offline" : (presence[own.id]?.status ?? own.status),
  );
  const waiting = useWaitingRegistrations();
  const [, navigate] = useLocation();
  const open = useOpenDialog((dialogs) => dialogs.open);
  const [isEditing, setEditing] = useState(false);
  // The menu can be opened again before the answer for the status that was chosen first.
  const [inTurn] = useState(createTurns);
  const change = useAction(
    useCallback(
      (body: { status?: PresenceStatus; custom_status?: string | null; status_expires_at?: string | null }) =>
        inTurn("me", () => client.users.updateMe(body)),
      [client, inTurn],
    ),
  );
  if (me === null) return <div className={styles.panel} />;
  return (
    <section className={styles.panel} aria-label={labels.you}>
      <Menu
        trigger={
          <button type="button" className={styles.me}>
            <UserAvatar name={me.username} url={me.avatar_url} status={status} size={34} />
            <span className={styles.lines}>
              <bdi className={styles.name}>{personName(me)}</bdi>
              <bdi className={styles.text}>{me.custom_status ?? labels.status[status]}</bdi>
            </span>
            {me.custom_status === null ? null : <span className="visually-hidden">, {labels.status[status]}</span>}
            <WaitingBadge count={waiting} />
          </button>
        }
        items={[
          ...statuses.map((status) => ({
            label: labels.status[status],
            icon: <span className={styles.dot} data-status={status} />,
            onSelect: () => void change.run({ status }),
          })),
          { label: labels.setStatus, icon: <Smile size={16} aria-hidden />, onSelect: () => setEditing(true) },
          {
            label: labels.shortcuts.title,
            icon: <Keyboard size={16} aria-hidden />,
            onSelect: () => open({ kind: "shortcuts" }),
          },
          me.is_admin
            ? {
                label: labels.administration,
                icon: <Shield size={16} aria-hidden />,
                onSelect: () => navigate("/admin"),
              }
            : null,
          {
            label: labels.logOut,
            icon: <LogOut size={16} aria-hidden />,
            danger: true,
            onSelect: () => void logOut().catch(() => undefined),
          },
        ]}
      />
      <IconButton label={labels.accountSettings} onClick={() => navigate("/account")}>
        <Settings size={18} aria-hidden />
      </IconButton>
      <Dialog open={isEditing} onOpenChange={setEditing} title={labels.setStatus}>
        <form
          onSubmit={onForm(async (form) => {
            const custom_status = textOrNull(form, "text");
            const seconds = Number(textOf(form, "seconds"));
            const ends = seconds === 0 || custom_status === null ? null : new Date(Date.now() + seconds * 1_000);
            const status_expires_at = ends?.toISOString() ?? null;
            if (await change.run({ custom_status, status_expires_at })) setEditing(false);
          })}
        >
          <TextField
            label={labels.statusText}
            name="text"
            hint={labels.statusHint}
            maxLength={128}
            defaultValue={me.custom_status ?? ""}
            autoFocus
          />
          <Choice
            label={labels.statusUntil}
            hint={me.status_expires_at == null ? undefined : labels.statusEnds(showTime(me.status_expires_at))}
            name="seconds"
            defaultValue={0}
          >
            <option value={0}>{labels.statusStays}</option>
            <DurationOptions seconds={statusSeconds} />
          </Choice>
          <ErrorNote error={change.error} />
          <Actions>
            <Button type="submit" disabled={change.isBusy}>
              {texts.common.save}
            </Button>
          </Actions>
        </form>
      </Dialog>
    </section>
  );
}
