import { useCallback } from "react";
import { useShallow } from "zustand/react/shallow";
import { invitedRoles } from "../../state/access/moderation.js";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { useGatewayEvent } from "../../state/app/use-gateway-event.js";
import { formats, texts } from "../../texts/texts.js";
import { numberOrNull } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { ActionForm } from "../../ui/forms/action-form.js";
import { Checkbox, TextField } from "../../ui/forms/field.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { AsyncRows } from "../../ui/lists/async-rows.js";
import { Row, Tag } from "../../ui/lists/rows.js";
import { Button } from "../../ui/look/button.js";
import { showTime } from "../../ui/look/show.js";
import { RowMenu } from "../../ui/overlays/row-menu.js";
import type { ServerSectionProps } from "./section-props.js";
import styles from "./server-settings.module.css";
import { VanityPanel } from "./vanity.js";

/** The invites of the server, newest first. */
export function InvitesSection({ server, isOwner }: ServerSectionProps) {
  const { client } = useApp();
  const labels = texts.serverSettings.invites;
  const invites = useData(useCallback((signal) => client.invites.list(server.id, { signal }), [client, server.id]));
  const offered = useAppState(useShallow((state) => invitedRoles(state, server.id)));
  const roles = useAppState((state) => state.roles[server.id]) ?? [];
  const namesOf = (ids: readonly string[]) => roles.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
  const create = useAction(async (form: FormData) => {
    const maxUses = numberOrNull(form, "max_uses");
    const hours = numberOrNull(form, "hours");
    const roleIds = form.getAll("role").map(String);
    await client.invites.create(server.id, {
      ...(maxUses === null ? {} : { max_uses: maxUses }),
      ...(hours === null ? {} : { expires_in_hours: hours }),
      ...(roleIds.length === 0 ? {} : { role_ids: roleIds }),
    });
  });
  useGatewayEvent("INVITE_CREATE", (invite) => {
    if (invite.server_id === server.id) invites.set((all) => [invite, ...all.filter(({ id }) => id !== invite.id)]);
  });
  useGatewayEvent("INVITE_DELETE", ({ invite_id }) => invites.set((all) => all.filter(({ id }) => id !== invite_id)));
  return (
    <>
      <Panel title={labels.create}>
        <ActionForm action={create} submit={labels.create}>
          <div className={styles.columns}>
            <TextField label={labels.maxUses} name="max_uses" type="number" min={1} hint={labels.unlimited} />
            <TextField label={labels.hours} name="hours" type="number" min={1} max={720} hint={labels.unlimited} />
          </div>
          {offered.length === 0 ? null : (
            <fieldset className={styles.boxes}>
              <legend>{labels.roles}</legend>
              {offered.map(({ id, name }) => (
                <Checkbox key={id} label={name} name="role" value={id} />
              ))}
            </fieldset>
          )}
        </ActionForm>
      </Panel>
      {isOwner && invites.value !== null ? (
        <VanityPanel
          serverId={server.id}
          vanity={invites.value.find(({ vanity }) => vanity === true) ?? null}
          onChange={(chosen) =>
            invites.set((all) => [
              ...(chosen === null ? [] : [chosen]),
              ...all.filter(({ id, vanity }) => vanity !== true && id !== chosen?.id),
            ])
          }
        />
      ) : null}
      <AsyncRows data={invites} label={labels.title} empty={labels.none}>
        {(invite) => (
          <Row
            key={invite.id}
            title={
              <>
                {`${location.origin}/app/invite/${invite.code}`}
                {invite.vanity === true ? <Tag>{texts.serverSettings.vanity.tag}</Tag> : null}
              </>
            }
            detail={[
              labels.used(invite.uses, invite.max_uses),
              ...(invite.expires_at === null ? [] : [labels.expires(showTime(invite.expires_at))]),
              ...(invite.role_ids === undefined ? [] : [labels.gives(formats.list(namesOf(invite.role_ids)))]),
            ].join(" · ")}
            actions={
              <>
                <CopyLink code={invite.code} />
                <RowMenu
                  name={invite.code}
                  actions={[
                    {
                      label: labels.revoke,
                      danger: true,
                      question: {
                        title: labels.revokeTitle(invite.code),
                        explanation: labels.revokeExplanation,
                        onConfirm: () => client.invites.revoke(server.id, invite.id),
                      },
                    },
                  ]}
                />
              </>
            }
          />
        )}
      </AsyncRows>
    </>
  );
}

function CopyLink({ code }: { code: string }) {
  const copy = useAction(() => navigator.clipboard.writeText(`${location.origin}/app/invite/${code}`));
  return (
    <Button kind="quiet" onClick={() => copy.run()}>
      {texts.shell.copy}
    </Button>
  );
}
