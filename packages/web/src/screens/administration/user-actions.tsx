import type { AdminUpdateUserBody, AdminUser, ParleyClient } from "@parley/client";
import { useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { useAction } from "../../ui/data/use-action.js";
import { Secret } from "../../ui/look/secret.js";
import { Dialog } from "../../ui/overlays/dialog.js";
import { type RowAction, RowMenu } from "../../ui/overlays/row-menu.js";
import { QuotaDialog } from "./quota-dialog.js";

/** Actions of an administrator on an account. `onChange` gets the changed account, null after its deletion. */
export function UserActions({
  user,
  isOwn,
  onChange,
}: {
  user: AdminUser;
  /** Whether it is the administrator's own account; the server refuses most changes of it. */
  isOwn: boolean;
  onChange: (change: AdminUser | null) => void;
}) {
  const { client } = useApp();
  const labels = texts.administration.users;
  const { email } = user;
  const [isSizing, setSizing] = useState(false);
  const [token, setToken] = useState<string | null>(null);
  const enable = useAction(async () => onChange(await client.admin.updateUser(user.id, { disabled: false })));
  const issue = useAction(async (address: string) =>
    setToken((await client.auth.forgotPassword({ email: address })).token),
  );
  const reset = email === null ? null : { label: labels.reset, onSelect: () => void issue.run(email) };
  const quota = { label: labels.quota, onSelect: () => setSizing(true) };
  return (
    <>
      <ErrorNote error={enable.error ?? issue.error} />
      <RowMenu
        name={user.username}
        actions={isOwn ? [reset, quota] : [reset, quota, ...changes(user, client, () => void enable.run(), onChange)]}
      />
      <Dialog open={token !== null} onOpenChange={() => setToken(null)} title={labels.resetTitle(user.username)}>
        <Secret label={labels.resetToken} hint={labels.resetHint} value={token ?? ""} />
      </Dialog>
      {isSizing ? (
        <QuotaDialog
          name={user.username}
          quota={user.quota}
          onSave={async (bytes) => onChange(await client.admin.updateUser(user.id, { quota: bytes }))}
          onClose={() => setSizing(false)}
        />
      ) : null}
    </>
  );
}

/** The changes of an account, the dangerous last. */
function changes(
  { id, username, is_admin, disabled }: AdminUser,
  client: ParleyClient,
  enable: () => void,
  onChange: (change: AdminUser | null) => void,
): RowAction[] {
  const labels = texts.administration.users;
  const update = (body: AdminUpdateUserBody) => async () => onChange(await client.admin.updateUser(id, body));
  return [
    is_admin
      ? {
          label: labels.demote,
          question: {
            title: labels.demoteTitle(username),
            explanation: labels.demoteExplanation,
            onConfirm: update({ is_admin: false }),
          },
        }
      : {
          label: labels.promote,
          question: {
            title: labels.promoteTitle(username),
            explanation: labels.promoteExplanation,
            onConfirm: update({ is_admin: true }),
          },
        },
    disabled
      ? { label: labels.enable, onSelect: enable }
      : {
          label: labels.disable,
          danger: true,
          question: {
            title: labels.disableTitle(username),
            explanation: labels.disableExplanation,
            onConfirm: update({ disabled: true }),
          },
        },
    {
      label: labels.delete,
      danger: true,
      question: {
        title: labels.deleteTitle(username),
        explanation: labels.deleteExplanation,
        onConfirm: async () => {
          await client.admin.deleteUser(id);
          onChange(null);
        },
      },
    },
  ];
}
