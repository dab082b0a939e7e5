import type { Passkey } from "@parley/client";
import { useCallback, useState } from "react";
import { usePasskeysOn } from "../../session/passkeys-on.js";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent, Empty, ErrorNote } from "../../ui/data/async-content.js";
import { onForm, textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { TextField } from "../../ui/forms/field.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { Row, Rows } from "../../ui/lists/rows.js";
import { Button } from "../../ui/look/button.js";
import { showTime } from "../../ui/look/show.js";
import { useOwnerFields } from "./owner-fields.js";

/** The passkeys of the account: made, renamed, removed. */
export function PasskeysSection() {
  const { client } = useApp();
  const labels = texts.account.passkeys;
  const isOn = usePasskeysOn();
  const passkeys = useData(useCallback((signal) => client.auth.passkeys({ signal }), [client]));
  const [chosen, setChosen] = useState<{ passkey: Passkey; change: "rename" | "remove" } | null>(null);
  const done = async () => {
    await passkeys.reload();
    setChosen(null);
  };
  const cancel = () => setChosen(null);
  return (
    <>
      <p>{labels.explanation}</p>
      <AsyncContent data={passkeys} shape="rows">
        {(all) =>
          all.length === 0 ? (
            <Empty>{labels.none}</Empty>
          ) : (
            <Rows label={labels.title}>
              {all.map((passkey) => (
                <Row
                  key={passkey.id}
                  title={<bdi>{passkey.name}</bdi>}
                  detail={
                    passkey.last_used_at === null
                      ? texts.notifications.push.added(showTime(passkey.created_at))
                      : texts.account.sessions.lastUsed(showTime(passkey.last_used_at))
                  }
                  actions={
                    <>
                      <Button kind="quiet" onClick={() => setChosen({ passkey, change: "rename" })}>
                        {labels.rename}
                      </Button>
                      <Button kind="quiet" onClick={() => setChosen({ passkey, change: "remove" })}>
                        {labels.remove}
                      </Button>
                    </>
                  }
                />
              ))}
            </Rows>
          )
        }
      </AsyncContent>
      {chosen === null ? (
        isOn ? (
          <Addition onAdded={passkeys.reload} />
        ) : (
          <p>{labels.impossible}</p>
        )
      ) : chosen.change === "rename" ? (
        <Renaming key={`rename ${chosen.passkey.id}`} passkey={chosen.passkey} onDone={done} onCancel={cancel} />
      ) : (
        <Removal key={`remove ${chosen.passkey.id}`} passkey={chosen.passkey} onDone={done} onCancel={cancel} />
      )}
    </>
  );
}

function Addition({ onAdded }: { onAdded: () => Promise<void> }) {
  const { client } = useApp();
  const labels = texts.account.passkeys;
  const owner = useOwnerFields();
  const add = useAction(async (form: FormData, element: HTMLFormElement) => {
    const isAdded = await owner.send(form, async (credentials) => {
      const asked = await client.auth.beginPasskey(credentials);
      const { makePasskey } = await import("../../session/ask-passkey.js");
      await client.auth.addPasskey({ name: textOf(form, "name"), response: await makePasskey(asked) });
    });
    if (!isAdded) return;
    element.reset();
    await onAdded();
  });
  return (
    <Panel title={labels.add}>
      <form onSubmit={onForm((form, element) => add.run(form, element))}>
        <TextField label={labels.name} hint={labels.nameHint} name="name" maxLength={64} required />
        {owner.fields}
        <ErrorNote error={add.error} />
        <Button type="submit" disabled={add.isBusy}>
          {labels.add}
        </Button>
      </form>
    </Panel>
  );
}

interface ChangeProps {
  passkey: Passkey;
  onDone: () => Promise<void>;
  onCancel: () => void;
}

function Renaming({ passkey, onDone, onCancel }: ChangeProps) {
  const { client } = useApp();
  const labels = texts.account.passkeys;
  const rename = useAction(async (form: FormData) => {
    await client.auth.renamePasskey(passkey.id, { name: textOf(form, "name") });
    await onDone();
  });
  return (
    <Panel title={labels.renameTitle(passkey.name)}>
      <form onSubmit={onForm((form) => rename.run(form))}>
        <TextField
          label={labels.name}
          name="name"
          defaultValue={passkey.name}
          maxLength={64}
          required
          autoFocus
          error={rename.error}
        />
        <Button type="submit" disabled={rename.isBusy}>
          {texts.common.save}
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          {texts.common.cancel}
        </Button>
      </form>
    </Panel>
  );
}

function Removal({ passkey, onDone, onCancel }: ChangeProps) {
  const { client } = useApp();
  const labels = texts.account.passkeys;
  const remove = useAction(async (form: FormData) => {
    await client.auth.removePasskey(passkey.id, { password: textOf(form, "password") });
    await onDone();
  });
  return (
    <Panel title={labels.removeTitle(passkey.name)} hint={labels.removeHint}>
      <form onSubmit={onForm((form) => remove.run(form))}>
        <TextField
          label={texts.account.secondFactor.password}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          autoFocus
          error={remove.error}
        />
        <Button kind="danger" type="submit" disabled={remove.isBusy}>
          {labels.remove}
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          {texts.common.cancel}
        </Button>
      </form>
    </Panel>
  );
}
