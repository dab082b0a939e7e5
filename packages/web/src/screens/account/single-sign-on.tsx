import { type ReactNode, useCallback, useEffect, useState } from "react";
import { takeSignInReturn } from "../../session/sign-in-return.js";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { onForm, textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { useData } from "../../ui/data/use-data.js";
import { TextField } from "../../ui/forms/field.js";
import { Panel } from "../../ui/forms/settings-page.js";
import { Button } from "../../ui/look/button.js";
import { showTime } from "../../ui/look/show.js";
import { useOwnerFields } from "./owner-fields.js";

/** The connection with an account of the sign-in provider, where there is one. */
export function SingleSignOnPanel() {
  const { client } = useApp();
  const labels = texts.account.singleSignOn;
  const methods = useData(useCallback((signal) => client.instance.signIn({ signal }), [client]));
  const provider = methods.value?.oidc ?? null;
  if (provider === null || methods.value === null) return null;
  return (
    <Panel title={labels.title}>
      <Connection name={provider.name} canEnd={methods.value.password} />
    </Panel>
  );
}

function Connection({ name, canEnd }: { name: string; canEnd: boolean }) {
  const { client } = useApp();
  const labels = texts.account.singleSignOn;
  const link = useData(useCallback((signal) => client.auth.singleSignOnLink({ signal }), [client]));
  const [back] = useState(takeSignInReturn);
  const { run: finish, error: failure } = useAction(async (code: string) => {
    await client.auth.confirmSingleSignOnLink({ code });
    await link.reload();
  });
  const end = useAction(async (form: FormData) => {
    await client.auth.removeSingleSignOnLink({ password: textOf(form, "password") });
    await link.reload();
  });
  const code = back !== null && "code" in back ? back.code : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a code counts once.
  useEffect(() => {
    if (code !== null) void finish(code);
  }, [code]);
  const refusal = back !== null && "refusal" in back ? texts.login.refusals[back.refusal] : null;
  if (link.value === null) return null;
  const { connected_at: at } = link.value;
  if (at === null) {
    return (
      <>
        <p>{labels.explanation(name)}</p>
        <Connecting name={name} failure={failure ?? refusal} />
      </>
    );
  }
  return (
    <>
      <p>{labels.connected(name, showTime(at))}</p>
      {canEnd ? (
        <form onSubmit={onForm((form) => end.run(form))}>
          <TextField
            label={texts.account.password.current}
            hint={labels.endHint(name)}
            name="password"
            type="password"
            autoComplete="current-password"
            required
            error={end.error}
          />
          <Button type="submit" kind="quiet" disabled={end.isBusy}>
            {labels.end}
          </Button>
        </form>
      ) : null}
    </>
  );
}

/** @param props.failure why an attempt has failed that came back from the provider */
function Connecting({ name, failure }: { name: string; failure: ReactNode }) {
  const { client } = useApp();
  const owner = useOwnerFields();
  const connect = useAction((form: FormData) =>
    owner.send(form, async (credentials) =>
      location.assign((await client.auth.startSingleSignOnLink(credentials)).url),
    ),
  );
  return (
    <form onSubmit={onForm((form) => connect.run(form))}>
      {owner.fields}
      <ErrorNote error={connect.error ?? failure} />
      <Button type="submit" disabled={connect.isBusy}>
        {texts.account.singleSignOn.connect(name)}
      </Button>
    </form>
  );
}
