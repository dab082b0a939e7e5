import type { ParleyClient } from "@parley/client";
import { useEffect, useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { useAction } from "../../ui/data/use-action.js";
import { Button } from "../../ui/look/button.js";
import { Actions, Dialog } from "../../ui/overlays/dialog.js";

/** Each screen has a frame of its own; the question is asked once for all of them. */
const answers = new WeakMap<ParleyClient, Promise<boolean>>();

function isOutdated(client: ParleyClient): Promise<boolean> {
  const answer =
    answers.get(client) ??
    client.users.me().then(
      ({ terms_outdated = false }) => terms_outdated,
      // The next start asks again.
      () => false,
    );
  answers.set(client, answer);
  return answer;
}

/** Asks an account to accept the terms of the installation once more, where an administrator wants that. */
export function TermsQuestion() {
  const { client } = useApp();
  const labels = texts.shell.terms;
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    void isOutdated(client).then(setOpen);
  }, [client]);
  const close = () => {
    answers.set(client, Promise.resolve(false));
    setOpen(false);
  };
  const accept = useAction(async () => {
    await client.users.acceptTerms();
    close();
  });
  return (
    <Dialog open={isOpen} onOpenChange={close} title={labels.title} description={labels.explanation}>
      <p>
        <a href="/terms" target="_blank" rel="noreferrer">
          {labels.read}
        </a>
      </p>
      <ErrorNote error={accept.error} />
      <Actions>
        <Button kind="quiet" onClick={close}>
          {labels.later}
        </Button>
        <Button disabled={accept.isBusy} onClick={() => void accept.run()}>
          {labels.accept}
        </Button>
      </Actions>
    </Dialog>
  );
}
