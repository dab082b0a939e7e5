import { ParleyError } from "@parley/client";
import { useEffect, useState } from "react";
import { useDestination } from "../../session/destination.js";
import { useSession } from "../../session/session.js";
import { takeSignInReturn } from "../../session/sign-in-return.js";
import { InputError } from "../../texts/error-text.js";
import { texts } from "../../texts/start-texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { useAction } from "../../ui/data/use-action.js";
import { Button } from "../../ui/look/button.js";
import styles from "./login.module.css";

/** Refusals for which the page has its own words already. */
function explain(error: unknown): never {
  const code = error instanceof ParleyError ? error.code : null;
  if (code === "sign_in_provider_unavailable") throw new InputError(texts.login.refusals.unavailable);
  if (code === "sign_in_code_invalid") throw new InputError(texts.login.refusals.expired);
  throw error;
}

/** Signs in at the provider: leads there, and goes on when the browser is back. */
export function SingleSignOn({ name, hasPassword }: { name: string; hasPassword: boolean }) {
  const { client, begin } = useSession();
  const { wanted } = useDestination();
  const [back] = useState(takeSignInReturn);
  const start = useAction(async () => {
    const query = { format: "json", ...(wanted === null ? {} : { to: wanted }) } as const;
    location.assign((await client.auth.startSingleSignOn(query).catch(explain)).url);
  });
  const { run: finish, ...finishing } = useAction(async (code: string) => {
    await client.signInWithCode(code).catch(explain);
    begin();
  });
  const code = back !== null && "code" in back ? back.code : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a code counts once.
  useEffect(() => {
    if (code !== null) void finish(code);
  }, [code]);
  const refusal = back !== null && "refusal" in back ? texts.login.refusals[back.refusal] : null;
  return (
    <div className={styles.provider}>
      {finishing.isBusy ? <p role="status">{texts.common.loading}</p> : null}
      <ErrorNote error={start.error ?? finishing.error ?? refusal} />
      <Button className={styles.submit} disabled={start.isBusy || finishing.isBusy} onClick={() => start.run()}>
        {texts.login.continueWith(name)}
      </Button>
      {hasPassword ? <p className={styles.or}>{texts.login.or}</p> : null}
    </div>
  );
}
